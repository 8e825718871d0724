"""Hoisting: a node becomes a part of itself that fits in its place.

Misherghi (2007) names it as future work (chapters 5.3 and 8); Vince, Hodován, Bársony & Kiss, *Extending hierarchical
delta debugging with hoisting* (2021). What stands between a pair of brackets may take the place of all (unwrapping).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
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


def hoist(document: TreeDocument, cuts: Cuts) -> Reduction[Cuts]:
    """Let nodes become parts of themselves, from the top down, until no single hoist is possible."""
    changed = True
    while changed:
        changed = False
        nodes = list(breadth_first(document, cuts))
        position = 0
        while position < len(nodes):
            found = yield from first(_options(document, nodes, position, cuts), "hoist")
            if found is None:
                break
            # The same node is asked again: what it became may have parts that fit as well.
            cuts, position, changed = found.config, found.position, True
    return cuts


def _options(document: TreeDocument, nodes: Sequence[int], position: int, cuts: Cuts) -> Iterator[_Hoist]:
    for at in range(position, len(nodes)):
        if document.is_alive(nodes[at], cuts):
            for option in hoists(document, nodes[at], cuts):
                yield _Hoist(option, position=at)


def hdd_with_hoisting(document: TreeDocument, *, minimize: NodeMinimizer = ddmin) -> Reduction[Cuts]:
    """Prune and hoist in turn until neither changes anything; the result is 1-tree-minimal."""
    before, cuts = None, NONE
    while cuts != before:
        before = cuts
        cuts = yield from hdd(document, cuts, minimize=minimize)
        cuts = yield from hoist(document, cuts)
    return cuts
