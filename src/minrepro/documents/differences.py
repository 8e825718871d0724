"""The way from one text to another as a list of changes: each unit removed or added is one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from minrepro.core.prefixes import common_prefix, common_suffix
from minrepro.documents.text import Cutter


@dataclass(frozen=True)
class _Change:
    """Removes the unit at a position of the old text, or adds a unit before it."""

    position: int
    added: bytes | None = None


class Changes:
    """What leads from an old text to a new one; a configuration is the positions of the changes that are applied."""

    def __init__(self, old: bytes, new: bytes, cut: Cutter) -> None:
        self._old = cut(old).units
        self._changes = _difference(self._old, cut(new).units)

    def __len__(self) -> int:
        return len(self._changes)

    def render(self, config: Sequence[int]) -> bytes:
        """Return the old text with these changes applied."""
        removed = set()
        added: dict[int, list[bytes]] = {}
        for number in config:
            change = self._changes[number]
            if change.added is None:
                removed.add(change.position)
            else:
                added.setdefault(change.position, []).append(change.added)
        pieces: list[bytes] = []
        for position, unit in enumerate([*self._old, b""]):
            pieces += added.get(position, ())
            if position not in removed:
                pieces.append(unit)
        return b"".join(pieces)


def _difference(old: list[bytes], new: list[bytes]) -> list[_Change]:
    # What both begin and end with is compared at once: the matcher's time grows with the square of the rest.
    start = common_prefix(old, new)
    end = common_suffix(old, new, min(len(old), len(new)) - start)
    inner_old, inner_new = old[start : len(old) - end], new[start : len(new) - end]
    changes: list[_Change] = []
    for tag, a, b, c, d in SequenceMatcher(None, inner_old, inner_new, autojunk=False).get_opcodes():
        if tag != "equal":
            changes += [_Change(start + i) for i in range(a, b)]
            # All that is added goes before what follows the removed units.
            changes += [_Change(start + b, inner_new[j]) for j in range(c, d)]
    return changes
