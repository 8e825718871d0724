"""An executor that writes every verdict into a journal, and on resuming answers from it until it runs out.

All that an algorithm and its scheduler can see of the world is what `wait` returns and in which order. So while the
tests that are started are the recorded ones, each `wait` returns exactly what it returned then, and every scheduler,
also one whose decisions depend on which worker was faster, comes to where it was. As soon as a test is another one than
was recorded (another number of workers, another version of an algorithm) verdicts are found by content instead:
nothing that is known is run again, but how the run goes on is no longer that of the recorded one.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import count
from typing import Any

from minrepro.core.keys import still_counts
from minrepro.core.protocols import Executor, Job
from minrepro.core.verdicts import Verdict
from minrepro.executors.wrapper import ExecutorWrapper
from minrepro.runs.history.journal import Journal
from minrepro.runs.history.recorded_run import RecordedVerdict, key_text


@dataclass(eq=False, slots=True)
class _Test:
    """A test that was asked for; it is started only when the journal has no answer to it."""

    serial: int
    case: Any
    key: str
    job: Job = None


class ReplayingExecutor(ExecutorWrapper):
    """Stands before an executor and keeps its verdicts in a journal."""

    def __init__(self, executor: Executor, journal: Journal) -> None:
        super().__init__(executor)
        self._journal = journal
        self._groups = deque(journal.story.groups)
        self._known: dict[str, deque[Verdict]] | None = None
        """Verdicts by content, once the run has left the recorded way."""
        self._serials = count(1)
        self._tests: dict[int, _Test] = {}
        self.replayed = 0
        """How many verdicts came from the journal."""

    @property
    def replaying(self) -> bool:
        """Whether all that was recorded is still being told exactly."""
        return bool(self._groups)

    @property
    def diverged(self) -> bool:
        """Whether the run has left the recorded way."""
        return self._known is not None

    def start(self, case: Any) -> Job:
        """Begin a test; while there may be a recorded answer it is begun only when that turns out not to be so."""
        test = _Test(next(self._serials), case, key_text(self._journal.encode(case)))
        if not self._groups and not (self._known and self._known.get(test.key)):
            test.job = self._executor.start(case)
        self._tests[test.serial] = test
        return test

    def wait(self, jobs: Iterable[Job], timeout: float | None = None) -> Mapping[Job, Verdict]:
        """Return recorded verdicts while there are any, and then those of the executor."""
        wanted = [job for job in jobs if isinstance(job, _Test) and job.serial in self._tests]
        answers = self._recalled(wanted)
        if answers:
            self.replayed += len(answers)
            for answer in answers:
                self.learn(answer.verdict)
        else:
            answers = self._run(wanted, timeout)
            if answers:
                self._journal.answered(answers)
        return {self._tests.pop(answer.serial): answer.verdict for answer in answers}

    def cancel(self, job: Job) -> None:
        """End a test, if it was started at all."""
        if isinstance(job, _Test) and self._tests.pop(job.serial, None) is not None and job.job is not None:
            self._executor.cancel(job.job)

    def close(self) -> None:
        """End all that is under way; the journal is closed by whoever opened it."""
        self._tests.clear()
        self._executor.close()

    def _recalled(self, wanted: list[_Test]) -> list[RecordedVerdict]:
        """Return what the journal answers to the tests that are waited for."""
        if self._groups:
            group = self._groups[0]
            there = {test.serial: test.key for test in wanted}
            if all(there.get(answer.serial) == answer.key for answer in group):
                return self._groups.popleft()
            self._leave()
        if self._known is None:
            return []
        return [
            RecordedVerdict(test.serial, test.key, verdict)
            for test in wanted
            if test.job is None and (verdict := self._next_known(test.key)) is not None
        ]

    def _leave(self) -> None:
        """Leave the recorded way: from now on only what is asked counts, not when."""
        self._known = {}
        for group in self._groups:
            for answer in group:
                self._known.setdefault(answer.key, deque()).append(answer.verdict)
        self._groups.clear()

    def _next_known(self, key: str) -> Verdict | None:
        known = self._known.get(key) if self._known else None
        while known:
            verdict = known.popleft()
            if still_counts(verdict, self.limit):
                return verdict
        return None

    def _run(self, wanted: list[_Test], timeout: float | None) -> list[RecordedVerdict]:
        for test in wanted:
            if test.job is None:
                test.job = self._executor.start(test.case)
        done = self._executor.wait([test.job for test in wanted], timeout)
        return [RecordedVerdict(test.serial, test.key, done[test.job]) for test in wanted if test.job in done]
