"""How the functions of the library run checks: in this thread, in threads, in processes, as coroutines."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any, Literal, TypedDict, TypeVar

from minrepro.api.results import Progress, ProgressTeller, Result, Stats
from minrepro.core.events import Listener, ignore, tell_each
from minrepro.core.protocols import Executor
from minrepro.core.verdicts import Outcome, Verdict
from minrepro.engine.run import Result as RunResult
from minrepro.engine.run import Run
from minrepro.errors import UsageError
from minrepro.executors.inline import Inline
from minrepro.executors.presented import Presented
from minrepro.executors.threads import Threads
from minrepro.oracles.function import FunctionOracle
from minrepro.settings import Budget, Effort

T = TypeVar("T")

Answer = bool | Outcome | Verdict
Check = Callable[[T], Answer | Awaitable[Answer]]
"""Tells whether a candidate reproduces the failure; may be `async`."""
Units = Literal["lines", "characters", "bytes", "lines-then-characters"]
Mode = Literal["in-order", "race"]
Place = Literal["threads", "processes"]


class Execution(TypedDict, total=False):
    """How checks are run, and for how long: what all functions take."""

    workers: int
    workers_in: Place | None
    timeout: float | None
    unresolved: tuple[type[Exception], ...]
    budget: Budget | None
    progress: Callable[[Progress[Any]], None] | None
    notify: Listener


class Algorithm(Execution, total=False):
    """Which of the published algorithms to use."""

    algorithm: str | None
    options: Any
    mode: Mode
    minimality: int
    monotone: bool
    smallest: bool


class Content(Algorithm, total=False):
    """What is known about bytes or text."""

    path: str | PurePath | None
    language: str | None
    effort: Effort
    minify: bool
    units: Units | None


@dataclass(frozen=True)
class Running:
    """How checks are run, and for how long."""

    check: Check[Any]
    workers: int = 1
    workers_in: Place | None = None
    timeout: float | None = None
    unresolved: tuple[type[Exception], ...] = ()
    budget: Budget | None = None
    progress: Callable[[Progress[Any]], None] | None = None
    notify: Listener = ignore
    mode: Mode = "in-order"

    def __post_init__(self) -> None:
        if self.workers < 1:
            raise UsageError(f"{self.workers} workers cannot run anything: say 1 or more.")
        if self.timeout is not None and not self.timeout > 0:
            raise UsageError(f"no check can be done within {self.timeout:g} seconds: say more than 0.")

    def executor(self, show: Callable[[Any], Any] | None) -> Executor:
        """Return where checks run, of cases as `show` makes them."""
        executor = self._executor()
        return executor if show is None else Presented(executor, show)

    def _executor(self) -> Executor:
        oracle = FunctionOracle(self.check, self.unresolved)
        if _is_async(self.check):
            if self.workers_in is not None:
                raise UsageError(f"an async check runs in an event loop: leave workers_in={self.workers_in!r} out.")
            from minrepro.executors.coroutines import Coroutines

            return Coroutines(oracle.judge, self.workers, self.timeout)
        if self.workers_in == "processes":
            from minrepro.executors.python_workers import PythonWorkers

            return PythonWorkers(oracle, self.workers, self.timeout)
        if self.timeout is not None:
            raise UsageError(
                "a function that runs in this process cannot be stopped after a timeout.\n"
                'Say workers_in="processes", or make it an async function.'
            )
        return Inline(oracle) if self.workers == 1 else Threads(oracle, self.workers)

    def run(self, show: Callable[[Any], Any] | None, work: Callable[[Run[Any]], RunResult[Any]]) -> RunResult[Any]:
        """Return what a run gives that is set up as asked for."""
        listener = self.notify
        if self.progress is not None:
            listener = tell_each(ProgressTeller(self.progress, show or same), self.notify)
        executor = self.executor(show)
        try:
            mode: Literal["in order", "race"] = "race" if self.mode == "race" else "in order"
            return work(Run(executor, mode=mode, budget=self.budget, notify=listener))
        finally:
            executor.close()

    def reduced(self, show: Callable[[Any], Any] | None, work: Callable[[Run[Any]], RunResult[Any]]) -> Result[Any]:
        """Return the result of a reduction in the form that the check knows."""
        result = self.run(show, work)
        case, stats = (show or same)(result.case), Stats.of(result.tally)
        return Result(case, result.why, stats, result.seconds, result.finished)


def _is_async(check: Any) -> bool:
    return inspect.iscoroutinefunction(check) or inspect.iscoroutinefunction(type(check).__call__)


def same(case: Any) -> Any:
    """Return a case as it is."""
    return case
