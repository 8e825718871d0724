"""ddmin and its published variants: one text, the differences as options.

Hildebrandt & Zeller, *Simplifying failure-inducing input* (2000), figure 1: reduce to subset, reduce to complement,
increase granularity, done. Hodován & Kiss, *Practical improvements to the minimizing delta debugging algorithm* (2016):
complements first, complements only, loops separate or combined. Kiss, *Generalizing the split factor of the minimizing
delta debugging algorithm* (2020): the factor ν, `onemin` as ν = ∞ with complements only.

Every variant assumes that the configuration given fails and that the empty one does not, and returns a 1-minimal
failing subset for any oracle that always answers alike.

One departure from the figure, which all known implementations share and the papers' tables show: after a part was
removed the complements go on behind it instead of starting from the first again (`resume_behind`).
"""

from __future__ import annotations

import math
import random
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, chain, pairwise
from typing import Any, TypeVar

from minrepro.core.search import Candidate, Reduction, first
from minrepro.settings import Factor, Loops, PartOrder, Reduce

U = TypeVar("U")

Split = Callable[[Sequence[U], int], list[Sequence[U]]]


def zeller_split(config: Sequence[U], n: int) -> list[Sequence[U]]:
    """Cut into n parts as Zeller's implementation does: the smaller parts first."""
    parts, start = [], 0
    for i in range(n):
        end = start + (len(config) - start) // (n - i)
        parts.append(config[start:end])
        start = end
    return parts


def balanced_split(config: Sequence[U], n: int) -> list[Sequence[U]]:
    """Cut into n parts whose sizes differ by one at most, smaller and larger ones evenly mixed."""
    size = len(config)
    return [config[size * i // n : size * (i + 1) // n] for i in range(n)]


def weighted_split(weight: Callable[[U], float]) -> Split[U]:
    """Return a split into parts of about equal weight instead of equal length (Zhou et al. 2025, *WDD*)."""

    def split(config: Sequence[U], n: int) -> list[Sequence[U]]:
        sums = list(accumulate((weight(unit) for unit in config), initial=0.0))
        cuts = [0]
        for i in range(1, n):
            ideal = bisect_left(sums, sums[-1] * i / n)
            # No part may be empty: each keeps one unit at least, and leaves one for each part behind it.
            cuts.append(min(max(ideal, cuts[-1] + 1), len(config) - (n - i)))
        cuts.append(len(config))
        return [config[a:b] for a, b in pairwise(cuts)]

    return split


_FEW = 12
"""Up to this many units, single ones at once were the quickest of all factors in every one of the document's tables."""


def advised_factor(size: int) -> float:
    """Return the split factor that Kiss's tables speak for: single units at once where there are few, else four.

    The document has no formula. In its tables for inputs from the literature, the highest factor is the best one for
    all inputs of at most a dozen lines, and four is the only one that never costs more than 1 % more tests than two.
    """
    return math.inf if size <= _FEW else 4


@dataclass(frozen=True)
class DdminStep(Candidate[tuple[U, ...]]):
    """A configuration with the granularity to go on with if it fails, and the part to begin with then."""

    granularity: int = 2
    offset: int = 0
    round: int = field(default=0, compare=False)
    """Which granularity this was proposed at: counts the papers' iterations."""
    is_subset: bool = field(default=False, compare=False)
    """Whether it is one part, and not all but one."""
    bounds: Sequence[int] = field(default=(), compare=False, repr=False)
    """Where the parts ended of which this is all but the one at `offset`; empty when it is to be cut anew."""


@dataclass(frozen=True)
class Variant:
    """Which of the published variants of ddmin to run."""

    factor: float = 2
    split: Split[Any] = zeller_split
    reduce: Reduce = "subsets first"
    subset_order: PartOrder = "forward"
    complement_order: PartOrder = "forward"
    resume_behind: bool = True
    loops: Loops = "ahead"
    """Where a search ends: never before something fails ("ahead"), after each granularity ("combined"), after each loop
    ("separate"). One worker gets the same answers from all three; many workers that race get the papers' loops."""

    def grown(self, n: int, size: int) -> int:
        """Return the granularity that follows n."""
        return size if math.isinf(self.factor) else min(size, n * int(self.factor))


def ddmin(
    config: Sequence[U],
    *,
    factor: Factor = 2,
    split: Split[U] = zeller_split,
    reduce: Reduce = "subsets first",
    subset_order: PartOrder = "forward",
    complement_order: PartOrder = "forward",
    resume_behind: bool = True,
    loops: Loops = "ahead",
    rng: random.Random | None = None,
) -> Reduction[tuple[U, ...]]:
    """Return a 1-minimal failing subset of a failing configuration."""
    chosen = advised_factor(len(config)) if factor == "auto" else factor
    variant = Variant(chosen, split, reduce, subset_order, complement_order, resume_behind, loops)
    rng = rng or random.Random(0)
    here: DdminStep[U] = DdminStep(tuple(config), granularity=variant.grown(1, len(config)))
    while True:
        # Each step draws from a generator of its own: testing ahead must not change what later steps draw.
        for loop in _searches(here, variant, random.Random(rng.getrandbits(64))):
            smaller = yield from first(loop, "ddmin")
            if smaller is not None:
                here = smaller
                break
        else:
            return here.config


def ddmin_star(
    config: Sequence[U], minimize: Callable[[Sequence[U]], Reduction[tuple[U, ...]]] = ddmin
) -> Reduction[tuple[U, ...]]:
    """Repeat a minimiser on its own result until a whole run changes nothing (Vince 2022, *Iterating the minimizing
    delta debugging algorithm*)."""
    before = tuple(config)
    while True:
        after = yield from minimize(before)
        if len(after) == len(before):
            return after
        before = after


def onemin(
    config: Sequence[U],
    *,
    complement_order: PartOrder = "forward",
    resume_behind: bool = False,
    loops: Loops = "ahead",
    rng: random.Random | None = None,
) -> Reduction[tuple[U, ...]]:
    """Return a 1-minimal failing subset by trying to remove one unit after another (Kiss 2020, algorithm 2)."""
    return ddmin(
        config,
        factor=math.inf,
        reduce="complements only",
        complement_order=complement_order,
        resume_behind=resume_behind,
        loops=loops,
        rng=rng,
    )


def _searches(here: DdminStep[U], variant: Variant, rng: random.Random) -> Iterator[Iterator[DdminStep[U]]]:
    """Yield the streams to search one after another, as `loops` groups them."""
    loops = _loops(here, variant, rng)
    if variant.loops == "ahead":
        yield chain.from_iterable(chain.from_iterable(loops))
    elif variant.loops == "combined":
        yield from map(chain.from_iterable, loops)
    else:
        yield from chain.from_iterable(loops)


def _loops(here: DdminStep[U], variant: Variant, rng: random.Random) -> Iterator[list[Iterator[DdminStep[U]]]]:
    """Yield what to try from here: for each granularity, as long as nothing fails, a list of the papers' loops."""
    config, n, offset = here.config, here.granularity, here.offset
    kept = _kept_parts(here)
    while 1 < n <= len(config):
        parts: list[Sequence[U]] = kept or variant.split(config, n)
        kept = []
        subsets = _subsets(parts, variant, n, rng)
        complements = _complements(config, parts, variant, n, offset, rng)
        match variant.reduce:
            case "subsets first":
                yield [subsets, complements]
            case "complements first":
                yield [complements, subsets]
            case "complements only":
                yield [complements]
        if n == len(config):
            return
        finer = variant.grown(n, len(config))
        offset, n = offset * finer // n, finer


def _kept_parts(here: DdminStep[U]) -> list[Sequence[U]]:
    """Return the parts that are left after one was removed: they stay as they are until they are cut more finely."""
    sizes = [end - start for start, end in pairwise(here.bounds)]
    del sizes[here.offset : here.offset + 1]
    bounds = accumulate(sizes, initial=0)
    return [here.config[start:end] for start, end in pairwise(bounds)]


def _subsets(parts: list[Sequence[U]], variant: Variant, n: int, rng: random.Random) -> Iterator[DdminStep[U]]:
    for i in _ordered(n, variant.subset_order, rng):
        subset = tuple(parts[i])
        yield DdminStep(subset, granularity=variant.grown(1, len(subset)), round=n, is_subset=True)


def _complements(
    config: tuple[U, ...], parts: list[Sequence[U]], variant: Variant, n: int, offset: int, rng: random.Random
) -> Iterator[DdminStep[U]]:
    bounds = list(accumulate(map(len, parts), initial=0))
    for i in _ordered(n, variant.complement_order, rng):
        if variant.resume_behind:
            i = (i + offset) % n
        rest = config[: bounds[i]] + config[bounds[i + 1] :]
        granularity = n - 1 if n > 2 else variant.grown(1, len(rest))
        left = bounds if 2 < n < len(config) else ()
        yield DdminStep(rest, granularity=min(granularity, len(rest)), offset=i, round=n, bounds=left)


def _ordered(n: int, order: PartOrder, rng: random.Random) -> Sequence[int]:
    if order == "random":
        return rng.sample(range(n), n)
    return range(n) if order == "forward" else range(n - 1, -1, -1)
