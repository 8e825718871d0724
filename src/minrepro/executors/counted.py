"""Counts the runs of a check: those that ended, and those that were cancelled because nobody needed them any more."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from minrepro.core.protocols import Executor, Job
from minrepro.core.verdicts import Verdict
from minrepro.executors.wrapper import ExecutorWrapper


class CountedRuns(ExecutorWrapper):
    """Stands before an executor and counts what it does."""

    def __init__(self, executor: Executor) -> None:
        super().__init__(executor)
        self.ended = 0
        """How many runs ended with a verdict."""
        self.cancelled = 0
        """How many runs were started and ended before they had one."""
        self._under_way: set[Job] = set()

    def start(self, case: object) -> Job:
        """Begin a run."""
        job = super().start(case)
        self._under_way.add(job)
        return job

    def wait(self, jobs: Iterable[Job], timeout: float | None = None) -> Mapping[Job, Verdict]:
        """Return the verdicts of all that are finished."""
        done = super().wait(jobs, timeout)
        self.ended += len(done)
        self._under_way.difference_update(done)
        return done

    def cancel(self, job: Job) -> None:
        """End a run without a verdict."""
        if job in self._under_way:
            self._under_way.discard(job)
            self.cancelled += 1
        super().cancel(job)
