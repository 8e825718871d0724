"""Tests in threads."""

from __future__ import annotations

import threading

import pytest

from minrepro.core.protocols import Job
from minrepro.core.verdicts import Outcome, Verdict
from minrepro.errors import CheckError
from minrepro.executors.threads import Threads

PASSED = Verdict(Outcome.PASS)
SOON = 30.0
"""Seconds after which a test gives up instead of hanging."""


class Gate:
    """An oracle that answers when it is let go, and notes how many calls there were at once."""

    def __init__(self) -> None:
        self.open = threading.Event()
        self.lock = threading.Lock()
        self.running = 0
        self.most = 0
        self.entered = threading.Semaphore(0)

    def __call__(self, case: bytes) -> Verdict:
        with self.lock:
            self.running += 1
            self.most = max(self.most, self.running)
        self.entered.release()
        self.open.wait(SOON)
        with self.lock:
            self.running -= 1
        return PASSED


def test_all_cases_get_their_verdicts() -> None:
    executor = Threads(lambda case: Verdict(Outcome.FAIL if case > 5 else Outcome.PASS), 4)
    jobs = {executor.start(number): number for number in range(10)}
    verdicts: dict[Job, Verdict] = {}
    while len(verdicts) < 10:
        verdicts |= executor.wait(set(jobs) - set(verdicts), SOON)
    executor.close()
    assert {jobs[job] for job, verdict in verdicts.items() if verdict.outcome is Outcome.FAIL} == {6, 7, 8, 9}


def test_waiting_ends_when_the_timeout_passes() -> None:
    gate = Gate()
    executor = Threads(gate, 1)
    job = executor.start(b"")
    assert executor.wait([job], 0.01) == {}
    gate.open.set()
    assert executor.wait([job], SOON) == {job: PASSED}
    executor.close()


def test_abandoned_calls_count_against_the_number_of_threads() -> None:
    gate = Gate()
    executor = Threads(gate, 2)
    abandoned = [executor.start(b"old") for _ in range(2)]
    for _ in abandoned:
        assert gate.entered.acquire(timeout=SOON)
    for job in abandoned:
        executor.cancel(job)
    jobs = [executor.start(b"new") for _ in range(2)]
    assert executor.wait([*abandoned, *jobs], 0.01) == {}
    gate.open.set()
    verdicts: dict[Job, Verdict] = {}
    while len(verdicts) < 2:
        verdicts |= executor.wait(set(jobs) - set(verdicts), SOON)
    executor.close()
    assert set(verdicts) == set(jobs)
    assert gate.most == 2


def test_an_error_of_the_oracle_reaches_whoever_waits() -> None:
    def oracle(case: bytes) -> Verdict:
        raise CheckError("the check is broken")

    executor = Threads(oracle, 1)
    job = executor.start(b"")
    with pytest.raises(CheckError, match="broken"):
        executor.wait([job], SOON)
    executor.close()


def test_the_threads_end_after_closing() -> None:
    others = set(threading.enumerate())
    executor = Threads(lambda case: PASSED, 3)
    for number in range(3):
        assert executor.wait([executor.start(number)], SOON)
    threads = set(threading.enumerate()) - others
    assert len(threads) == 3
    executor.close()
    for thread in threads:
        thread.join(SOON)
    assert not any(thread.is_alive() for thread in threads)
