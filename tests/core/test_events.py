"""What happens in a run, as records."""

from __future__ import annotations

from minrepro.core.events import Accepted, RunEvent, Started, Tally, Tested, Warned, ignore, tell_each
from minrepro.core.verdicts import Outcome, Verdict


def test_a_tally_counts_tests_and_what_memory_saved() -> None:
    tally = Tally()
    for notice in (
        Started(10),
        Tested(Verdict(Outcome.FAIL, seconds=0.5), 10, "input"),
        Tested(Verdict(Outcome.PASS, seconds=0.25), 5, "ddmin"),
        Tested(Verdict(Outcome.PASS, seconds=0.25), 5, "ddmin", remembered=True),
        Accepted(b"", 5, "ddmin"),
        Warned("look out"),
    ):
        tally(notice)
    assert (tally.tests, tally.remembered, tally.accepted) == (2, 1, 1)
    assert tally.outcomes == {Outcome.FAIL: 1, Outcome.PASS: 1, Outcome.UNRESOLVED: 0}
    assert tally.seconds_in_tests == 0.75
    assert tally.warnings == ["look out"]


def test_everybody_is_told_in_turn() -> None:
    heard: list[tuple[str, RunEvent]] = []
    tell = tell_each(lambda notice: heard.append(("a", notice)), ignore, lambda notice: heard.append(("b", notice)))
    tell(Started(1))
    assert heard == [("a", Started(1)), ("b", Started(1))]
