"""Tests in threads of this process, for functions that release the interpreter lock."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Mapping
from queue import Empty, SimpleQueue
from typing import Any

from minrepro.core.protocols import Job
from minrepro.core.verdicts import Verdict


class _Call:
    """A case that waits for a thread, is being tested, or has its verdict."""

    def __init__(self, case: Any) -> None:
        self.case = case
        self.cancelled = False
        self.verdict: Verdict | None = None
        self.error: BaseException | None = None


class Threads:
    """Calls a function for several cases at once; a call that is cancelled runs on unheeded, and keeps its thread."""

    def __init__(self, oracle: Callable[[Any], Verdict], jobs: int) -> None:
        self.capacity = jobs
        self.limit = None
        self._oracle = oracle
        self._begun: SimpleQueue[_Call | None] = SimpleQueue()
        self._ended: SimpleQueue[_Call] = SimpleQueue()
        self._under_way: set[Job] = set()
        self._finished: dict[Job, _Call] = {}
        self._threads: list[threading.Thread] = []

    def learn(self, verdict: Verdict) -> None:
        """Learn nothing: a call has no time limit."""

    def start(self, case: Any) -> Job:
        """Hand a case to the next free thread."""
        call = _Call(case)
        self._under_way.add(call)
        if len(self._threads) < self.capacity:
            # Not a thread pool of the standard library: that would wait for abandoned calls when Python ends.
            self._threads.append(threading.Thread(target=self._work, name="minrepro test", daemon=True))
            self._threads[-1].start()
        self._begun.put(call)
        return call

    def wait(self, jobs: Iterable[Job], timeout: float | None = None) -> Mapping[Job, Verdict]:
        """Return the verdicts of all that are finished, at least one unless the timeout passes first."""
        wanted = list(jobs)
        deadline = None if timeout is None else time.monotonic() + timeout
        while True:
            self._collect(0.0)
            finished = {job: _verdict(self._finished.pop(job)) for job in wanted if job in self._finished}
            if finished or self._under_way.isdisjoint(wanted):
                return finished
            remaining = None if deadline is None else deadline - time.monotonic()
            if remaining is not None and remaining <= 0:
                return {}
            self._collect(remaining)

    def cancel(self, job: Job) -> None:
        """Abandon a test: one that has begun goes on, but nobody hears of it."""
        if isinstance(job, _Call):
            job.cancelled = True
        self._under_way.discard(job)
        self._finished.pop(job, None)

    def close(self) -> None:
        """Abandon all tests and let the threads end."""
        for job in list(self._under_way):
            self.cancel(job)
        self._finished.clear()
        for _ in self._threads:
            self._begun.put(None)
        self._threads.clear()

    def _collect(self, timeout: float | None) -> None:
        """Take in what has ended, waiting for the first unless something is there."""
        try:
            call = self._ended.get(timeout != 0, timeout or None)
            while True:
                if call in self._under_way:
                    self._under_way.discard(call)
                    self._finished[call] = call
                call = self._ended.get_nowait()
        except Empty:
            return

    def _work(self) -> None:
        while (call := self._begun.get()) is not None:
            if call.cancelled:
                continue
            try:
                call.verdict = self._oracle(call.case)
            except BaseException as error:  # handed to whoever waits, whatever it is
                call.error = error
            self._ended.put(call)


def _verdict(call: _Call) -> Verdict:
    if call.error is not None:
        raise call.error
    assert call.verdict is not None
    return call.verdict
