"""Random problems for list minimisers, of the kinds that real inputs pose: each has units and an oracle."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from itertools import pairwise

from minrepro.core.verdicts import Outcome

Oracle = Callable[[Sequence[int]], Outcome]
Problem = Callable[[random.Random], tuple[int, Oracle]]


def _needing(needed: frozenset[int]) -> Oracle:
    return lambda config: Outcome.FAIL if needed.issubset(config) else Outcome.PASS


def scattered(size: int, count: int) -> Problem:
    """Units that are needed lie anywhere."""
    return lambda rng: (size, _needing(frozenset(rng.sample(range(size), count))))


def clustered(size: int, count: int, run: int = 10) -> Problem:
    """Units that are needed lie in runs of neighbours."""

    def draw(rng: random.Random) -> tuple[int, Oracle]:
        starts = [start * run for start in rng.sample(range(size // run), count // run)]
        return size, _needing(frozenset(start + i for start in starts for i in range(run)))

    return draw


def _depending(size: int, count: int, rng: random.Random, order: Sequence[int]) -> tuple[int, Oracle]:
    """Most units depend on one or two that come before them in an order; a configuration must hold what it uses."""
    uses: dict[int, set[int]] = {unit: set() for unit in order}
    for place, unit in enumerate(order):
        if place:
            uses[unit] = {order[rng.randrange(place)] for _ in range(rng.choice((0, 1, 1, 2)))}
    needed: set[int] = set()
    while len(needed) < count:
        closure, pending = set(needed), [rng.choice(order)]
        while pending:
            unit = pending.pop()
            if unit not in closure:
                closure.add(unit)
                pending += uses[unit]
        if len(closure) <= count:
            needed = closure
    targets = frozenset(needed)

    def test(config: Sequence[int]) -> Outcome:
        kept = set(config)
        if not all(uses[unit] <= kept for unit in kept):
            return Outcome.UNRESOLVED
        return Outcome.FAIL if targets <= kept else Outcome.PASS

    return size, test


def definitions_first(size: int, count: int) -> Problem:
    """Uses follow definitions, as in most languages."""
    return lambda rng: _depending(size, count, rng, range(size))


def dependent(size: int, count: int) -> Problem:
    """Units depend on others before and behind them."""
    return lambda rng: _depending(size, count, rng, rng.sample(range(size), size))


def alternatives(size: int, count: int, causes: int = 3) -> Problem:
    """Any one of several sets of units is enough."""

    def draw(rng: random.Random) -> tuple[int, Oracle]:
        sets = [frozenset(rng.sample(range(size), count)) for _ in range(causes)]
        return size, lambda config: Outcome.FAIL if any(cause.issubset(config) for cause in sets) else Outcome.PASS

    return draw


def is_minimal(result: Sequence[int], test: Oracle) -> bool:
    """Return whether a result fails and no unit of it can go."""
    assert all(a < b for a, b in pairwise(result))
    fails = test(result) is Outcome.FAIL
    return fails and all(test([*result[:i], *result[i + 1 :]]) is not Outcome.FAIL for i in range(len(result)))
