"""A small document in which a node has the same surroundings as in a very large one.

Whether a node may go is decided by what stands around it. To ask the parser about it, a document of megabytes need not
be parsed: along the way from the root to the node only the nearest siblings stay, and of anything else that is heavy
the first and the last few parts. Whether such a miniature is right itself, the parser tells.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence

from minrepro.core.edits import Cut
from minrepro.documents.syntax.separated_lists import SeparatedList
from minrepro.documents.syntax.tree import ROOT, Tree

_ENDS = 3
"""How many parts stay at each end of a node."""
_NEAR = 9
"""How many siblings on each side of a node stay: separators and comments are among them."""
_HEAVY = 1024
"""From this many bytes on, parts of a node are left out."""
_MOST = 200
"""How many heavy nodes are trimmed; where more are left the miniature is not small, but right nevertheless."""

Lists = Callable[[int], SeparatedList | None]
Alive = Callable[[int], bool]


def far_from(tree: Tree, node: int, lists: Lists, is_alive: Alive) -> list[Cut]:
    """Return the cuts that leave a node, what is near it, and little of anything else."""
    cuts: list[Cut] = []
    heavy = [node]
    inner = node
    while inner != ROOT:
        parent = tree.parent[inner]
        parts = _parts(tree, parent, lists)
        focus = min(bisect_left(parts, inner), len(parts) - 1)
        near = _near(parts, focus, is_alive)
        heavy += [part for part in _trim(tree, parts, near, cuts) if part != inner]
        inner = parent
    trimmed = 0
    while heavy and trimmed < _MOST:
        part = heavy.pop()
        if tree.size(part) >= _HEAVY and not tree.is_leaf(part) and is_alive(part):
            trimmed += 1
            heavy += _trim(tree, _parts(tree, part, lists), range(0), cuts)
    return cuts


def _parts(tree: Tree, parent: int, lists: Lists) -> Sequence[int]:
    separated = lists(parent)
    return tree.children_of(parent) if separated is None else separated.elements


def _near(parts: Sequence[int], focus: int, is_alive: Alive) -> range:
    """Return the places around one in which enough siblings are that are not cut."""
    low = high = focus
    for _ in range(_NEAR):
        low = next((at for at in _steps(low, -1, parts) if is_alive(parts[at])), 0)
        high = next((at for at in _steps(high, 1, parts) if is_alive(parts[at])), len(parts) - 1)
    return range(low, high + 1)


def _steps(place: int, step: int, parts: Sequence[int]) -> Iterator[int]:
    return iter(range(place + step, -1 if step < 0 else len(parts), step))


def _trim(tree: Tree, parts: Sequence[int], near: range, cuts: list[Cut]) -> list[int]:
    """Add the cuts that leave of some siblings those at the ends and those near a place, and return what stays."""
    kept = [range(min(_ENDS, len(parts))), near, range(max(len(parts) - _ENDS, 0), len(parts))]
    staying: list[int] = []
    behind = 0
    for places in sorted((places for places in kept if len(places)), key=lambda places: places.start):
        if places.start > behind:
            # From the end of one part to the end of another: with the separators, whichever side they stand on.
            cuts.append(Cut(tree.end[parts[behind - 1]], tree.end[parts[places.start - 1]]))
        staying += parts[max(behind, places.start) : places.stop]
        behind = max(behind, places.stop)
    return staying
