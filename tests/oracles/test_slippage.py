"""A failure that turns into another one is noticed, unless it never looks the same twice."""

from __future__ import annotations

import pytest

from minrepro.errors import CheckError
from minrepro.invocations import Ending
from minrepro.notices import Accepted
from minrepro.oracles.command import CommandOracle
from minrepro.oracles.slippage import Signed, SlippageWatch
from minrepro.search import Outcome


def ending(text: str, status: int = 0) -> Ending:
    return Ending(status, 0.1, stderr=text.encode())


def oracle() -> CommandOracle:
    return CommandOracle(["true"], "case")


def test_a_failure_is_signed_and_nothing_else_is() -> None:
    signed = Signed(oracle(), look=1)
    assert signed.judge(ending("in.c:3: error: bad")).signature == signed.judge(ending("in.c:9: error: bad")).signature
    assert signed.judge(ending("in.c:3: error: bad", 1)).signature == ""


def test_on_demand_another_failure_is_none() -> None:
    signed = Signed(oracle(), look=2, same_failure=True)
    for _ in range(2):
        assert signed.judge(ending("TypeError: x")).outcome is Outcome.FAIL
    verdict = signed.judge(ending("ValueError: x"))
    assert verdict.outcome is Outcome.UNRESOLVED
    assert verdict.reason == "another failure: ValueError: x"
    assert signed.judge(ending("TypeError: x")).outcome is Outcome.FAIL


def test_a_failure_that_never_looks_the_same_is_not_compared() -> None:
    signed = Signed(oracle(), look=3)
    for word in ("blue", "green", "red"):
        signed.judge(ending(f"error: {word}"))
    assert signed.judge(ending("error: other")).signature == ""


def test_a_failure_that_never_looks_the_same_cannot_be_demanded() -> None:
    signed = Signed(oracle(), look=2, same_failure=True)
    signed.judge(ending("error: one"))
    with pytest.raises(CheckError, match="does not look the same from run to run"):
        signed.judge(ending("error: two"))


def test_what_was_seen_before_a_resume_still_counts() -> None:
    signed = Signed(oracle(), look=2, same_failure=True, seen=("TypeError: x", "TypeError: x"))
    assert signed.judge(ending("ValueError: x")).outcome is Outcome.UNRESOLVED


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
    assert "the failure has changed from “A” to “B”" in told[0]
    assert watch.slipped_to == "B"
    watch(Accepted(b"a", 1, "", signature="A"))
    assert watch.slipped_to == ""
