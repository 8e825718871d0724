"""An executor that compares failures with that of the input, and if asked takes another failure for none.

Verdicts come here signed by what the failure looked like, wherever their tests ran. What another run has seen, and for
another input, can be compared too, so whatever shares verdicts between runs stands below.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from minrepro.core.keys import key_of
from minrepro.core.protocols import Executor, Job
from minrepro.core.verdicts import Outcome, Verdict
from minrepro.errors import CheckError
from minrepro.executors.wrapper import ExecutorWrapper


class SameFailure(ExecutorWrapper):
    """Stands before an executor and knows what the failure of the input looks like."""

    def __init__(
        self, executor: Executor, failing: Any, look: int, *, demanded: bool = False, seen: Iterable[str] = ()
    ) -> None:
        """The first `look` failures of the input `failing` are compared; `seen` are those of an earlier session.

        The input is run so often only when a candidate fails otherwise than it did first.
        Only when it is demanded is another failure taken for none.
        """
        super().__init__(executor)
        self._failing = failing
        self._input = key_of(failing)
        self._look = look
        self._demanded = demanded
        self._seen = list(seen)[:look]
        self._of_input: set[Job] = set()

    def start(self, case: Any) -> Job:
        """Begin the test of a case."""
        job = super().start(case)
        if len(self._seen) < self._look and key_of(case) == self._input:
            self._of_input.add(job)
        return job

    def wait(self, jobs: Iterable[Job], timeout: float | None = None) -> Mapping[Job, Verdict]:
        """Return the verdicts of all that are finished, with the failures compared."""
        done = super().wait(jobs, timeout)
        for job in self._of_input.intersection(done):
            self._of_input.discard(job)
            if done[job].outcome is Outcome.FAIL and len(self._seen) < self._look:
                self._seen.append(done[job].signature)
        if self._seen and any(
            each.outcome is Outcome.FAIL and each.signature != self._seen[0] for each in done.values()
        ):
            self._look_again()
        return {job: self._compared(verdict) for job, verdict in done.items()}

    def cancel(self, job: Job) -> None:
        """End a test."""
        self._of_input.discard(job)
        super().cancel(job)

    def _look_again(self) -> None:
        """See whether the input itself says something else each time."""
        for _ in range(self._look - len(self._seen) if len(set(self._seen)) == 1 else 0):
            job = super().start(self._failing)
            while not (done := super().wait([job])):
                pass
            if done[job].outcome is Outcome.FAIL:
                self._seen.append(done[job].signature)
                if self._seen[-1] != self._seen[0]:
                    return
        self._look = len(self._seen)

    def _compared(self, verdict: Verdict) -> Verdict:
        if verdict.outcome is not Outcome.FAIL or not self._seen:
            return verdict
        if any(one != self._seen[0] for one in self._seen):
            if self._demanded:
                raise CheckError(
                    "--same-failure requires the same error message in every check run of the input, not "
                    f"{' | '.join(sorted(set(self._seen)))}\n"
                    "hint: make the check print one line on standard error that names the failure"
                )
            return replace(verdict, signature="")  # it says something else each time: nothing to recognize it by
        if self._demanded and verdict.signature != self._seen[0]:
            reason = f"another failure: {verdict.signature or 'silent'}"
            return replace(verdict, outcome=Outcome.UNRESOLVED, reason=reason, signature="")
        return verdict
