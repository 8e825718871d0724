"""rddmin: ddmin with a guess at what is needed.

Elyasov, Prasetya, Hage & Nikas, *Reduce first, debug later* (2014), algorithm 1, line by line. The guess R is kept
fixed while the rest is searched for what makes the failure show again; then a minimiser takes over. As published, the
search ends before the rest is cut into single units (line 9), and a guess that never fails costs a whole ddmin on top
(line 19).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import chain
from typing import Literal, TypeVar

from minrepro.algorithms.lists.ddmin import Split, ddmin, zeller_split
from minrepro.core.search import Candidate, Reduction, first

U = TypeVar("U")


def rddmin(
    config: Sequence[U],
    guess: Collection[int],
    *,
    minimize: Callable[[Sequence[U]], Reduction[tuple[U, ...]]] = ddmin,
    split: Split[int] = zeller_split,
    reduce: Literal["subsets first", "complements first"] = "subsets first",
) -> Reduction[tuple[U, ...]]:
    """Return what the minimiser makes of the first failing configuration around the guess: positions in `config`."""
    whole = tuple(config)
    if not guess:
        return (yield from minimize(whole))
    chosen = _chosen(whole, guess)
    if (yield from first([Candidate(chosen)], "rddmin: the guess")) is not None:
        return (yield from minimize(chosen))
    rest = [i for i in range(len(whole)) if i not in set(guess)]
    n = 2
    while n < len(rest):
        parts = split(rest, n)
        subsets = (Candidate(_chosen(whole, {*guess, *part})) for part in parts)
        complements = (Candidate(_chosen(whole, {*guess, *other})) for other in _complements(parts))
        loops = (subsets, complements) if reduce == "subsets first" else (complements, subsets)
        found = yield from first(chain(*loops), "rddmin")
        if found is not None:
            return (yield from minimize(found.config))
        n = min(len(rest), 2 * n)
    return (yield from minimize(whole))


def _chosen(whole: tuple[U, ...], positions: Collection[int]) -> tuple[U, ...]:
    """Return the units at these positions, in their order."""
    return tuple(whole[i] for i in sorted(positions))


def _complements(parts: list[Sequence[int]]) -> Iterator[list[int]]:
    return ([unit for other in parts[:i] + parts[i + 1 :] for unit in other] for i in range(len(parts)))
