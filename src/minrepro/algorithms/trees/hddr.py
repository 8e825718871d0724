"""HDDr: hierarchical delta debugging on the children of one node at a time, in four orders.

Kiss, Hodován & Gyimóthy, *HDDr: a recursive variant of the hierarchical delta debugging algorithm* (2018): nodes wait
in a queue; taking the first or the last of it, and adding children in their order or reversed, gives breadth-first and
depth-first traversals, forward and backward.
"""

from __future__ import annotations

from collections import deque
from typing import Literal

from minrepro.algorithms.lists.ddmin import ddmin
from minrepro.algorithms.trees.hdd import NodeMinimizer, minimize_nodes
from minrepro.core.edits import NONE, Cuts
from minrepro.core.search import Reduction
from minrepro.documents.syntax.tree import ROOT
from minrepro.documents.syntax.tree_document import TreeDocument

Traversal = Literal["breadth first", "breadth first reversed", "depth first", "depth first reversed"]


def hddr(
    document: TreeDocument,
    cuts: Cuts = NONE,
    *,
    minimize: NodeMinimizer = ddmin,
    traversal: Traversal = "breadth first",
) -> Reduction[Cuts]:
    """Minimise the children of one node after another."""
    waiting = deque([ROOT])
    take = waiting.popleft if traversal.startswith("breadth") else waiting.pop
    # A stack gives back the last that was put on it: going forward through it means to put children on it reversed.
    reverse = traversal in ("breadth first reversed", "depth first")
    while waiting:
        node = take()
        if node != ROOT and not document.is_alive(node, cuts):
            continue
        units = [child for child in document.alive_children(node, cuts) if document.removable(child, cuts)]
        cuts = yield from minimize_nodes(document, units, cuts, minimize, "hddr")
        kept = list(document.alive_children(node, cuts))
        waiting.extend(reversed(kept) if reverse else kept)
    return cuts
