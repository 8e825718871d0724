"""What the functions of the library give back, and tell on the way."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, AnyStr, Generic, TypeVar

from minrepro.core.events import Accepted, RunEvent, Started, Tally, Tested
from minrepro.core.plurals import counted
from minrepro.core.verdicts import Outcome

if TYPE_CHECKING:
    from minrepro.reports import explanation

T = TypeVar("T")


@dataclass(frozen=True)
class Stats:
    """What a reduction did."""

    checks: int
    """How often the check was called."""
    cache_hits: int
    """How often an outcome was known without calling it."""
    accepted: int
    outcomes: Mapping[str, int]
    """How many checks said `reproduced`, `not_reproduced` and `unresolved`."""
    seconds_in_checks: float
    warnings: tuple[str, ...]
    iterations: int = 0
    """How often ddmin went through its parts; 0 for other algorithms."""

    @classmethod
    def of(cls, tally: Tally) -> Stats:
        """Return what a tally has counted."""
        outcomes = {
            "reproduced": tally.outcomes[Outcome.FAIL],
            "not_reproduced": tally.outcomes[Outcome.PASS],
            "unresolved": tally.outcomes[Outcome.UNRESOLVED],
        }
        counts = (tally.tests, tally.remembered, tally.accepted, outcomes, tally.seconds_in_tests)
        return cls(*counts, tuple(tally.warnings), tally.iterations)


@dataclass(frozen=True)
class Result(Generic[T]):
    """The smallest version that still reproduces the failure, and why the reduction ended there."""

    reduced: T
    stop_reason: str
    """`finished`, or why it was stopped: a budget that is spent, an interruption."""
    stats: Stats
    seconds: float
    finished: bool
    """Whether the reduction came to its end, so that the result has the minimality it promises."""

    @property
    def case(self) -> T:
        """The same as `reduced`."""
        return self.reduced


class Progress(Generic[T]):
    """How far a reduction has come."""

    def __init__(self, case: Any, show: Callable[[Any], T], sizes: tuple[int, int], counts: tuple[int, int]) -> None:
        self._case = case
        self._show = show
        self.original_size, self.size = sizes
        """How large the input is, and the best so far: bytes, elements, or parts of nested data."""
        self.checks, self.cache_hits = counts

    @cached_property
    def best(self) -> T:
        """The smallest version so far."""
        return self._show(self._case)

    def __repr__(self) -> str:
        return f"<{self.original_size:,} → {self.size:,} after {counted(self.checks, 'checks')}>"


class ProgressTeller:
    """A listener that calls a function after each check, and when something smaller was accepted."""

    def __init__(self, tell: Callable[[Progress[Any]], None], show: Callable[[Any], Any]) -> None:
        self._tell = tell
        self._show = show
        self._case: Any = None
        self._sizes = (0, 0)
        self._counts = (0, 0)

    def __call__(self, notice: RunEvent) -> None:
        checks, hits = self._counts
        match notice:
            case Started(size=size):
                self._sizes = (size, size)
                return
            case Tested(remembered=True):
                self._counts = (checks, hits + 1)
                return
            case Tested():
                self._counts = (checks + 1, hits)
            case Accepted(case=case, size=size, outcome=Outcome.FAIL, smallest=True):
                self._case = case
                self._sizes = (self._sizes[0], size)
            case _:
                return
        if self._case is not None:  # before the input has been tested there is nothing to tell
            self._tell(Progress(self._case, self._show, self._sizes, self._counts))


@dataclass(frozen=True)
class Part(Generic[AnyStr]):
    """A stretch of what was explained."""

    content: AnyStr
    start: int
    end: int
    needed: bool
    """Whether the failure is gone without it."""
    may_be: str
    """What else it may be, such as `any integer`; empty when it must be what it is, as far as was tried."""
    tried: tuple[AnyStr, ...]
    """What stood in its place and reproduced the failure all the same."""


@dataclass(frozen=True)
class Explanation(Generic[AnyStr]):
    """Which parts are needed, which can be anything, and a small change that makes the failure disappear."""

    content: AnyStr
    parts: tuple[Part[AnyStr], ...]
    abstract: AnyStr
    """The content with what can be anything shown as its kind, such as `⟨any integer⟩`."""
    passing: AnyStr | None
    """A version close to it that does not reproduce the failure, if one was found."""
    checks: int

    @classmethod
    def of(cls, found: explanation.Explanation, show: Callable[[bytes], AnyStr], checks: int) -> Explanation[AnyStr]:
        """Return an explanation in the form of what was explained; positions count its own units."""
        content = found.content
        parts = tuple(
            Part(
                show(content[part.start : part.end]),
                len(show(content[: part.start])),
                len(show(content[: part.end])),
                part.needed,
                part.may_be,
                tuple(show(text) for text in part.tried),
            )
            for part in found.parts
        )
        passing = None if found.passing is None else show(found.passing)
        return Explanation(show(content), parts, show(found.abstract), passing, checks)
