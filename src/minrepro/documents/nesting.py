"""Nodes of one kind that stand inside each other, as lists: brackets in brackets, elements in elements, long sums.

A level of such a nest goes when its node becomes the next one inside it. Levels may go together like the elements of a
list, so that a hundred thousand of them need not be tried one by one.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence

from minrepro.documents.hoisting import becoming
from minrepro.documents.tree import ROOT, Tree
from minrepro.edits import Cuts


def nests(tree: Tree, fewest: int) -> Iterator[Sequence[int]]:
    """Yield the nodes of each nest that has so many levels, the outermost first; the last is what all go around."""
    heaviest = _heaviest_children(tree)
    for node in range(len(tree)):
        begins = node == ROOT or heaviest[tree.parent[node]] != node
        if begins and tree.after[node] - node > fewest:
            nest = _longest(tree, node, heaviest)
            if len(nest) > fewest:
                yield nest


def _heaviest_children(tree: Tree) -> array[int]:
    """Return for each node its child with the most nodes, the first of equals; leaves have the root."""
    parent, after = tree.parent, tree.after
    heaviest, most = array("I", bytes(4 * len(tree))), array("I", bytes(4 * len(tree)))
    for node in range(len(tree) - 1, 0, -1):
        above, size = parent[node], after[node] - node
        if size >= most[above]:
            heaviest[above], most[above] = node, size
    return heaviest


def _longest(tree: Tree, node: int, heaviest: Sequence[int]) -> Sequence[int]:
    """Return the nodes of the most frequent kind on the heaviest way down from a node, without equal spans."""
    by_kind: dict[int, list[int]] = {}
    while True:
        same = by_kind.setdefault(tree.kind[node], [])
        if not same or tree.size(node) < tree.size(same[-1]):
            same.append(node)
        node = heaviest[node]
        if node == ROOT:
            return max(by_kind.values(), key=len)


def level(tree: Tree, outer: int, inner: int) -> Cuts:
    """Return the cuts by which a node becomes another one inside it."""
    return becoming((tree.start[outer], tree.end[outer]), (tree.start[inner], tree.end[inner]))
