"""Tests in threads of this process, for functions that release the interpreter lock."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping
from queue import SimpleQueue
from typing import Any

from minrepro.core.protocols import Job
from minrepro.core.verdicts import Verdict
from minrepro.executors.collecting import Collecting, End


class _Call:
    """A case that waits for a thread, or is being tested."""

    def __init__(self, case: Any) -> None:
        self.case = case
        self.cancelled = False


class Threads:
    """Calls a function for several cases at once; a call that is cancelled runs on unheeded, and keeps its thread."""

    def __init__(self, oracle: Callable[[Any], Verdict], jobs: int) -> None:
        self.capacity = jobs
        self.limit = None
        self._oracle = oracle
        self._begun: SimpleQueue[_Call | None] = SimpleQueue()
        self._tests = Collecting()
        self._threads: list[threading.Thread] = []

    def learn(self, verdict: Verdict) -> None:
        """Learn nothing: a call has no time limit."""

    def start(self, case: Any) -> Job:
        """Hand a case to the next free thread."""
        call = _Call(case)
        self._tests.begin(call)
        if len(self._threads) < self.capacity:
            # Not a thread pool of the standard library: that would wait for abandoned calls when Python ends.
            self._threads.append(threading.Thread(target=self._work, name="minrepro test", daemon=True))
            self._threads[-1].start()
        self._begun.put(call)
        return call

    def wait(self, jobs: Iterable[Job], timeout: float | None = None) -> Mapping[Job, Verdict]:
        """Return the verdicts of all that are finished, at least one unless the timeout passes first."""
        return self._tests.wait(jobs, timeout)

    def cancel(self, job: Job) -> None:
        """Abandon a test: one that has begun goes on, but nobody hears of it."""
        if isinstance(job, _Call):
            job.cancelled = True
        self._tests.abandon(job)

    def close(self) -> None:
        """Abandon all tests and let the threads end."""
        for job in self._tests.under_way:
            self.cancel(job)
        self._tests.abandon_all()
        for _ in self._threads:
            self._begun.put(None)
        self._threads.clear()

    def _work(self) -> None:
        while (call := self._begun.get()) is not None:
            if call.cancelled:
                continue
            end: End
            try:
                end = self._oracle(call.case)
            except BaseException as error:  # handed to whoever waits, whatever it is
                end = error
            self._tests.end(call, end)
