"""The way from one list of units to another as a list of changes: each unit removed or added is one."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Generic, TypeVar

from minrepro.core.prefixes import common_prefix, common_suffix
from minrepro.documents.text import Cutter

U = TypeVar("U", bound=Hashable)


@dataclass(frozen=True)
class Placed(Generic[U]):
    """A unit, and where it stands in the old and in the new list; -1: it does not."""

    unit: U
    old: int
    new: int


class ListChanges(Generic[U]):
    """What leads from an old list to a new one; a configuration is the positions of the changes that are applied."""

    def __init__(self, old: Sequence[U], new: Sequence[U]) -> None:
        self._units: list[tuple[Placed[U], int]] = []
        """All units in the order in which they stand, each with the number of its change or -1."""
        count = 0
        for placed in _aligned(old, new):
            changes = -1 in (placed.old, placed.new)
            self._units.append((placed, count if changes else -1))
            count += changes
        self._count = count

    def __len__(self) -> int:
        return self._count

    def applied(self, config: Sequence[int]) -> list[Placed[U]]:
        """Return the old list with these changes applied."""
        chosen = set(config)
        return [
            placed
            for placed, number in self._units
            if number < 0 or (placed.old < 0) == (number in chosen)  # added if chosen, removed if chosen
        ]


class Changes:
    """What leads from an old text to a new one, by the units of a cutter."""

    def __init__(self, old: bytes, new: bytes, cut: Cutter) -> None:
        self._changes = ListChanges(cut(old).units, cut(new).units)

    def __len__(self) -> int:
        return len(self._changes)

    def render(self, config: Sequence[int]) -> bytes:
        """Return the old text with these changes applied."""
        return b"".join(placed.unit for placed in self._changes.applied(config))


def _aligned(old: Sequence[U], new: Sequence[U]) -> Iterator[Placed[U]]:
    """Yield the units of both lists in one order, shared ones once; what is removed comes before what is added."""
    # What both begin and end with is compared at once: the matcher's time grows with the square of the rest.
    start = common_prefix(old, new)
    end = common_suffix(old, new, min(len(old), len(new)) - start)
    yield from (Placed(old[at], at, at) for at in range(start))
    inner = old[start : len(old) - end], new[start : len(new) - end]
    for tag, a, b, c, d in SequenceMatcher(None, *inner, autojunk=False).get_opcodes():
        if tag == "equal":
            yield from (Placed(old[start + i], start + i, start + c + i - a) for i in range(a, b))
        else:
            yield from (Placed(old[start + i], start + i, -1) for i in range(a, b))
            yield from (Placed(new[start + j], -1, start + j) for j in range(c, d))
    yield from (Placed(old[len(old) - end + at], len(old) - end + at, len(new) - end + at) for at in range(end))
