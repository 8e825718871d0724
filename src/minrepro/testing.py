"""For tests of algorithms, executors and oracles, also the users' own: an executor on a virtual clock, toy oracles."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import count
from typing import Any

from minrepro.core.protocols import Job
from minrepro.core.verdicts import Outcome, Verdict


class SimulatedExecutor:
    """Runs a function as oracle on any number of imagined workers; time passes only in `wait`, on a virtual clock."""

    def __init__(
        self,
        test: Callable[[Any], Outcome],
        workers: int = 1,
        duration: Callable[[Any], float] = lambda case: 1.0,
    ) -> None:
        self.capacity = workers
        self.limit: float | None = None
        self.now = 0.0
        self.started = 0
        self.cancelled = 0
        self.most_running = 0
        self.running: dict[int, Any] = {}
        self._test = test
        self._duration = duration
        self._numbers = count()
        self._ends: list[tuple[float, int]] = []

    def learn(self, verdict: Verdict) -> None:
        """Learn nothing: there is no time limit."""

    def start(self, case: Any) -> Job:
        """Begin a test; asking for more than the capacity is an error of the scheduler."""
        assert len(self.running) < self.capacity, "more tests running than there are workers"
        number = next(self._numbers)
        self.running[number] = case
        self.started += 1
        self.most_running = max(self.most_running, len(self.running))
        heapq.heappush(self._ends, (self.now + self._duration(case), number))
        return number

    def wait(self, jobs: Iterable[Job], timeout: float | None = None) -> Mapping[Job, Verdict]:
        """Let time pass until the first of the running tests ends; return all that end at that moment."""
        assert set(jobs) <= set(self.running), "waiting for a test that is not running"
        while self._ends[0][1] not in self.running:
            heapq.heappop(self._ends)
        self.now = self._ends[0][0]
        done: dict[Job, Verdict] = {}
        while self._ends and self._ends[0][0] <= self.now:
            _, number = heapq.heappop(self._ends)
            if number in self.running:
                case = self.running.pop(number)
                done[number] = Verdict(self._test(case), seconds=self._duration(case))
        return done

    def cancel(self, job: Job) -> None:
        """End a test without a verdict, if it is still running."""
        assert isinstance(job, int)
        if job in self.running:
            del self.running[job]
            self.cancelled += 1

    def close(self) -> None:
        """End all tests that are still running."""
        for job in list(self.running):
            self.cancel(job)


def needs(*units: Any) -> Callable[[Sequence[Any]], Outcome]:
    """Return an oracle that fails while all these units are there."""
    needed = frozenset(units)

    def test(case: Sequence[Any]) -> Outcome:
        return Outcome.FAIL if needed.issubset(case) else Outcome.PASS

    return test


def fails_if(predicate: Callable[[Any], bool]) -> Callable[[Any], Outcome]:
    """Return an oracle that fails where the predicate holds."""
    return lambda case: Outcome.FAIL if predicate(case) else Outcome.PASS
