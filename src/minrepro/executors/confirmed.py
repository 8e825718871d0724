"""An executor that confirms by a fresh run whatever a quick test made a search accept, while the search goes on.

A quick way of testing may leave something of an earlier test behind, and then a case fails that does not fail on its
own. So what each phase of a search ends with is tested once more from nothing, as a test of `Fresh` like any other: it
is recorded and replayed like them. When one is refuted the run is sent back to the last that was confirmed.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from minrepro.core.best import Best
from minrepro.core.events import Accepted, RunEvent
from minrepro.core.protocols import Executor, Job
from minrepro.core.verdicts import Outcome, Verdict
from minrepro.errors import MinreproError, Retracted
from minrepro.executors.wrapper import ExecutorWrapper

DOUBTS = 3
"""So often is something tested again that failed in a quick test but not in a fresh one."""


@dataclass(frozen=True, slots=True)
class Fresh:
    """A case to be tested from nothing."""

    case: Any

    def __len__(self) -> int:
        return len(self.case)


class Unsteady(Exception):
    """The same case fails in some tests only, although each began from nothing."""


@runtime_checkable
class Confirmable(Protocol):
    """An oracle that has a quick way of testing and one from nothing; its verdicts say which it was."""

    def __call__(self, case: Any) -> Verdict:
        """Return the verdict on a case; on a `Fresh` one from nothing."""
        ...

    def trust_fresh_only(self) -> None:
        """Test from nothing from now on."""
        ...


class ConfirmedRuns(ExecutorWrapper):
    """Stands before an executor with a worker to spare, and listens to its run for what is accepted."""

    def __init__(self, executor: Executor, best: Best[Any], oracle: Confirmable, warn: Callable[[str], None]) -> None:
        """The best so far has a confirmed case to begin with."""
        super().__init__(executor)
        self._warn = warn
        self._oracle = oracle
        self.best = best
        self.confirmed = 0
        """How many were."""
        self._failed_fresh: list[Any] = [best.confirmed]
        self._cases: dict[Job, Any] = {}
        self._waiting: deque[Any] = deque()
        self._last: tuple[Any, str] | None = None
        self._job: Job | None = None
        self._doubts = 0

    @property
    def capacity(self) -> int:
        """How many tests may be under way now beside a confirmation."""
        return max(1, self._executor.capacity - 1)

    @property
    def inner(self) -> Executor:
        """The executor without what confirms."""
        return self._executor

    def start(self, case: Any) -> Job:
        """Begin the test of a case."""
        job = super().start(case)
        self._cases[job] = case
        return job

    def wait(self, jobs: Iterable[Job], timeout: float | None = None) -> Mapping[Job, Verdict]:
        """Return verdicts, or raise `Retracted` when something that was accepted has been refuted."""
        wanted = list(jobs)
        self._begin()
        mine = [] if self._job is None else [self._job]
        done = dict(self._executor.wait([*wanted, *mine], timeout))
        for job, verdict in done.items():
            if verdict.fresh and verdict.outcome is Outcome.FAIL and job in self._cases:
                self._failed_fresh.append(_carried_out(self._cases[job], verdict))
            self._cases.pop(job, None)
        if self._job is not None and self._job in done:
            self._heard(done.pop(self._job))
        return done

    def cancel(self, job: Job) -> None:
        """End a test."""
        self._cases.pop(job, None)
        super().cancel(job)

    def __call__(self, notice: RunEvent) -> None:
        """Take notice of what was accepted: the last of each phase is to be confirmed."""
        if isinstance(notice, Accepted) and notice.outcome is Outcome.FAIL:
            if self._last is not None and self._last[1] != notice.label:
                self._end_phase()
            self._last = (notice.case, notice.label)

    def confirm(self, case: Any) -> None:
        """Wait until what the phases ended with is confirmed; raise `Retracted` when something is refuted."""
        self._end_phase()
        self._begin()
        while self._job is not None:
            self.wait([], None)
            self._begin()

    def _end_phase(self) -> None:
        """Have the last case that was accepted confirmed."""
        if self._last is not None and self._last[0] != self.best.confirmed:
            self._waiting.append(self._last[0])
        self._last = None

    def settle(self) -> None:
        """Where what a run ended with is refuted, have the last one before it that was confirmed as the best."""
        try:
            self.confirm(self.best.failing)
        except (Retracted, Unsteady, MinreproError):
            self.best.give_up_unconfirmed()

    def forget(self) -> None:
        """Give up what waits to be confirmed: it came of what was refuted."""
        self._waiting.clear()
        self._last = None
        self._doubts = 0
        if self._job is not None:
            self._executor.cancel(self._job)
            self._job = None

    def _begin(self) -> None:
        """Begin the next confirmation that is needed, unless one is under way."""
        while self._waiting and self._job is None:
            case = self._waiting[0]
            if any(case[: len(failed)] == failed for failed in self._failed_fresh):
                self._is_good()
            else:
                self._job = self._executor.start(Fresh(case))

    def _heard(self, verdict: Verdict) -> None:
        self._job = None
        if verdict.outcome is Outcome.FAIL:
            if self._doubts:
                self.forget()
                raise Unsteady
            self._failed_fresh.append(_carried_out(self._waiting[0], verdict))
            self._is_good()
            return
        self._doubts += 1
        if self._doubts > DOUBTS:
            self.forget()
            self._oracle.trust_fresh_only()
            self._warn("a result did not reproduce in a fresh context; each replay now gets one")
            raise Retracted(self.best.confirmed, Verdict(Outcome.FAIL, "it fails in a fresh context"))

    def _is_good(self) -> None:
        self.best.confirmed = self._waiting.popleft()
        self.confirmed += 1
        self._doubts = 0


def _carried_out(case: Any, verdict: Verdict) -> Any:
    """Return what was carried out of a case."""
    done = case[: verdict.stopped_at]
    skipped = set(verdict.skipped)
    return tuple(unit for i, unit in enumerate(done) if i not in skipped) if skipped else done
