"""Any sequence: a candidate is some of its units, told apart by their positions, so that units need not be hashable.

Nearly every candidate is what was accepted last without one row of units, or one row of them. Such a candidate is made
from the last accepted one by copying it, only when it is tested, and is known by the bounds of the rows it consists of:
however long the sequence is, Python is asked for little more than that copy.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache, reduce
from hashlib import blake2b
from operator import xor
from typing import Any, TypeAlias

from minrepro.algorithms.lists.dd import dd
from minrepro.algorithms.lists.group_testing import grouping
from minrepro.core.search import Candidate, ListMinimizer, Reduction, Refine, Search, embed
from minrepro.errors import UsageError

Rows: TypeAlias = "array[int]"
Positions = Sequence[int]
"""A tuple, or an array for the minimizer that takes one: touching a hundred thousand numbers takes a while."""


class SequenceCase:
    """Some units of a sequence."""

    __slots__ = ("_gone", "_units", "memory_key", "positions", "rows")

    def __init__(
        self, units: tuple[Any, ...], positions: Positions, rows: Rows, key: int, gone: slice | None = None
    ) -> None:
        """Some of the units given may be gone."""
        self._units = units
        self._gone = gone
        self.positions = positions
        self.rows = rows
        """Where each row of units that follow each other begins and ends."""
        self.memory_key = key
        """What stands for the case where verdicts are remembered: the marks of all bounds of rows, taken together."""

    @classmethod
    def whole(cls, sequence: Iterable[Any], *, as_array: bool = False) -> SequenceCase:
        """Return the case of all units."""
        units = tuple(sequence)
        size = len(units)
        positions: Any = array("L", range(size)) if as_array else tuple(range(size))
        rows = array("L", (0, size) if size else ())
        return cls(units, positions, rows, _key(rows))

    @property
    def units(self) -> tuple[Any, ...]:
        """The units themselves."""
        if self._gone is not None:
            self._units = self._units[: self._gone.start] + self._units[self._gone.stop :]
            self._gone = None
        return self._units

    def as_list(self) -> list[Any]:
        """Return the units as a list that nobody else has."""
        units = list(self._units)
        if self._gone is not None:
            del units[self._gone]
        return units

    def of(self, positions: Positions) -> SequenceCase:
        """Return the case of some of these units; positions must be among these and ascend."""
        mine, count, size = self.positions, len(positions), len(self.positions)
        if not count:
            return SequenceCase((), positions, array("L"), 0)
        start = bisect_left(mine, positions[0])
        if mine[start + count - 1] == positions[-1] if start + count <= size else False:
            end = start + count  # one row of them
            rows = _within(self.rows, mine[start], mine[end - 1] + 1)
            return SequenceCase(self.units[start:end], positions, rows, _key(rows))
        first = 0 if start else _common(mine, positions)
        after = bisect_left(mine, positions[first]) if first < count else size
        if size - (after - first) == count:  # all but one row of them
            rows, key = _outside(self.rows, self.memory_key, mine[first], mine[after - 1] + 1)
            return SequenceCase(self.units, positions, rows, key, slice(first, after))
        return self._scattered(positions)

    def _scattered(self, positions: Positions) -> SequenceCase:
        bounds: list[int] = []
        last = -1
        for position in positions:
            if position != last:
                bounds += (last, position)
            last = position + 1
        rows = array("L", [*bounds[1:], last])
        places = map(dict(zip(self.positions, range(len(self.positions)), strict=True)).__getitem__, positions)
        return SequenceCase(tuple(map(self.units.__getitem__, places)), positions, rows, _key(rows))

    def __len__(self) -> int:
        return len(self.positions)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SequenceCase) and self.rows == other.rows

    def __hash__(self) -> int:
        return self.memory_key


def _common(mine: Positions, positions: Positions) -> int:
    """Return how many positions both begin with: from the first missing one on, all others are further on."""
    low, high = 0, len(positions)
    while low < high:
        middle = (low + high) // 2
        if mine[middle] == positions[middle]:
            low = middle + 1
        else:
            high = middle
    return low


@lru_cache(1 << 16)
def _mark(bound: int) -> int:
    """Return 128 bits that stand for a bound and look like nothing else."""
    return int.from_bytes(blake2b(bound.to_bytes(8, "big"), digest_size=16).digest(), "big")


def _key(rows: Iterable[int]) -> int:
    return reduce(xor, map(_mark, rows), 0)


def _within(rows: Rows, begin: int, end: int) -> Rows:
    """Return the rows from one position to another, both of which lie in rows."""
    return array("L", (begin, *rows[bisect_right(rows, begin) : bisect_left(rows, end)], end))


def _outside(rows: Rows, key: int, begin: int, end: int) -> tuple[Rows, int]:
    """Return the rows before one position and behind another, both of which lie in rows, with their key."""
    first, last = bisect_left(rows, begin), bisect_right(rows, end)
    for bound in rows[first:last]:
        key ^= _mark(bound)
    rest = rows[:first]
    if first % 2:
        rest.append(begin)
        key ^= _mark(begin)
    if last % 2:
        rest.append(end)
        key ^= _mark(end)
    rest += rows[last:]
    return rest, key


class SequenceReduction:
    """Reduces one sequence by a list minimizer: `original` is its case, and a call with a case is a reduction."""

    def __init__(self, units: Iterable[Any], minimize: ListMinimizer, refine: Refine | None = None) -> None:
        self.original = SequenceCase.whole(units, as_array=minimize is grouping and refine is None)
        self.empty = self.original.of(())
        self._minimize = minimize if refine is None else refine(minimize, self.original.of)
        self._is_refined = refine is not None

    def __call__(self, case: SequenceCase) -> Reduction[SequenceCase]:
        """Return the case that the minimizer leads to."""
        reduction = self._minimize(case.positions)
        try:
            search = next(reduction)
            while True:
                # A refined minimizer may also ask for what is not part of the case that was found last.
                base = self.original if self._is_refined else case
                found = yield Search(_cases(base, search.candidates), search.label)
                if found is None:
                    search = reduction.send(None)
                else:
                    case = found.config
                    search = reduction.send(found.inner)  # type: ignore[attr-defined]
        except StopIteration as end:
            return case if end.value == case.positions else self.original.of(end.value)


class _Inside:
    """A candidate of a sequence, with the minimizer's own."""

    __slots__ = ("config", "inner", "wanted")

    def __init__(self, config: SequenceCase, inner: Candidate[Any]) -> None:
        self.config = config
        self.wanted = inner.wanted
        self.inner = inner


def _cases(base: SequenceCase, candidates: Iterable[Candidate[Any]]) -> Iterator[Any]:
    of = base.of
    for candidate in candidates:
        yield _Inside(of(candidate.config), candidate)


def isolate_sequence(failing: SequenceCase, passing: SequenceCase) -> Reduction[tuple[SequenceCase, SequenceCase]]:
    """Return a passing and a failing case between two given ones whose difference is 1-minimal."""
    inside, outside = yield from embed(dd(failing.positions, passing.positions), into=failing.of)
    return failing.of(inside), failing.of(outside)


def part_of(whole: SequenceCase, units: Iterable[Any]) -> SequenceCase:
    """Return the case of units that are in a sequence, in this order."""
    positions: list[int] = []
    start = 0
    for unit in units:
        try:
            start = whole.units.index(unit, start) + 1
        except ValueError:
            raise UsageError(
                f"the passing configuration is not a part of the failing one: it lacks {unit!r}, or has it elsewhere."
            ) from None
        positions.append(start - 1)
    return whole.of(tuple(positions))
