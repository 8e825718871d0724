"""The group-testing minimiser: the fewest tests for a list.

When what is needed does not depend on what else is kept, "may this group go?" is exactly the question of adaptive group
testing, and about log2 C(n, m) + m answers are necessary. The scan goes back to front, so that uses are gone before
their definitions are tried. It learns on the way how dense the needed units are and how often they follow each other,
and asks for groups that have an even chance; a refused group is searched by halving for its last needed unit, and what
follows from two answers is never asked. A sweep over single units closes every round: the result is 1-minimal for any
oracle that always answers alike.
"""

from __future__ import annotations

import math
from array import array
from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Any, Generic, TypeVar

from minrepro.algorithms.lists.scans import run_scan, without
from minrepro.core.search import Reduction

U = TypeVar("U")

_SINGLE = (3 - math.sqrt(5)) / 2
"""From this density of needed units on, single tests are optimal (Ungar 1960)."""


@dataclass(frozen=True)
class Density:
    """What is known about how needed units lie: runs of them begin at one rate and go on at another."""

    begun: float = 1.0
    seen: float = 20.0
    gone_on: float = 1.0
    followed: float = 2.0

    def group(self, behind_needed: bool) -> float:
        """Return the size of a group that may go with an even chance."""
        begins, goes_on = min(self.begun / self.seen, 0.99), min(self.gone_on / self.followed, 0.99)
        if not behind_needed:
            return math.log(2) / -math.log1p(-begins)
        if goes_on >= _SINGLE:
            return 1.0
        return 1 + (math.log(2) + math.log1p(-goes_on)) / -math.log1p(-begins)

    def after(self, needed: bool, count: int, behind_needed: bool) -> Density:
        """Return what is known after a needed unit, or after so many that were not needed."""
        if behind_needed:
            # The first unit behind a needed one tells about runs; what follows it tells about their beginnings.
            rest = 0 if needed else count - 1
            return Density(self.begun, self.seen + rest, self.gone_on + needed, self.followed + 1)
        return Density(self.begun + needed, self.seen + count, self.gone_on, self.followed)


@dataclass(slots=True)  # never changed; a frozen one takes three times as long to make, and there is one for each test
class _Grouping(Generic[U]):
    """All from `end` on is settled; of the `suspect` units before it one at least is needed (0: nothing is known)."""

    config: tuple[U, ...]
    end: int
    density: Density
    weights: tuple[float, ...] | None = None
    suspect: int = 0
    behind_needed: bool = False
    sums: tuple[float, ...] = field(default=(), repr=False)
    proposed: tuple[U, ...] | None = None
    """What was proposed: the proposal is the rest when it is accepted."""
    _size: int = -1

    def size(self) -> int:
        """Return how many units the next proposal removes."""
        if self._size < 0:
            self._size = self._next_size()
        return self._size

    def _next_size(self) -> int:
        if self.suspect:
            half = self.suspect // 2 if self.weights is None else self._reaching(self._weight(self.suspect) / 2)
            return min(max(1, half), self.suspect - 1)
        target = self.density.group(self.behind_needed)
        count = round(target) if self.weights is None else self._reaching(target)
        count = max(1, min(count, self.end))
        return count - 1 if count == len(self.config) else count  # the empty configuration is known not to fail

    def _weight(self, count: int) -> float:
        return self.sums[self.end] - self.sums[self.end - count]

    def _reaching(self, weight: float) -> int:
        return self.end - bisect_left(self.sums, self.sums[self.end] - weight, 0, self.end + 1)

    def proposal(self) -> tuple[U, ...] | None:
        size = self.size() if self.end else 0
        if size:
            self.proposed = without(self.config, self.end - size, self.end)
        return self.proposed

    def refused(self) -> _Grouping[U]:
        return self._suspecting(self.size())

    def _suspecting(self, count: int) -> _Grouping[U]:
        if count > 1:
            return _Grouping(
                self.config, self.end, self.density, self.weights, count, self.behind_needed, sums=self.sums
            )
        density = self.density.after(True, 1, self.behind_needed)  # the unit before the end is needed
        return _Grouping(self.config, self.end - 1, density, self.weights, 0, True, sums=self.sums)

    def accepted(self) -> _Grouping[U]:
        size = self.size()
        rest = self.proposed if self.proposed is not None else without(self.config, self.end - size, self.end)
        density = self.density.after(False, size, self.behind_needed)
        shorter = _Grouping(rest, self.end - size, density, self.weights, 0, False, sums=self.sums)
        # What is left of a group that holds a needed unit holds it: if it is one unit, that need not be asked.
        return shorter._suspecting(self.suspect - size) if self.suspect else shorter


def grouping(
    config: Sequence[U], *, weight: Callable[[U], float] | None = None, density: Density | None = None
) -> Reduction[tuple[U, ...]]:
    """Return a 1-minimal failing subset with about as few tests as any algorithm can.

    An array of numbers stays one all the time: a long one is copied in a fraction of the time of a tuple.
    """
    units: Any = config if isinstance(config, array) else tuple(config)
    # Of a long list less is needed, as a rule; the root still learns soon that of this one much is.
    density = density or Density(seen=max(20.0, math.sqrt(len(units))))
    while len(units) > 1:
        scan = yield from run_scan(_started(units, density, weight), "grouping")
        units, density = scan.config, scan.density
        swept = yield from run_scan(_Sweep(units, len(units)), "sweep")
        # A unit that became free after others went may have freed more of them: look again with what was learnt.
        if len(swept.config) == len(units):
            break
        units = swept.config
    return units  # type: ignore[no-any-return]


def _started(units: tuple[U, ...], density: Density, weight: Callable[[U], float] | None) -> _Grouping[U]:
    if weight is None:
        return _Grouping(units, len(units), density)
    total = sum(map(weight, units)) or 1.0
    weights = tuple(weight(unit) * len(units) / total for unit in units)
    return _Grouping(units, len(units), density, weights, sums=tuple(accumulate(weights, initial=0.0)))


@dataclass(slots=True)
class _Sweep(Generic[U]):
    """Tries each unit alone, back to front, once."""

    config: tuple[U, ...]
    position: int

    def proposal(self) -> tuple[U, ...] | None:
        return (
            without(self.config, self.position - 1, self.position) if self.position and len(self.config) > 1 else None
        )

    def refused(self) -> _Sweep[U]:
        return _Sweep(self.config, self.position - 1)

    def accepted(self) -> _Sweep[U]:
        return _Sweep(without(self.config, self.position - 1, self.position), self.position - 1)
