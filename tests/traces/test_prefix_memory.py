from __future__ import annotations

from minrepro.core.verdicts import Outcome, Verdict
from minrepro.traces.prefix_memory import PrefixMemory
from minrepro.traces.user_events import Event, Trace


def trace(names: str) -> Trace:
    return tuple(Event(name) for name in names)


def outcome(memory: PrefixMemory, names: str) -> Outcome | None:
    verdict = memory.recall(trace(names))
    return verdict.outcome if verdict else None


def remembering(**seen: Verdict) -> PrefixMemory:
    memory = PrefixMemory()
    for names, verdict in seen.items():
        memory.remember(trace(names), verdict)
    return memory


FAIL, PASS, UNRESOLVED = Outcome.FAIL, Outcome.PASS, Outcome.UNRESOLVED


def test_a_prefix_of_a_passing_trace_passes() -> None:
    memory = remembering(abc=Verdict(PASS, stopped_at=3))
    assert [outcome(memory, names) for names in ("", "a", "ab", "abc", "abcd", "b")] == [PASS] * 4 + [None] * 2


def test_what_begins_with_a_failure_fails_and_what_preceded_it_passes() -> None:
    memory = remembering(abcd=Verdict(FAIL, stopped_at=3))
    assert [outcome(memory, names) for names in ("ab", "abc", "abcxyz", "abx")] == [PASS, FAIL, FAIL, None]
    assert memory.shortest_failing(trace("abcd")) == trace("abc")
    assert memory.shortest_failing(trace("xabcd")) == trace("xabcd")


def test_what_begins_with_an_impossible_event_is_unresolved() -> None:
    memory = remembering(ba=Verdict(UNRESOLVED, "b is closed", stopped_at=1))
    verdict = memory.recall(trace("bcd"))
    assert verdict is not None
    assert (verdict.outcome, verdict.reason) == (UNRESOLVED, "b is closed")
    assert memory.shortest_failing(trace("bcd")) == trace("bcd")


def test_a_replay_that_does_not_say_where_it_stopped_tells_nothing_of_its_beginnings() -> None:
    memory = PrefixMemory()
    memory.remember(trace("abc"), Verdict(FAIL))
    assert [outcome(memory, names) for names in ("ab", "abc", "abcd")] == [None, FAIL, FAIL]


def test_an_earlier_stop_replaces_the_later_ones_it_explains() -> None:
    memory = PrefixMemory()
    for names in ("abc", "abd", "b"):
        memory.remember(trace(names), Verdict(UNRESOLVED, names))
    memory.remember(trace("ab"), Verdict(FAIL))
    assert [outcome(memory, names) for names in ("abc", "abd", "abz", "a", "bz")] == [FAIL] * 3 + [None, UNRESOLVED]
    assert len(memory) == 2


def test_a_verdict_cut_short_by_a_small_limit_is_asked_again() -> None:
    memory = PrefixMemory()
    memory.remember(trace("a"), Verdict(UNRESOLVED, "time-out", limit=1.0))
    assert memory.recall(trace("a"), limit=1.2) is not None
    assert memory.recall(trace("a"), limit=10.0) is None


def test_other_cases_than_traces_are_remembered_as_usual() -> None:
    memory = PrefixMemory()
    memory.remember(b"bytes", Verdict(FAIL))
    known = memory.recall(b"bytes")
    assert known is not None
    assert memory.recall(b"byte") is None


def test_more_different_events_than_a_byte_has_values_are_told_apart() -> None:
    events = tuple(Event("type", (i,)) for i in range(60_000))
    memory = PrefixMemory()
    memory.remember(events, Verdict(PASS, stopped_at=len(events)))
    assert memory.recall(events[:59_000]) is not None
    assert memory.recall(events[1:]) is None


def test_passes_that_extend_each_other_are_kept_once() -> None:
    names = "abcdefgh"
    memory = PrefixMemory()
    for end in range(1, 9):
        memory.remember(trace(names[:end]), Verdict(PASS, stopped_at=end))
    assert len(memory) == 1


def test_what_could_not_be_fired_is_known_to_be_left_out_of_other_traces() -> None:
    memory = remembering(axbyc=Verdict(FAIL, stopped_at=5, skipped=(1, 3)))
    assert memory.shortest_failing(trace("axbyc")) == trace("abc")
    assert [outcome(memory, names) for names in ("abc", "axbc", "aybyc", "axb", "ax")] == [
        FAIL,
        FAIL,
        None,
        PASS,
        UNRESOLVED,
    ]
    verdict = memory.recall(trace("axxbycd"))
    assert verdict is not None
    assert (verdict.stopped_at, verdict.skipped) == (6, (1, 2, 4))


def test_a_trace_that_passes_without_what_could_not_be_fired_tells_of_its_beginnings() -> None:
    memory = remembering(axb=Verdict(PASS, stopped_at=3, skipped=(1,)))
    assert [outcome(memory, names) for names in ("ab", "axb", "a", "b")] == [PASS, PASS, PASS, None]


def test_a_trace_whose_last_event_could_not_be_fired_is_unresolved_for_that_reason() -> None:
    memory = remembering(ab=Verdict(UNRESOLVED, "event 2: no b", stopped_at=2, skipped=(1,)))
    verdict = memory.recall(trace("ab"))
    assert verdict is not None and (verdict.outcome, verdict.reason) == (UNRESOLVED, "event 2: no b")
    assert outcome(memory, "abc") is None
