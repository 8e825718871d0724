"""An executor that asks the verdicts of other runs before it runs a test."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import count
from typing import Any

from minrepro.core.protocols import Executor, Job
from minrepro.core.verdicts import Verdict
from minrepro.executors.wrapper import ExecutorWrapper
from minrepro.runs.history.recorded_run import key_text
from minrepro.runs.history.shared_verdicts import SharedVerdicts


class SharedExecutor(ExecutorWrapper):
    """Stands before an executor and asks the shared verdicts first.

    Only the first test of a case is answered from there: whoever tests a case again wants to see it run.
    """

    def __init__(
        self, executor: Executor, shared: SharedVerdicts, encode: Callable[[Any], bytes] = lambda case: case
    ) -> None:
        """`encode` gives the bytes that stand for a case."""
        super().__init__(executor)
        self._encode = encode
        self._shared = shared
        self._numbers = count()
        self._ready: dict[Job, Verdict] = {}
        self._keys: dict[Job, str] = {}
        self._asked: set[str] = set()
        self.found = 0
        """How many tests another run has saved."""

    def start(self, case: Any) -> Job:
        """Begin the test of a case, unless its verdict is known."""
        key = key_text(self._encode(case))
        verdict = None if key in self._asked else self._shared.recall(key, self.limit)
        self._asked.add(key)
        if verdict is not None:
            job: Job = ("shared", next(self._numbers))
            self._ready[job] = verdict
            self.found += 1
            return job
        job = super().start(case)
        self._keys[job] = key
        return job

    def wait(self, jobs: Iterable[Job], timeout: float | None = None) -> Mapping[Job, Verdict]:
        """Return the verdicts of all that are finished, at least one unless the timeout passes first."""
        wanted = list(jobs)
        ready = {job: self._ready.pop(job) for job in wanted if job in self._ready}
        if ready:
            return ready
        done = super().wait(wanted, timeout)
        for job, verdict in done.items():
            self._shared.share(self._keys.pop(job), verdict)
        return done

    def cancel(self, job: Job) -> None:
        """End a test."""
        if self._ready.pop(job, None) is None and self._keys.pop(job, None) is not None:
            super().cancel(job)

    def close(self) -> None:
        """End all that is under way."""
        super().close()
        self._shared.close()
