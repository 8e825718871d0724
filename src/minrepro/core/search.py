"""What an algorithm is made of: candidates, and the lazy search for the first candidate that fails.

An algorithm is a generator of searches. It yields a `Search` and is sent the candidate that was found, or None; it does
no I/O, starts no process and reads no clock. Because each candidate assumes that none before it was found, whoever
answers a search may test ahead and decide in order: one text of an algorithm serves one worker, many, and a cluster.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from minrepro.core.verdicts import Outcome

C = TypeVar("C")
T = TypeVar("T")


@dataclass(frozen=True)
class Candidate(Generic[C]):
    """A configuration to be tried; an algorithm subclasses it to note where to go on from here."""

    config: C
    wanted: Outcome = Outcome.FAIL


K = TypeVar("K", bound=Candidate[Any])


@dataclass(frozen=True)
class Search:
    """A lazy, ordered stream of candidates: which is the first with its wanted outcome?"""

    candidates: Iterable[Candidate[Any]]
    label: str = ""


Reduction = Generator[Search, Candidate[Any] | None, T]

ListMinimizer = Callable[[Sequence[Any]], Reduction[tuple[Any, ...]]]
"""Looks for a small part of a list that fails."""
Refine = Callable[[ListMinimizer, Callable[[Any], Any]], ListMinimizer]
"""Makes another minimizer of one, given what makes a case of a configuration."""


def first(candidates: Iterable[K], label: str = "") -> Reduction[K | None]:
    """Return the first candidate that has its wanted outcome, or None."""
    found = yield Search(candidates, label)
    return found  # type: ignore[return-value]  # whoever answers sends back one of these very candidates


@dataclass(frozen=True)
class _Embedded(Candidate[Any]):
    inner: Candidate[Any] | None = None


def embed(reduction: Reduction[T], into: Callable[[Any], Any]) -> Reduction[T]:
    """Run a reduction of a part inside the whole that holds it: `into` turns a part into the whole."""
    answer: Candidate[Any] | None = None
    try:
        search = next(reduction)
        while True:
            found = yield Search(_embedded(search.candidates, into), search.label)
            answer = found.inner if isinstance(found, _Embedded) else None
            search = reduction.send(answer)
    except StopIteration as end:
        return end.value  # type: ignore[no-any-return]


def _embedded(candidates: Iterable[Candidate[Any]], into: Callable[[Any], Any]) -> Iterator[_Embedded]:
    for candidate in candidates:
        yield _Embedded(into(candidate.config), candidate.wanted, candidate)


def solve(reduction: Reduction[T], test: Callable[[Any], Outcome]) -> T:
    """Answer every search of a reduction by calling a function, one candidate after another."""
    answer: Candidate[Any] | None = None
    try:
        search = next(reduction)
        while True:
            answer = next((c for c in search.candidates if test(c.config) is c.wanted), None)
            search = reduction.send(answer)
    except StopIteration as end:
        return end.value  # type: ignore[no-any-return]
