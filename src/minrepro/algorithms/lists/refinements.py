"""What can be asked of any list minimizer: n-minimality, monotony, the smallest failing part; and its iterations.

Hildebrandt & Zeller, *Simplifying failure-inducing input* (2000): definition 6 (n-minimal), section 8 (what is in a
configuration that passed passes, too) and section 9 (of several failing parts, the smallest). Each is a minimizer
around another one, so that they can be combined.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from math import comb
from typing import Any

from minrepro.core.search import Candidate, ListMinimizer, Reduction, Search, first
from minrepro.core.verdicts import Outcome

Units = tuple[Any, ...]


@dataclass(frozen=True)
class Refinement:
    """What is asked of the minimizers of a run."""

    minimality: int = 1
    monotone: bool = False
    smallest: bool = False
    outcome_of: Callable[[Any], Outcome | None] = lambda case: None
    """Tells the outcome of a case, if it was tested."""
    tell: Callable[[str], None] = field(default=lambda text: None)
    """Hears what the user should know."""
    iterated: Callable[[int], None] | None = None
    """Hears of iterations, where the minimizer has any."""
    size_of: Callable[[Any], int] = len

    def of(self, minimize: ListMinimizer, render: Callable[[Any], Any]) -> ListMinimizer:
        """Return a minimizer that does what is asked; `render` makes a case of a configuration."""
        refined = minimize if self.iterated is None else _counting(minimize, self.iterated)
        if self.smallest:
            refined = _with_smallest(refined, lambda config: self.size_of(render(config)))
        if self.monotone:
            refined = _monotone(refined, lambda config: self.outcome_of(render(config)), self.tell)
        return n_minimal(refined, self.minimality, self.tell) if self.minimality > 1 else refined


def n_minimal(minimize: ListMinimizer, n: int, tell: Callable[[str], None] = lambda text: None) -> ListMinimizer:
    """Return a minimizer from whose results no n units can be removed together; it tells what that costs first."""

    def minimized(config: Sequence[Any]) -> Reduction[Units]:
        units: Units = tuple((yield from minimize(config)))
        while min(n, len(units) - 1) > 1:
            tell(f"--minimality {n}: at most {checks_for(len(units), n):,} checks to remove {n} of {len(units)} units")
            found = yield from first(_without_some(units, n), f"{n}-minimality")
            if found is None:
                break
            units = tuple((yield from minimize(found.config)))
        return units

    return minimized


def checks_for(units: int, n: int) -> int:
    """Return how many checks show that a 1-minimal list of so many units is n-minimal."""
    return sum(comb(units, count) for count in range(2, min(n, units - 1) + 1))


def _without_some(units: Units, n: int) -> Iterator[Candidate[Units]]:
    for count in range(2, min(n, len(units) - 1) + 1):
        for gone in combinations(range(len(units) - 1, -1, -1), count):
            yield Candidate(tuple(unit for i, unit in enumerate(units) if i not in gone))


def _monotone(
    minimize: ListMinimizer, outcome_of: Callable[[Units], Outcome | None], tell: Callable[[str], None]
) -> ListMinimizer:
    """Return a minimizer that does not ask for parts of what passed.

    Each unit of its result was tried alone in the end. If one of them can go after all, the assumption was wrong, and
    nothing is concluded any more.
    """

    def minimized(config: Sequence[Any]) -> Reduction[Units]:
        known = _Passed(config, outcome_of)
        reduction = minimize(config)
        try:
            search = next(reduction)
            while True:
                found = yield Search(known.unknown(search.candidates), search.label)
                known.settle()
                search = reduction.send(found)
        except StopIteration as end:
            units: Units = tuple(end.value)
        wrong = yield from first(_without_one(units), "monotone: last look")
        if wrong is None:
            return units
        tell("--monotone is off: a part of a candidate that does not reproduce the failure reproduces it")
        return tuple((yield from minimize(wrong.config)))

    return minimized


def _without_one(units: Units) -> Iterator[Candidate[Units]]:
    if len(units) > 1:
        yield from (Candidate(units[:i] + units[i + 1 :]) for i in range(len(units) - 1, -1, -1))


class _Passed:
    """Configurations that passed, each as a number with a bit for each unit: candidates may be long, and many."""

    def __init__(self, config: Sequence[Any], outcome_of: Callable[[Units], Outcome | None]) -> None:
        self._all = tuple(config)
        self._outcome_of = outcome_of
        self._places = {unit: place for place, unit in enumerate(config)}
        self._asked: list[int] = []
        """Those whose outcome is not known yet."""
        self._known: list[int] = []

    def unknown(self, candidates: Iterable[Candidate[Any]]) -> Iterator[Candidate[Any]]:
        """Yield the candidates that are not part of what passed until then."""
        for candidate in candidates:
            self._learn()
            digits = bytearray(b"0" * len(self._all))
            for unit in candidate.config:
                digits[self._places[unit]] = ord("1")
            bits = int(digits, 2)
            if not any(bits & known == bits for known in self._known):
                self._asked.append(bits)
                yield candidate

    def settle(self) -> None:
        """Learn what there is to learn at the end of a search; what is not known then was cancelled."""
        self._learn()
        self._asked.clear()

    def _learn(self) -> None:
        """Take the outcomes into account that have come to be known; of two that passed the larger says it all."""
        still_asked = []
        for bits in self._asked:
            outcome = self._outcome_of(self._units(bits))
            if outcome is None:
                still_asked.append(bits)
            elif outcome is Outcome.PASS:
                self._known = [*(known for known in self._known if known & bits != known), bits]
        self._asked = still_asked

    def _units(self, bits: int) -> Units:
        return tuple(unit for unit, bit in zip(self._all, f"{bits:0{len(self._all)}b}", strict=True) if bit == "1")


def _with_smallest(minimize: ListMinimizer, size_of: Callable[[Units], int]) -> ListMinimizer:
    """Return ddmin going on with the smallest of all subsets that fail, where there are several."""

    def minimized(config: Sequence[Any]) -> Reduction[Units]:
        reduction = minimize(config)
        try:
            search = next(reduction)
            while True:
                pulled: list[Candidate[Any]] = []
                stream = _recorded(iter(search.candidates), pulled)
                found = best = yield Search(stream, search.label)
                while found is not None and _is_subset(found):
                    rest = _same_loop(found, pulled, stream)
                    found = yield Search(rest, search.label)
                    if found is not None and best is not None and size_of(found.config) < size_of(best.config):
                        best = found
                search = reduction.send(best)
        except StopIteration as end:
            return tuple(end.value)

    return minimized


def _recorded(candidates: Iterator[Candidate[Any]], pulled: list[Candidate[Any]]) -> Iterator[Candidate[Any]]:
    """Yield candidates, and keep those that are subsets: those of one granularity are no longer than the whole."""
    for candidate in candidates:
        if _is_subset(candidate):
            pulled.append(candidate)
        yield candidate


def _same_loop(
    found: Candidate[Any], pulled: list[Candidate[Any]], stream: Iterator[Candidate[Any]]
) -> Iterator[Candidate[Any]]:
    """Yield the subsets behind one that was found, up to the end of its loop."""
    place = next(i for i, candidate in enumerate(pulled) if candidate is found) + 1
    while True:
        if place == len(pulled):
            next(stream, None)
        if place == len(pulled) or pulled[place].round != found.round:  # type: ignore[attr-defined]
            return
        yield pulled[place]
        place += 1


def _is_subset(candidate: Candidate[Any]) -> bool:
    return getattr(candidate, "is_subset", False)


def _counting(minimize: ListMinimizer, iterated: Callable[[int], None]) -> ListMinimizer:
    """Return a minimizer that tells of its iterations: the granularities at which ddmin asked for candidates."""

    def minimized(config: Sequence[Any]) -> Reduction[Units]:
        reduction = minimize(config)
        try:
            search = next(reduction)
            while True:
                rounds: dict[int, int] = {}
                found = yield Search(_numbered(search.candidates, rounds), search.label)
                # Some may have been pulled ahead of what was found; what was found has its number for itself.
                iterated(max(rounds.values(), default=0) if found is None else rounds[id(found)])
                search = reduction.send(found)
        except StopIteration as end:
            return end.value  # type: ignore[no-any-return]

    return minimized


def _numbered(candidates: Iterable[Candidate[Any]], rounds: dict[int, int]) -> Iterator[Candidate[Any]]:
    """Yield candidates, and note how many granularities there were up to each of them."""
    seen: set[int] = set()
    for candidate in candidates:
        seen.add(candidate.round)  # type: ignore[attr-defined]
        rounds[id(candidate)] = len(seen)
        yield candidate
