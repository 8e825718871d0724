"""Hoisting: a node becomes a part of itself that fits in its place.

Misherghi (2007) names it as future work (chapters 5.3 and 8); Vince, Hodován, Bársony & Kiss, *Extending hierarchical
delta debugging with hoisting* (2021). What stands between a pair of brackets may take the place of all (unwrapping).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from minrepro.algorithms.ddmin import ddmin
from minrepro.algorithms.hdd import NodeMinimizer, breadth_first, hdd
from minrepro.documents.hoisting import hoists
from minrepro.documents.treedocument import TreeDocument
from minrepro.edits import NONE, Cuts
from minrepro.search import Candidate, Reduction, first


@dataclass(frozen=True)
class _Hoist(Candidate[Cuts]):
    position: int = 0


Promising = Callable[[TreeDocument, int, Cuts, Cuts], bool]
"""Tells whether it is worth a test that a node becomes a part of itself, given the cuts so far and those with it."""


def any_hoist(document: TreeDocument, node: int, cuts: Cuts, shorter: Cuts) -> bool:
    """Take every hoist to be worth a test."""
    return True


def drops_only_what_cannot_go_alone(document: TreeDocument, node: int, cuts: Cuts, shorter: Cuts) -> bool:
    """Tell whether a hoist drops nothing that could go alone: where all that could was tried, that is needed."""
    here = document.render(cuts)
    below = list(document.alive_children(node, cuts))
    while below:
        part = below.pop()
        dropped = not document.is_alive(part, shorter)
        # What is replaced already by the shortest text seems to be able to go, but nothing would change.
        if dropped and document.removable(part, cuts) and document.render(document.without((part,), cuts)) != here:
            return False
        below += document.alive_children(part, cuts)
    return True


def hoist(document: TreeDocument, cuts: Cuts, *, promising: Promising = any_hoist) -> Reduction[Cuts]:
    """Let nodes become parts of themselves, from the top down, until no single hoist that promises much is possible."""
    changed = True
    while changed:
        changed = False
        nodes = list(breadth_first(document, cuts))
        position = 0
        while position < len(nodes):
            found = yield from first(_options(document, nodes, position, cuts, promising), "hoist")
            if found is None:
                break
            # The same node is asked again: what it became may have parts that fit as well.
            cuts, position, changed = found.config, found.position, True
    return cuts


def _options(
    document: TreeDocument, nodes: Sequence[int], position: int, cuts: Cuts, promising: Promising
) -> Iterator[_Hoist]:
    for at in range(position, len(nodes)):
        if document.is_alive(nodes[at], cuts):
            for option in hoists(document, nodes[at], cuts):
                if promising(document, nodes[at], cuts, option):
                    yield _Hoist(option, position=at)


def hdd_with_hoisting(document: TreeDocument, *, minimize: NodeMinimizer = ddmin) -> Reduction[Cuts]:
    """Prune and hoist in turn until neither changes anything; the result is 1-tree-minimal."""
    before, cuts = None, NONE
    while cuts != before:
        before = cuts
        cuts = yield from hdd(document, cuts, minimize=minimize)
        cuts = yield from hoist(document, cuts)
    return cuts
