"""The two searches that take the heaviest node first.

Sun, Li, Zhang, Gu & Su, *Perses: syntax-guided program reduction* (2018): nodes wait by weight; a list is minimised as
a list, any other node may become a part of itself that fits. Gharachorlu & Sumner, *Pardis: priority aware test case
reduction* (2019): only nodes that may vanish are tried, each alone, so that no light node of a heavy list comes before
a heavier one.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from minrepro.algorithms.lists.ddmin import ddmin
from minrepro.algorithms.trees.hdd import NodeMinimizer, minimize_nodes
from minrepro.core.edits import NONE, Cuts
from minrepro.core.search import Candidate, Reduction, first
from minrepro.documents.syntax.hoist_candidates import hoists
from minrepro.documents.syntax.tree import ROOT, Tree
from minrepro.documents.syntax.tree_document import TreeDocument


class Heaviest:
    """Nodes that wait, the heaviest first; among equals the one that comes first in the document."""

    def __init__(self, tree: Tree, nodes: Iterable[int] = ()) -> None:
        self._tree = tree
        self._heap = [(-tree.weight(node), node) for node in nodes]
        heapq.heapify(self._heap)

    def __bool__(self) -> bool:
        return bool(self._heap)

    def add(self, nodes: Iterable[int]) -> None:
        """Let more nodes wait."""
        for node in nodes:
            heapq.heappush(self._heap, (-self._tree.weight(node), node))

    def take(self) -> int:
        """Return the heaviest node, which waits no longer."""
        return heapq.heappop(self._heap)[1]

    def in_order(self) -> Iterator[int]:
        """Yield the waiting nodes, the heaviest first, leaving them there."""
        return (node for _, node in sorted(self._heap))


def perses(document: TreeDocument, *, minimize: NodeMinimizer = ddmin) -> Reduction[Cuts]:
    """Let the heaviest node become a part of itself and minimise its children, until a round changes nothing."""
    before, cuts = None, NONE
    while cuts != before:
        before = cuts
        waiting = Heaviest(document.tree, (ROOT,))
        while waiting:
            node = waiting.take()
            if node != ROOT and not document.is_alive(node, cuts):
                continue
            while node != ROOT:
                options = [Candidate(option.cuts) for option in hoists(document, node, cuts)]
                found = yield from first(options, "perses")
                if found is None:
                    break
                cuts = found.config
            units = [child for child in document.alive_children(node, cuts) if document.removable(child, cuts)]
            cuts = yield from minimize_nodes(document, units, cuts, minimize, "perses")
            waiting.add(document.alive_children(node, cuts))
    return cuts


@dataclass(frozen=True)
class _Heavy(Candidate[Cuts]):
    node: int = ROOT


def pardis(document: TreeDocument) -> Reduction[Cuts]:
    """Try to remove the heaviest node that may vanish, and go on with its children where it stays."""
    cuts = NONE
    waiting = Heaviest(document.tree, _vanishing_below(document, ROOT, cuts))
    while waiting:
        stream = _refusals(document, waiting, cuts)
        found = yield from first(stream, "pardis")
        if found is None:
            return cuts
        # All that was taken before the one found was refused: its children wait now, as they do in the stream.
        while (node := waiting.take()) != found.node:
            waiting.add(_vanishing_below(document, node, cuts))
        cuts = found.config
    return cuts


def _refusals(document: TreeDocument, waiting: Heaviest, cuts: Cuts) -> Iterator[_Heavy]:
    """Yield what is tried one after another as long as nothing can go."""
    ahead = Heaviest(document.tree, waiting.in_order())
    while ahead:
        node = ahead.take()
        if document.is_alive(node, cuts) and document.vanishes(node, cuts):
            yield _Heavy(document.without((node,), cuts), node=node)
        ahead.add(_vanishing_below(document, node, cuts))


def _vanishing_below(document: TreeDocument, node: int, cuts: Cuts) -> Iterator[int]:
    """Yield the nearest nodes below one that may vanish; in a chain of only children one stands for all."""
    below = list(document.alive_children(node, cuts))
    while below:
        child = below.pop()
        alone = document.tree.size(child) == document.tree.size(node)
        if not alone and document.vanishes(child, cuts):
            yield child
        else:
            below.extend(document.alive_children(child, cuts))
