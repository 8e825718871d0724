"""One reduction, from a failing input to its result: the input is tested first, the best so far is always known,
budgets are kept, and a run that is stopped gives back a usable result."""

from __future__ import annotations

import time
from collections.abc import Callable, Sized
from dataclasses import dataclass
from threading import Event
from typing import Any, Generic, TypeVar

from minrepro.core.best import Best
from minrepro.core.events import End, Ended, Listener, Started, StepKind, Tally, ignore
from minrepro.core.keys import key_of
from minrepro.core.protocols import Executor
from minrepro.core.search import Candidate, Reduction
from minrepro.core.verdicts import Outcome, Verdict
from minrepro.engine.memory import Memory
from minrepro.engine.publisher import Publisher
from minrepro.engine.scheduler import Scheduler
from minrepro.engine.tester import Tester
from minrepro.errors import ExecutorLost, NotFailing, Retracted, Stopped
from minrepro.settings import Budget, Mode

C = TypeVar("C", bound=Sized)

Reducer = Callable[[C, Tester, Callable[[C, str, Verdict], None]], C]
"""Makes a failing case smaller with a tester, telling of each smaller one that it commits, with its verdict."""

_STOP_NOTICED_AFTER = 0.5
_ENDING = (Stopped, ExecutorLost, KeyboardInterrupt, MemoryError, OSError)
"""What ends a run with its best so far; the last two come from a system that has nothing left to give."""


class _FailsEmpty(Exception):
    """The failure shows on empty input, with this verdict."""

    def __init__(self, verdict: Verdict) -> None:
        super().__init__()
        self.verdict = verdict


@dataclass(frozen=True)
class Result(Generic[C]):
    """What a run gives back: the smallest failing case it knows, why it ended, and what it did."""

    case: C
    why: str
    tally: Tally
    seconds: float
    passing: C | None = None
    """The passing side, when a difference was isolated."""
    end: End = End.FINISHED

    @property
    def finished(self) -> bool:
        """Whether the algorithm came to its end, so that the result has the minimality it promises."""
        return self.end is End.FINISHED

    @property
    def lost(self) -> bool:
        """Whether it ended, unasked, because no test could be run any more."""
        return self.end is End.EXECUTOR_LOST


class Run(Generic[C]):
    """Runs reductions of one input with one executor."""

    def __init__(
        self,
        executor: Executor,
        *,
        mode: Mode = "in order",
        budget: Budget | None = None,
        notify: Listener = ignore,
        memory: Memory | None = None,
        best: Best[C] | None = None,
        publisher: Publisher | None = None,
        size_of: Callable[[Any], int] = len,
        confirm: Callable[[C], None] = lambda case: None,
        meanwhile: Callable[[], None] = lambda: None,
        tidy: Callable[[C], C] = lambda case: case,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Before a result is given back `confirm` may raise `Retracted` to have the run go on from another case.

        `meanwhile` is called when tests are under way and there is nothing to do but to wait for them. What `tidy`
        makes of the smallest case is the result if it fails too, whatever its size.
        """
        self.tally = Tally()
        self.memory = memory if memory is not None else Memory()
        self._confirm = confirm
        self._meanwhile = meanwhile
        self._tidy = tidy
        self._budget = budget or Budget()
        self._clock = clock
        self._began = clock()
        self._asked_to_stop: tuple[str, End] | None = None
        self._going = Event()
        self._going.set()
        self._size_of = size_of
        self._started_tests = 0
        self._best: Best[C] = best if best is not None else Best(size_of=size_of)
        self._publisher = publisher if publisher is not None else Publisher()
        self._tell = self._publisher.tell
        self._scheduler = Scheduler(
            executor,
            memory=self.memory,
            mode=mode,
            notify=self._tell,
            permit_test=self._permit_test,
            permit_wait=self._permit_wait,
            size_of=size_of,
            count=self.tally.count if notify is ignore else None,
        )
        self._publisher.tell_to(*([self.tally] if notify is ignore else [self.tally, notify]))

    def stop(self, why: str, end: End = End.STOPPED) -> None:
        """End the run at the next moment, from any thread or a signal handler; what was found is kept."""
        self._asked_to_stop = (why, end)

    def pause(self, paused: bool) -> None:
        """Begin no more tests, or begin them again; from any thread."""
        (self._going.clear if paused else self._going.set)()

    def under_way(self) -> list[tuple[str, int]]:
        """Return for each test that is under way what it belongs to and the size of its case; from any thread."""
        return self._scheduler.tester.under_way()

    def warn(self, text: str) -> None:
        """Tell everybody who listens of something that does not end the run."""
        self._publisher.warn(text)

    def reduce(self, case: C, reduction: Callable[[C], Reduction[C]], *, empty: C | None = None) -> Result[C]:
        """Return the smallest failing case that the reduction finds, or the best so far when it is stopped."""
        return self._reduced(case, lambda case: self._scheduler.run(reduction(case), self._found), empty)

    def reduce_by_edits(self, case: C, reducer: Reducer[C], *, empty: C | None = None) -> Result[C]:
        """Return the smallest failing case that a reducer by edits finds, or the best so far when it is stopped."""
        return self._reduced(case, lambda case: reducer(case, self._scheduler.tester, self._accept), empty)

    def _reduced(self, case: C, work: Callable[[C], C], empty: C | None) -> Result[C]:
        self._tell(Started(self._size_of(case), self))
        try:
            self._accept(case, "input", self._require(case, Outcome.FAIL), StepKind.INPUT)
            while not self._worked(case, work, empty):
                case = self._best_now
            return self._end("finished", End.FINISHED)
        except _ENDING as stopped:
            if self._best.failing is None:  # there is nothing to give back yet
                raise
            return self._end(_why_of(stopped), _end_of(stopped))
        finally:
            self._publisher.flush()

    @property
    def _best_now(self) -> C:
        assert self._best.failing is not None
        return self._best.failing

    def _worked(self, case: C, work: Callable[[C], C], empty: C | None) -> bool:
        """Do the work from a case on; tell whether it came to its end, not to an earlier case to begin with again."""
        try:
            try:
                self._settle(self._worked_beside_empty(case, work, empty))
                self._publisher.flush()
                self._confirm(self._best_now)
            except _FailsEmpty as fails:
                assert empty is not None
                self._confirm(empty)
                self.warn("the empty file also reproduces the failure; the check probably accepts every input")
                self._accept(empty, "empty", fails.verdict, StepKind.EMPTY)
            self._tidy_up()
            return True
        except Retracted as back:
            self.memory.forget()
            self._tell(self._best.retract(back.case, back.verdict))
            return False

    def _worked_beside_empty(self, case: C, work: Callable[[C], C], empty: C | None) -> C:
        """Return what the work makes of a case; raise if the empty one fails, tested beside it where possible."""
        if empty is None or empty == case:
            return work(case)
        tester, key, untold = self._scheduler.tester, key_of(empty), [True]

        def tell(verdict: Verdict) -> None:
            untold.clear()
            if verdict.outcome is Outcome.FAIL:
                raise _FailsEmpty(verdict)

        if tester.capacity == 1 or tester.recall(key) is not None:
            tell(self._scheduler.test(empty, "empty"))
            return work(case)
        job = tester.start_aside(empty, key, "empty", tell)
        try:
            result = work(case)
            while untold:
                tester.wait()
            return result
        finally:
            tester.cancel([job])

    def isolate(self, passing: C, failing: C, reduction: Reduction[tuple[C, C]]) -> Result[C]:
        """Return a passing and a failing case whose difference the reduction made minimal."""
        self._tell(Started(self._size_of(failing), self))
        try:
            self._require(failing, Outcome.FAIL)
            self._require(passing, Outcome.PASS)
            self._tell(self._best.move(passing, Outcome.PASS, "input", StepKind.INPUT))
            self._tell(self._best.move(failing, Outcome.FAIL, "input", StepKind.INPUT))
            self._best.passing, self._best.failing = self._scheduler.run(reduction, self._moved)
            return self._end("finished", End.FINISHED)
        except _ENDING as stopped:
            if self._best.failing is None:  # there is nothing to give back yet
                raise
            return self._end(_why_of(stopped), _end_of(stopped))
        finally:
            self._publisher.flush()

    def _require(self, case: C, outcome: Outcome) -> Verdict:
        """Return the verdict of a case, or raise if it is not the one that an input must have."""
        verdict = self._scheduler.test(case, "input")
        if verdict.outcome is not outcome:
            text = "does not reproduce the failure" if outcome is Outcome.FAIL else "reproduces the failure"
            raise NotFailing(f"the input {text}: {verdict.outcome.value} ({verdict.reason})", outcome, verdict)
        return verdict

    def _permit_test(self) -> None:
        """Count a test that is about to start, or raise when the run must end instead."""
        if self._budget.tests is not None and self._started_tests >= self._budget.tests:
            raise Stopped(f"stopped by --max-tests {self._budget.tests}", End.TESTS_SPENT)
        if self._asked_to_stop is not None or self._budget.seconds is not None:
            self._seconds_to_wait()
        while not self._going.is_set():
            self._going.wait(_STOP_NOTICED_AFTER)
            self._seconds_to_wait()
        self._started_tests += 1

    def _permit_wait(self) -> float:
        """Do what can be done while tests are under way; return how long to wait, or raise when the run must end."""
        self._publisher.flush()
        self._meanwhile()
        return self._seconds_to_wait()

    def _seconds_to_wait(self) -> float:
        """Return for how many seconds nobody need ask again whether to stop, or raise when the run must end now."""
        if self._asked_to_stop is not None:
            raise Stopped(*self._asked_to_stop)
        if self._budget.seconds is None:
            return _STOP_NOTICED_AFTER
        early = self._budget.since
        # What failed before the run began is a result only once the input was seen to fail.
        began = self._began if early is None or self._best.failing is None else early
        left = self._budget.seconds - (self._clock() - began)
        if left <= 0:
            raise Stopped(f"stopped by --max-time {self._budget.seconds:g}", End.SECONDS_SPENT)
        return min(left, _STOP_NOTICED_AFTER)

    def _found(self, candidate: Candidate[Any], label: str, verdict: Verdict) -> None:
        self._accept(candidate.config, label, verdict)

    def _accept(self, case: C, label: str, verdict: Verdict, kind: StepKind = StepKind.STEP) -> None:
        """Go on from a case; its verdict comes with it, since it may have been tested in another form."""
        self._tell(self._best.accept(case, label, verdict, kind))

    def _moved(self, candidate: Candidate[Any], label: str, verdict: Verdict) -> None:
        self._tell(self._best.move(candidate.config, candidate.wanted, label))

    def _settle(self, case: C) -> None:
        """Take the algorithm's last word, unless it was never seen failing or something smaller was."""
        best = self._best_now
        if self._size_of(case) <= self._size_of(best) and case != best:
            verdict = self._scheduler.test(case, "result")
            if verdict.outcome is Outcome.FAIL:
                self._accept(case, "result", verdict, StepKind.RESULT)

    def _tidy_up(self) -> None:
        case = self._tidy(self._best_now)
        if case == self._best_now:
            return
        verdict = self._scheduler.test(case, "formatted")
        if verdict.outcome is Outcome.FAIL:
            self._accept(case, "formatted", verdict, StepKind.FORMATTED)

    def _end(self, why: str, end: End) -> Result[C]:
        result = self._best.result
        assert result is not None
        self._tell(Ended(why, self._size_of(result), end))
        return Result(result, why, self.tally, self._clock() - self._began, self._best.passing, end)


def _why_of(stopped: BaseException) -> str:
    """Return why a run is over, in words."""
    if isinstance(stopped, OSError):
        where = f"{stopped.filename}: " if stopped.filename else ""
        return f"stopped: {where}{stopped.strerror or repr(stopped)}"
    return "out of memory" if isinstance(stopped, MemoryError) else str(stopped) or "interrupted"


def _end_of(stopped: BaseException) -> End:
    """Return which end of a run an exception is."""
    if isinstance(stopped, Stopped):
        return stopped.end
    return End.INTERRUPTED if isinstance(stopped, KeyboardInterrupt) else End.EXECUTOR_LOST
