"""An executor that has the input answered by a run of it that was made before."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from minrepro.core.keys import key_of
from minrepro.core.protocols import Executor, Job
from minrepro.core.verdicts import Verdict
from minrepro.executors.wrapper import ExecutorWrapper


class KnownFirst(ExecutorWrapper):
    """Stands before an executor and knows how the first test of a case has ended; whoever asks again sees it run."""

    def __init__(self, executor: Executor, case: Any, verdict: Verdict) -> None:
        super().__init__(executor)
        self._key = key_of(case)
        self._verdict: Verdict | None = verdict
        self._known: dict[Job, Verdict] = {}

    def start(self, case: Any) -> Job:
        """Begin the test of a case, unless it has been run."""
        if self._verdict is None or key_of(case) != self._key:
            return super().start(case)
        job: Job = object()
        self._known[job], self._verdict = self._verdict, None
        self.learn(self._known[job])
        return job

    def wait(self, jobs: Iterable[Job], timeout: float | None = None) -> Mapping[Job, Verdict]:
        """Return the verdicts of all that are finished, at least one unless the timeout passes first."""
        wanted = list(jobs)
        known = {job: self._known.pop(job) for job in wanted if job in self._known}
        return known or super().wait(wanted, timeout)

    def cancel(self, job: Job) -> None:
        """End a test."""
        if self._known.pop(job, None) is None:
            super().cancel(job)
