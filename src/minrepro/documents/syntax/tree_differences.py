"""The way from one text to another as changes of their syntax: tokens, or subtrees removed, added or replaced.

All changes together give the new text byte for byte: what stands between the parts of a tree is compared, too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import pairwise

from minrepro.core.edits import Join
from minrepro.documents.differences import ListChanges, Placed
from minrepro.documents.syntax.tree import ROOT, Tree


class TokenChanges:
    """What leads from an old text to a new one, token by token; each has the space behind it."""

    def __init__(self, old: Tree, new: Tree, join: Join | None) -> None:
        self._changes = ListChanges(_token_units(old), _token_units(new))
        self._join = join

    def __len__(self) -> int:
        return len(self._changes)

    def render(self, config: Sequence[int]) -> bytes:
        """Return the old text with these changes applied; tokens that never stood beside each other are kept apart."""
        pieces: list[bytes] = []
        before: Placed[bytes] | None = None
        for placed in self._changes.applied(config):
            if (
                before is not None
                and self._join is not None
                and before.unit
                and placed.unit
                and _are_new(before, placed)
            ):
                pieces.append(self._join(before.unit, placed.unit))
            pieces.append(placed.unit)
            before = placed
        return b"".join(pieces)


def _are_new(left: Placed[bytes], right: Placed[bytes]) -> bool:
    """Tell whether two units stood beside each other in neither text."""
    return not any(a >= 0 and b == a + 1 for a, b in ((left.old, right.old), (left.new, right.new)))


def _token_units(tree: Tree) -> list[bytes]:
    bounds = [0, *(tree.start[leaf] for leaf in tree.leaves if tree.size(leaf) and tree.start[leaf]), len(tree.data)]
    return [tree.data[start:end] for start, end in pairwise(bounds) if start < end]


@dataclass(frozen=True)
class _Change:
    """Puts a text in place of a span of the old one."""

    start: int
    end: int
    text: bytes


class TreeChanges:
    """What leads from an old text to a new one, by subtrees; a configuration is the positions of those applied."""

    def __init__(self, old: Tree, new: Tree) -> None:
        self._old = old.data
        self._changes = list(_Comparison(old, new).changes())

    def __len__(self) -> int:
        return len(self._changes)

    def render(self, config: Sequence[int]) -> bytes:
        """Return the old text with these changes applied."""
        pieces: list[bytes] = []
        at = 0
        for number in sorted(config):
            change = self._changes[number]
            pieces += (self._old[at : change.start], change.text)
            at = change.end
        return b"".join((*pieces, self._old[at:]))


class _Comparison:
    def __init__(self, old: Tree, new: Tree) -> None:
        self._old, self._new = old, new

    def changes(self) -> Iterator[_Change]:
        """Yield what differs between both texts, from their begin to their end."""
        path = [self._between(ROOT, ROOT)]
        while path:
            found = next(path[-1], None)
            if found is None:
                path.pop()
            elif isinstance(found, _Change):
                yield found
            else:
                path.append(self._between(*found))

    def _between(self, one: int, other: int) -> Iterator[_Change | tuple[int, int]]:
        if self._old.text(one) == self._new.text(other):
            return
        olds, news = self._old.children_of(one), self._new.children_of(other)
        if olds and news:
            yield from self._lists(olds, news, one, other)
        else:
            yield _Change(self._old.start[one], self._old.end[one], self._new.text(other))

    def _lists(
        self, olds: Sequence[int], news: Sequence[int], one: int, other: int
    ) -> Iterator[_Change | tuple[int, int]]:
        """Yield what differs between the children of two nodes, and pairs of the same kind that are to be looked into.

        What stands before a child belongs to it, and what is added comes behind the last child that both have.
        """
        old, new = self._old, self._new
        position, removed, added = old.start[one], 0, 0
        for place, partner in (*self._pairs(olds, news), (len(olds), len(news))):
            yield from self._added(news, range(added, partner), other, position)
            yield from self._gone(olds, range(removed, place), one)
            ends = place == len(olds)
            old_gap = _end_before(old, olds, place, one), old.end[one] if ends else old.start[olds[place]]
            new_gap = _end_before(new, news, partner, other), new.end[other] if ends else new.start[news[partner]]
            if old.data[slice(*old_gap)] != new.data[slice(*new_gap)]:
                yield _Change(*old_gap, new.data[slice(*new_gap)])
            if not ends:
                yield olds[place], news[partner]
                position, removed, added = old.end[olds[place]], place + 1, partner + 1

    def _pairs(self, olds: Sequence[int], news: Sequence[int]) -> Iterator[tuple[int, int]]:
        """Yield which children are the same, or at least of the same kind where they differ."""
        one = [(self._old.name(node), self._old.text(node)) for node in olds]
        other = [(self._new.name(node), self._new.text(node)) for node in news]
        for tag, a, b, c, d in SequenceMatcher(None, one, other, autojunk=False).get_opcodes():
            if tag == "equal":
                yield from zip(range(a, b), range(c, d), strict=True)
            elif tag == "replace":
                kinds = [kind for kind, _ in one[a:b]], [kind for kind, _ in other[c:d]]
                for block in SequenceMatcher(None, kinds[0], kinds[1], autojunk=False).get_matching_blocks():
                    yield from ((a + block.a + i, c + block.b + i) for i in range(block.size))

    def _gone(self, nodes: Sequence[int], places: Iterable[int], parent: int) -> Iterator[_Change]:
        for run in _units(self._old, nodes, places):
            yield _Change(_end_before(self._old, nodes, run[0], parent), self._old.end[nodes[run[-1]]], b"")

    def _added(self, nodes: Sequence[int], places: Iterable[int], parent: int, position: int) -> Iterator[_Change]:
        for run in _units(self._new, nodes, places):
            begin = _end_before(self._new, nodes, run[0], parent)
            yield _Change(position, position, self._new.data[begin : self._new.end[nodes[run[-1]]]])


def _end_before(tree: Tree, nodes: Sequence[int], place: int, parent: int) -> int:
    """Return where the child before a place ends, or where the parent begins."""
    return tree.end[nodes[place - 1]] if place else tree.start[parent]


def _units(tree: Tree, nodes: Sequence[int], places: Iterable[int]) -> list[list[int]]:
    """Return neighbours that go or come together: pieces of fixed text with the named node behind them."""
    units: list[list[int]] = []
    for place in places:
        if units and not tree.is_named(nodes[units[-1][-1]]):
            units[-1].append(place)
        else:
            units.append([place])
    if len(units) > 1 and not tree.is_named(nodes[units[-1][-1]]):
        units[-2] += units.pop()
    return units
