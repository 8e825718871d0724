"""Failures are compared with that of the input, unless that one never looks the same twice."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from minrepro.core.verdicts import Outcome, Verdict
from minrepro.errors import CheckError
from minrepro.executors.inline import Inline
from minrepro.executors.same_failure import SameFailure
from minrepro.executors.threads import Threads

INPUT = b"the input"


def failing(signature: str) -> Verdict:
    return Verdict(Outcome.FAIL, "exit 0", signature=signature)


class Told:
    """An executor that has been told its verdicts, in the order of its tests."""

    def __init__(self, *signatures: str) -> None:
        self._signatures = iter(signatures)

    def __call__(self, case: bytes) -> Verdict:
        return failing(next(self._signatures))


def verdicts(executor: SameFailure, cases: Sequence[bytes]) -> list[Verdict]:
    jobs = [executor.start(case) for case in cases]
    found: dict[object, Verdict] = {}
    while len(found) < len(jobs):
        found |= executor.wait([job for job in jobs if job not in found])
    return [found[job] for job in jobs]


def test_on_demand_another_failure_is_none() -> None:
    executor = SameFailure(Inline(Told("A", "A", "B", "A")), INPUT, 2, demanded=True)
    first, second, other, same = (verdicts(executor, [case])[0] for case in (INPUT, INPUT, b"b", b"a"))
    assert first == second == same == failing("A")
    assert (other.outcome, other.reason) == (Outcome.UNRESOLVED, "another failure: B")


def test_without_demand_another_failure_is_one_too() -> None:
    executor = SameFailure(Inline(Told("A", "B")), INPUT, 1)
    assert [verdicts(executor, [case])[0].signature for case in (INPUT, b"b")] == ["A", "B"]


def test_a_failure_that_never_looks_the_same_is_not_compared() -> None:
    executor = SameFailure(Inline(Told("blue", "green", "red", "other")), INPUT, 3)
    assert [verdicts(executor, [case])[0].signature for case in (INPUT, INPUT, INPUT, b"a")] == ["blue", "", "", ""]


def test_a_failure_that_never_looks_the_same_cannot_be_demanded() -> None:
    executor = SameFailure(Inline(Told("one", "two")), INPUT, 2, demanded=True)
    verdicts(executor, [INPUT])
    with pytest.raises(CheckError, match="requires the same error message in every check run"):
        verdicts(executor, [INPUT])


def test_what_was_seen_before_a_resume_still_counts() -> None:
    executor = SameFailure(Inline(Told("B")), INPUT, 2, demanded=True, seen=["A", "A"])
    assert verdicts(executor, [b"b"])[0].outcome is Outcome.UNRESOLVED


def test_what_is_not_the_failure_stays_what_it_is() -> None:
    executor = SameFailure(Inline(lambda case: Verdict(Outcome.PASS, "exit 1")), INPUT, 1, demanded=True, seen=["A"])
    assert verdicts(executor, [b"a"]) == [Verdict(Outcome.PASS, "exit 1")]


def test_only_the_input_tells_what_the_failure_is_however_many_tests_run_at_a_time() -> None:
    signed = Threads(lambda case: failing("A" if case in (INPUT, b"a") else "B"), 16)
    executor = SameFailure(signed, INPUT, 3, demanded=True)
    try:
        assert [each.signature for each in verdicts(executor, [INPUT] * 5)] == ["A"] * 5
        found = verdicts(executor, [b"b", b"a", INPUT, b"b"] * 4)
        assert [each.outcome is Outcome.FAIL for each in found] == [False, True, True, False] * 4
    finally:
        executor.close()
