"""Tests in this thread, one after another."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import count
from typing import Any

from minrepro.core.protocols import Job
from minrepro.core.verdicts import Verdict


class Inline:
    """Calls a function for each case, only when its verdict is waited for."""

    def __init__(self, oracle: Callable[[Any], Verdict]) -> None:
        self.capacity = 1
        self.limit = None
        self._oracle = oracle
        self._numbers = count()
        self._cases: dict[Job, Any] = {}

    def learn(self, verdict: Verdict) -> None:
        """Learn nothing: a call has no time limit."""

    def answer(self, case: Any) -> Verdict:
        """Return the verdict on a case at once, without a job: what there is to it costs more than a quick check."""
        return self._oracle(case)

    def start(self, case: Any) -> Job:
        """Note a case to be tested."""
        job = next(self._numbers)
        self._cases[job] = case
        return job

    def wait(self, jobs: Iterable[Job], timeout: float | None = None) -> Mapping[Job, Verdict]:
        """Test the first of the cases; a call cannot be cut short, so the timeout has no effect."""
        for job in jobs:
            if job in self._cases:
                return {job: self._oracle(self._cases.pop(job))}
        return {}

    def cancel(self, job: Job) -> None:
        """Forget a case."""
        self._cases.pop(job, None)

    def close(self) -> None:
        """Forget all cases."""
        self._cases.clear()
