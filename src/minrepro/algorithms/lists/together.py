"""Two units of a sequence that can go only together, sought while the whole search stays below what ddmin takes.

When no single unit can go, two still may: what undoes something goes with what it undoes. Nobody knows which, so
this search could go on for long. It is given an allowance: a share of what ddmin is sure to take for the same
sequence and the same result, less what was spent before. ddmin is played through for that, with an oracle that fails as
long as all units of the result are there; real ones fail less simply, which costs ddmin more.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from minrepro.algorithms.lists.sequences import Cut, Kin, singles
from minrepro.core.search import Candidate, Reduction, Search, first

T = TypeVar("T")

SHARE = 0.7
"""The share of what ddmin takes that may be spent in all."""
_ANY_TWO = 6
"""Up to so many units any two are tried together."""
_MOST = 100
"""Of more units, none are tried together."""


@dataclass
class Spending:
    """Tests and the units in them, without those of which the verdict is known."""

    known: Callable[[Any], bool] = lambda config: False
    tests: int = 0
    units: int = 0

    def of(self, reduction: Reduction[T], most: Spending | None = None) -> Reduction[T]:
        """Run a reduction and count what it spends; no test is begun that would be more than the most in all."""
        try:
            search = next(reduction)
            while True:
                search = reduction.send((yield Search(self._counted(search, most), search.label)))
        except StopIteration as end:
            return end.value  # type: ignore[no-any-return]

    def _counted(self, search: Search, most: Spending | None) -> Iterator[Candidate[Any]]:
        for candidate in search.candidates:
            if not self.known(candidate.config):
                self.tests, self.units = self.tests + 1, self.units + len(candidate.config)
                if most is not None and (self.tests > most.tests or self.units > most.units):
                    return
            yield candidate

    def share(self, share: float) -> Spending:
        """Return a share of what was spent."""
        return Spending(tests=int(share * self.tests), units=int(share * self.units))


def ddmin_spending(size: int, needed: Sequence[int]) -> Spending:
    """Return the least that ddmin takes for a sequence of which these places are needed, complements only.

    A replay without what is needed is taken to stop at the next unit that is.
    """
    left, parts, spent = list(range(size)), 2, Spending(tests=1, units=size)
    while len(left) >= 2:
        step = math.ceil(len(left) / parts)
        for begin in range(0, len(left), step):
            spent.tests += 1
            gone = left[begin : begin + step]
            at = bisect_left(needed, gone[0])
            if at == len(needed) or needed[at] > gone[-1]:
                del left[begin : begin + step]
                spent.units += len(left)
                parts = max(parts - 1, 2)
                break
            following = bisect_left(needed, gone[-1] + 1)
            stop = len(left) if following == len(needed) else bisect_left(left, needed[following]) + 1
            spent.units += stop - len(gone)
        else:
            if parts >= len(left):
                break
            parts = min(len(left), 2 * parts)
    return spent


def together(
    units: tuple[Any, ...], size: int, places: Callable[[Any], int], cut: Cut, kin: Kin, spent: Spending
) -> Reduction[tuple[Any, ...]]:
    """Return what is left of a sequence from which no single unit can go, when two go together.

    `size` is that of the whole sequence, and `places` tells where in it a unit stood.
    """
    while 2 < len(units) <= _MOST:
        most = ddmin_spending(size, sorted(map(places, units))).share(SHARE)
        found = yield from spent.of(first(map(Candidate, _couples(units, kin)), "together"), most)
        if found is None:
            break
        units = yield from spent.of(singles(cut(found.config), cut))
    return units


def _couples(units: tuple[Any, ...], kin: Kin) -> Iterator[tuple[Any, ...]]:
    """Yield the sequence without two of a kind, of a few units without any two; its last unit always stays."""
    last = len(units) - 1
    couples = [(i, j) for j in range(last - 1, 0, -1) for i in range(j - 1, -1, -1)]
    likely = [(i, j) for i, j in couples if kin(units[i], units[j])]
    others = [couple for couple in couples if couple not in likely] if len(units) <= _ANY_TWO else []
    yield from (_without(units, i, j) for i, j in (*likely, *others))


def _without(units: tuple[Any, ...], i: int, j: int) -> tuple[Any, ...]:
    return (*units[:i], *units[i + 1 : j], *units[j + 1 :])
