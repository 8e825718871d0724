"""What stands before an executor and passes on whatever it does not change."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from minrepro.core.protocols import Executor, Job
from minrepro.core.verdicts import Verdict


class ExecutorWrapper:
    """An executor that has another one do everything."""

    def __init__(self, executor: Executor) -> None:
        self._executor = executor

    @property
    def capacity(self) -> int:
        """How many tests may be under way now."""
        return self._executor.capacity

    @property
    def limit(self) -> float | None:
        """The seconds that a check which starts now may take."""
        return self._executor.limit

    def learn(self, verdict: Verdict) -> None:
        """Let the executor know of a verdict that was found elsewhere."""
        self._executor.learn(verdict)

    def start(self, case: Any) -> Job:
        """Begin the test of a case."""
        return self._executor.start(case)

    def wait(self, jobs: Iterable[Job], timeout: float | None = None) -> Mapping[Job, Verdict]:
        """Return the verdicts of all that are finished, at least one unless the timeout passes first."""
        return self._executor.wait(jobs, timeout)

    def cancel(self, job: Job) -> None:
        """End a test."""
        self._executor.cancel(job)

    def close(self) -> None:
        """End all that is under way."""
        self._executor.close()
