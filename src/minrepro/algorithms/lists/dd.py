"""dd: the smallest difference between a passing and a failing configuration.

Zeller & Hildebrandt, *Simplifying and isolating failure-inducing input* (2002): the passing side grows and the failing
side shrinks until no single unit of their difference can be added to the one or taken from the other with a clear
outcome. Without unresolved outcomes it needs about 2·log2 |difference| tests.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from minrepro.algorithms.lists.ddmin import Split, zeller_split
from minrepro.core.search import Candidate, Reduction, first
from minrepro.core.verdicts import Outcome

U = TypeVar("U")


@dataclass(frozen=True)
class Difference:
    """A passing configuration inside a failing one, as positions in the universe of units."""

    passing: frozenset[int]
    failing: frozenset[int]


@dataclass(frozen=True)
class _Move(Candidate[tuple[Any, ...]]):
    difference: Difference = Difference(frozenset(), frozenset())
    granularity: int = 2


def dd(
    failing: Sequence[U], passing: Sequence[U] = (), *, split: Split[int] = zeller_split
) -> Reduction[tuple[tuple[U, ...], tuple[U, ...]]]:
    """Return a passing and a failing configuration, one inside the other, with a 1-minimal difference."""
    units = tuple(failing)
    inside = _positions(units, passing)
    here = Difference(inside, frozenset(range(len(units))))
    granularity = 2
    while True:
        moves = _moves(here, granularity, split)
        found = yield from first((_as_units(move, units) for move in moves), "dd")
        if found is None:
            return _chosen(units, here.passing), _chosen(units, here.failing)
        here, granularity = found.difference, found.granularity


def _as_units(move: _Move, units: tuple[Any, ...]) -> _Move:
    return replace(move, config=tuple(units[i] for i in move.config))


def _chosen(units: tuple[U, ...], positions: frozenset[int]) -> tuple[U, ...]:
    return tuple(units[i] for i in sorted(positions))


def _positions(units: tuple[U, ...], passing: Sequence[U]) -> frozenset[int]:
    """Find the passing units in the failing ones, in order."""
    found, start = [], 0
    for unit in passing:
        start = units.index(unit, start) + 1
        found.append(start - 1)
    return frozenset(found)


def _moves(here: Difference, n: int, split: Split[int]) -> Iterator[_Move]:
    """Yield the four cases of dd in the paper's order, granularity by granularity as long as none applies."""
    delta = tuple(sorted(here.failing - here.passing))
    if len(delta) < 2:
        return
    n = min(n, len(delta))
    while True:
        parts = [frozenset(part) for part in split(delta, n)]
        added = [here.passing | part for part in parts]
        removed = [here.failing - part for part in parts]
        fewer = max(n - 1, 2)
        for side in added:  # reduce to subset
            yield _Move(tuple(sorted(side)), Outcome.FAIL, Difference(here.passing, side), 2)
        for side in removed:  # increase to complement
            yield _Move(tuple(sorted(side)), Outcome.PASS, Difference(side, here.failing), 2)
        for side in added:  # increase to subset
            yield _Move(tuple(sorted(side)), Outcome.PASS, Difference(side, here.failing), fewer)
        for side in removed:  # reduce to complement
            yield _Move(tuple(sorted(side)), Outcome.FAIL, Difference(here.passing, side), fewer)
        if n == len(delta):
            return
        n = min(2 * n, len(delta))
