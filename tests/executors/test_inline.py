"""Tests in this thread."""

from __future__ import annotations

from minrepro.core.verdicts import Outcome, Verdict
from minrepro.executors.inline import Inline


class Recorder:
    """An oracle that notes what it was asked."""

    def __init__(self) -> None:
        self.asked: list[bytes] = []

    def __call__(self, case: bytes) -> Verdict:
        self.asked.append(case)
        return Verdict(Outcome.FAIL if b"x" in case else Outcome.PASS)


def test_waiting_returns_the_verdict_of_the_first_job() -> None:
    executor = Inline(Recorder())
    job = executor.start(b"axb")
    assert executor.wait([job]) == {job: Verdict(Outcome.FAIL)}


def test_a_cancelled_case_is_never_tested() -> None:
    oracle = Recorder()
    executor = Inline(oracle)
    first, second = executor.start(b"a"), executor.start(b"b")
    executor.cancel(first)
    assert set(executor.wait([first, second])) == {second}
    assert oracle.asked == [b"b"]


def test_nothing_is_left_after_closing() -> None:
    executor = Inline(Recorder())
    job = executor.start(b"a")
    executor.close()
    assert executor.wait([job]) == {}


def test_it_tests_one_case_at_a_time() -> None:
    assert Inline(Recorder()).capacity == 1
