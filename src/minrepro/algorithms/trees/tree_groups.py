"""Group testing on trees: the fewest tests for a document with structure.

A scan removes groups of parts, list by list, and shortens deep nests. Then nodes become parts of themselves where that
drops only what could not go alone. In the end every node that is left is tried alone, so that the result is
1-tree-minimal whatever the guesses were.
"""

from __future__ import annotations

from minrepro.algorithms.lists.scans import run_scan
from minrepro.algorithms.trees.hoisting import drops_only_what_cannot_go_alone, hoist
from minrepro.algorithms.trees.sweeps import last_first, sweep
from minrepro.algorithms.trees.tree_scan import TreeScan
from minrepro.core.edits import Cuts
from minrepro.core.search import Candidate, Reduction, first
from minrepro.documents.syntax.name_index import Names
from minrepro.documents.syntax.tree_document import TreeDocument

_MOST_LEAVES = 200_000
"""Up to this many leaves names are looked at; in larger documents that costs more than the tests it saves."""


def treegroups(document: TreeDocument, *, hints: bool = True) -> Reduction[Cuts]:
    """Return 1-tree-minimal cuts with about as few tests as any algorithm needs."""
    document.collapsing = True
    names = Names(document.tree) if hints and len(document.tree.leaves) < _MOST_LEAVES else None
    scan = yield from run_scan(TreeScan.of(document, names), "tree")
    before, cuts = None, scan.config
    while cuts != before:
        before = cuts
        cuts = yield from hoist(document, cuts, promising=drops_only_what_cannot_go_alone)
        cuts = yield from sweep(document, cuts, last_first)
        cuts = yield from _clear(document, cuts)
    return cuts


def _clear(document: TreeDocument, cuts: Cuts) -> Reduction[Cuts]:
    """Let the texts go that stand in for nodes, one after another, where they need not stand there any more."""
    while (cleared := (yield from first(map(Candidate, document.without_stand_ins(cuts)), "sweep"))) is not None:
        cuts = cleared.config
    return cuts
