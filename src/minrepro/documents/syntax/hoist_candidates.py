"""What a node may become: a part of it that fits in its place, or what stands between its brackets.

Whether a part fits is asked of the parser, once for each pair of kinds at each kind of place.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from minrepro.core.edits import Cut, Cuts, removed, unite
from minrepro.documents.syntax.tree import NO_NODE, ROOT
from minrepro.documents.syntax.tree_document import TreeDocument

_DEEPEST = 6
"""How many levels below a node its parts are looked for."""
_MOST = 64
"""How many parts of one node are looked at."""
_WINDOW = 4
"""How many of the children around which brackets go decide whether they may."""


def becoming(outer: tuple[int, int], inner: tuple[int, int]) -> Cuts:
    """Return the cuts that leave of a span another one inside it."""
    around = (Cut(outer[0], inner[0]), Cut(inner[1], outer[1]))
    return tuple(cut for cut in around if cut.start < cut.end)


class Hoist(NamedTuple):
    """The cuts with which a node is a part of itself, and the span of that part."""

    cuts: Cuts
    start: int
    end: int


def hoists(document: TreeDocument, node: int, cuts: Cuts) -> list[Hoist]:
    """Return what may stand in place of a node that is part of it, the shortest first."""
    tree = document.tree
    if tree.is_leaf(node) or tree.size(node) == 0:
        return []
    found: list[Hoist] = []
    for part, start, end in _parts(document, node, cuts):
        shorter = unite(cuts, becoming((tree.start[node], tree.end[node]), (start, end)))
        if removed(shorter) > removed(cuts) and _fits(document, node, part, start, end, shorter, cuts):
            found.append(Hoist(shorter, start, end))
    return sorted(found, key=lambda option: -removed(option.cuts))


def _parts(document: TreeDocument, node: int, cuts: Cuts) -> Iterator[tuple[int, int, int]]:
    """Yield parts of a node with their spans, level by level: nodes, and what stands between their outer tokens."""
    tree = document.tree
    level, seen = [node], 0
    for _ in range(_DEEPEST):
        below: list[int] = []
        for parent in level:
            children = list(document.alive_children(parent, cuts))
            inner = children[1:-1]
            if inner and not (tree.is_named(children[0]) or tree.is_named(children[-1])):
                yield parent, tree.start[inner[0]], tree.end[inner[-1]]
            for child in children:
                if tree.is_named(child) and tree.size(child):
                    yield child, tree.start[child], tree.end[child]
                    seen += 1
                    below.append(child)
                    if seen >= _MOST:
                        return
        level = below


def _fits(document: TreeDocument, node: int, part: int, start: int, end: int, shorter: Cuts, cuts: Cuts) -> bool:
    if not document.strict:
        return True
    tree = document.tree
    whole = (start, end) == (tree.start[part], tree.end[part])

    def shape() -> object:
        above = tree.kind[tree.parent[node]] if node != ROOT else NO_NODE
        inside = () if whole else tuple(tree.kind[child] for child in document.alive_children(part, cuts))[:_WINDOW]
        return "hoist", above, tree.field[node], tree.kind[node], tree.kind[part], inside

    def ask() -> bool:
        if not document.parses(shorter):
            return False
        return not whole or node == ROOT or bool(document.kinds_in_place_of(node, shorter))

    return bool(document.learn((node, part, start), cuts, shape, ask))
