"""A failure that turns into another one is noticed."""

from __future__ import annotations

from minrepro.core.events import Accepted
from minrepro.runs.slippage import SlippageWatch


def test_both_failures_are_kept_and_told_once() -> None:
    told: list[str] = []
    kept: list[bytes] = []

    def keep(case: bytes) -> str:
        kept.append(case)
        return "side.txt"

    watch = SlippageWatch(told.append, keep)
    for case, signature in ((b"aaaa", "A"), (b"aaa", "A"), (b"bb", "B"), (b"b", "B")):
        watch(Accepted(case, len(case), "", signature=signature))
    assert kept == [b"aaa"]
    assert len(told) == 1
    assert "the failure changed from “A” to “B”" in told[0]
    assert watch.slipped_to == "B"
    watch(Accepted(b"a", 1, "", signature="A"))
    assert watch.slipped_to == ""
