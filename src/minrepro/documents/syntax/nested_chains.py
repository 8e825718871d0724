"""Nodes of one kind that stand inside each other, as lists: brackets in brackets, elements in elements, long sums.

A level of such a nest goes when its node becomes the next one inside it. Levels may go together like the elements of a
list, so that a hundred thousand of them need not be tried one by one. A nest lies on the way down from a node along the
heaviest children.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from minrepro.core.edits import Cuts
from minrepro.documents.syntax.hoist_candidates import becoming
from minrepro.documents.syntax.tree import ROOT, Tree

_SHARE = 500
"""In very large trees nests of less than one in so many of all nodes are not looked for."""


class Nests:
    """The nests of a tree, found as its nodes are looked at from the top down."""

    def __init__(self, tree: Tree, fewest: int) -> None:
        self._tree = tree
        self._fewest = fewest
        self._on_a_way: set[int] = set()
        self._by_top: dict[int, Sequence[int]] = {}

    def at(self, node: int) -> Sequence[int]:
        """Return the nodes of the nest that begins at a node, the outermost first; none if no or few levels do."""
        if node not in self._on_a_way:
            way = list(_heaviest_way(self._tree, node))
            self._on_a_way.update(way)
            nest = _longest(self._tree, way)
            if len(nest) > self._fewest:
                self._by_top[nest[0]] = nest
        return self._by_top.get(node, ())


def nests(tree: Tree, fewest: int) -> Iterator[Sequence[int]]:
    """Yield the nodes of each nest that has so many levels, the outermost first; the last is what all go around."""
    least = max(fewest, len(tree) // _SHARE)
    waiting = [ROOT]
    while waiting:
        way = list(_heaviest_way(tree, waiting.pop()))
        nest = _longest(tree, way)
        if len(nest) > fewest:
            yield nest
        for node, heaviest in pairwise(way):
            waiting += [child for child in tree.children(node) if child != heaviest and _nodes(tree, child) > least]


def _heaviest_way(tree: Tree, node: int) -> Iterator[int]:
    """Yield a node, its child with the most nodes, that one's, and so on down to a leaf."""
    yield node
    while not tree.is_leaf(node):
        node = max(tree.children(node), key=lambda child: _nodes(tree, child))
        yield node


def _nodes(tree: Tree, node: int) -> int:
    return tree.after[node] - node


def _longest(tree: Tree, way: Sequence[int]) -> Sequence[int]:
    """Return the nodes of the most frequent kind on a way down, of equal spans only the first."""
    by_kind: dict[int, list[int]] = {}
    for node in way:
        same = by_kind.setdefault(tree.kind[node], [])
        if not same or tree.size(node) < tree.size(same[-1]):
            same.append(node)
    return max(by_kind.values(), key=len)


def level(tree: Tree, outer: int, inner: int) -> Cuts:
    """Return the cuts by which a node becomes another one inside it."""
    return becoming((tree.start[outer], tree.end[outer]), (tree.start[inner], tree.end[inner]))
