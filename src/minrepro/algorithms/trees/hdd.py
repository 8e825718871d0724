"""Hierarchical delta debugging: minimise the nodes of each level of a tree, from the top down.

Misherghi, *Hierarchical Delta Debugging* (2007), algorithm 1 and section 3.4 (HDD+, HDD*); Hodován, Kiss & Gyimóthy,
*Coarse hierarchical delta debugging* (2017). Any list minimiser serves inside. Removing a node replaces it by the
shortest text that its place allows, which is nothing where it is optional.

The published algorithm lets ddmin assume that no level may vanish as a whole; here that is tried first, which is the
only way in which a level of one node can go.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import filterfalse

from minrepro.algorithms.lists.ddmin import ddmin
from minrepro.algorithms.trees.sweeps import sweep
from minrepro.core.edits import NONE, Cuts
from minrepro.core.search import Candidate, Reduction, embed, first
from minrepro.documents.syntax.tree import ROOT
from minrepro.documents.syntax.tree_document import TreeDocument

NodeMinimizer = Callable[[Sequence[int]], Reduction[tuple[int, ...]]]
Eligible = Callable[[TreeDocument, Iterable[int], Cuts], Sequence[int]]
"""Tells which of some nodes may be tried, given what is cut: those that may go or become shorter, or fewer."""


def minimize_nodes(
    document: TreeDocument, nodes: Iterable[int], cuts: Cuts, minimize: NodeMinimizer, label: str
) -> Reduction[Cuts]:
    """Return the cuts with as many of some nodes cut as a list minimiser can, trying all of them at once first."""
    units = tuple(nodes)
    if not units:
        return cuts
    none = yield from first([Candidate(document.without(units, cuts))], label)
    if none is not None:
        return none.config
    if len(units) == 1:
        return cuts

    def keeping(kept: Iterable[int]) -> Cuts:
        return document.without(filterfalse(set(kept).__contains__, units), cuts)

    kept = yield from embed(minimize(units), into=keeping)
    return keeping(kept)


def hdd(
    document: TreeDocument,
    cuts: Cuts = NONE,
    *,
    minimize: NodeMinimizer = ddmin,
    eligible: Eligible = TreeDocument.removable_of,
) -> Reduction[Cuts]:
    """Minimise each level of the tree in turn, from the top down."""
    level = list(document.alive_children(ROOT, cuts))
    while level:
        units = eligible(document, level, cuts)
        cuts = yield from minimize_nodes(document, units, cuts, minimize, "hdd")
        kept = [node for node in level if document.is_alive(node, cuts)]
        level = [child for node in kept for child in document.alive_children(node, cuts)]
    return cuts


def hdd_plus(document: TreeDocument, *, minimize: NodeMinimizer = ddmin) -> Reduction[Cuts]:
    """Run HDD, then try single nodes until none can go: the result is 1-tree-minimal."""
    cuts = yield from hdd(document, minimize=minimize)
    return (yield from sweep(document, cuts))


def hdd_star(document: TreeDocument, *, minimize: NodeMinimizer = ddmin) -> Reduction[Cuts]:
    """Run HDD again and again until it changes nothing: the result is 1-tree-minimal."""
    before, cuts = None, NONE
    while cuts != before:
        before = cuts
        cuts = yield from hdd(document, cuts, minimize=minimize)
    return cuts


def coarse_hdd(document: TreeDocument, *, minimize: NodeMinimizer = ddmin) -> Reduction[Cuts]:
    """Run HDD on only the nodes that may vanish: far fewer tests, a larger result."""
    return hdd(document, minimize=minimize, eligible=TreeDocument.vanishing_of)
