"""Minimisers that keep for each unit a probability that it is needed.

Wang et al., *Probabilistic delta debugging* (2021, ProbDD): remove the set with the largest expected gain, and after a
refusal raise the probabilities of what was in it. Zhang et al., *Toward a better understanding of probabilistic delta
debugging* (2025, CDD): the probabilities only depend on how often a unit was in a refused set, so counting is enough.
Neither is 1-minimal as published; both end here with a sweep over single units, so the result is 1-minimal.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from minrepro.algorithms.lists.ddmin import onemin
from minrepro.algorithms.lists.scans import run_scan, without
from minrepro.core.search import Reduction

U = TypeVar("U")

_NEEDED = 1 - 1e-9


@dataclass(frozen=True)
class _ProbDD(Generic[U]):
    """Units with their probabilities; `group` holds the positions that the next proposal removes."""

    config: tuple[U, ...]
    needed: tuple[float, ...]
    weights: tuple[float, ...]
    group: frozenset[int] = frozenset()

    @classmethod
    def choose(cls, config: tuple[U, ...], needed: tuple[float, ...], weights: tuple[float, ...]) -> _ProbDD[U]:
        """Choose the group with the largest expected gain: weight that goes times the chance that it may go."""
        undecided = sorted((i for i in range(len(config)) if needed[i] < _NEEDED), key=lambda i: (needed[i], i))
        best, best_gain, group_weight, clean = 0, 0.0, 0.0, 1.0
        for count, i in enumerate(undecided, 1):
            group_weight += weights[i]
            clean *= 1 - needed[i]
            if group_weight * clean > best_gain:
                best, best_gain = count, group_weight * clean
        if best == len(config):  # the empty configuration is known not to fail
            best -= 1
        return cls(config, needed, weights, frozenset(undecided[:best]))

    def proposal(self) -> tuple[U, ...] | None:
        if not self.group:
            return None
        return tuple(unit for i, unit in enumerate(self.config) if i not in self.group)

    def refused(self) -> _ProbDD[U]:
        if len(self.group) == 1:
            rise = math.inf  # refused alone: needed for sure
        else:
            rise = 1 / (1 - math.prod(1 - self.needed[i] for i in self.group))
        needed = tuple(min(1.0, p * rise) if i in self.group else p for i, p in enumerate(self.needed))
        return _ProbDD.choose(self.config, needed, self.weights)

    def accepted(self) -> _ProbDD[U]:
        kept = [i for i in range(len(self.config)) if i not in self.group]
        config, needed, weights = (tuple(of[i] for i in kept) for of in (self.config, self.needed, self.weights))
        return _ProbDD.choose(config, needed, weights)  # type: ignore[arg-type]


def probdd(
    config: Sequence[U], *, start: float = 0.1, weight: Callable[[U], float] = lambda unit: 1.0
) -> Reduction[tuple[U, ...]]:
    """Return a 1-minimal failing subset, by expected gain and a final sweep."""
    units = tuple(config)
    if len(units) < 2:
        return units
    scan = yield from run_scan(_ProbDD.choose(units, (start,) * len(units), tuple(map(weight, units))), "probdd")
    return (yield from onemin(scan.config, complement_order="backward", resume_behind=True))


@dataclass(frozen=True)
class _Counting(Generic[U]):
    config: tuple[U, ...]
    start: float
    round: int
    position: int

    def size(self) -> int:
        """How many units a group of this round has: the count that maximises the expected gain."""
        needed = min(self.start / (1 - 1 / math.e) ** self.round, 1.0)
        ideal = 1 if needed >= 1 else max(1, round(-1 / math.log1p(-needed)))
        return max(1, min(ideal, len(self.config) - 1))

    def proposal(self) -> tuple[U, ...] | None:
        if self.position >= len(self.config) or len(self.config) < 2:
            return None
        return without(self.config, self.position, self.position + self.size())

    def refused(self) -> _Counting[U]:
        return replace(self, position=self.position + self.size())._settled(self.size())

    def accepted(self) -> _Counting[U]:
        proposal = self.proposal()
        assert proposal is not None
        return replace(self, config=proposal)._settled(self.size())

    def _settled(self, size: int) -> _Counting[U]:
        if self.position < len(self.config) or size == 1:
            return self
        return replace(self, round=self.round + 1, position=0)


def cdd(config: Sequence[U], *, start: float = 0.1) -> Reduction[tuple[U, ...]]:
    """Return a 1-minimal failing subset, by groups whose size shrinks from round to round and a final sweep."""
    units = tuple(config)
    if len(units) < 2:
        return units
    scan = yield from run_scan(_Counting(units, start, 0, 0), "cdd")
    return (yield from onemin(scan.config, complement_order="backward", resume_behind=True))
