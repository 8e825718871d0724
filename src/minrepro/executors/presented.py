"""Hands every case to a check in the form that the check knows, such as text for the bytes of its encoding."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from minrepro.core.protocols import Executor, Job
from minrepro.core.verdicts import Outcome, Verdict
from minrepro.executors.wrapper import ExecutorWrapper


class Presented(ExecutorWrapper):
    """Tests what `show` makes of a case; a case that it cannot show is unresolved, and the check never sees it."""

    def __init__(self, executor: Executor, show: Callable[[Any], Any]) -> None:
        """`show` raises ValueError for a case that it cannot show, as decoding does."""
        super().__init__(executor)
        self._show = show
        self._refused: dict[Job, Verdict] = {}
        at_once: Callable[[Any], Verdict] | None = getattr(executor, "answer", None)
        if at_once is not None:
            self._at_once = at_once
            self.answer = self._answer

    def _answer(self, case: Any) -> Verdict:
        """Return the verdict on a case at once, where the executor can."""
        try:
            shown = self._show(case)
        except ValueError as error:
            return _refusal(error)
        return self._at_once(shown)

    def start(self, case: Any) -> Job:
        """Begin the test of a case as it is shown."""
        try:
            shown = self._show(case)
        except ValueError as error:
            job = object()
            self._refused[job] = _refusal(error)
            return job
        return self._executor.start(shown)

    def wait(self, jobs: Iterable[Job], timeout: float | None = None) -> Mapping[Job, Verdict]:
        """Return the verdicts of all that are finished, at least one unless the timeout passes first."""
        if not self._refused:
            return self._executor.wait(jobs, timeout)
        return {job: self._refused.pop(job) for job in list(jobs) if job in self._refused}

    def cancel(self, job: Job) -> None:
        """End a test."""
        if self._refused.pop(job, None) is None:
            self._executor.cancel(job)


def _refusal(error: ValueError) -> Verdict:
    return Verdict(Outcome.UNRESOLVED, f"cannot be shown to the check: {error}")
