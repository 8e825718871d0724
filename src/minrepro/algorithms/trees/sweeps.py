"""Single steps, node after node, in rounds until one changes nothing: what closes most of the tree searches."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from minrepro.core.edits import Cuts, unite
from minrepro.core.search import Candidate, Reduction, first
from minrepro.documents.syntax.spacing import with_space
from minrepro.documents.syntax.tree import ROOT
from minrepro.documents.syntax.tree_document import TreeDocument

NodeOrder = Callable[[TreeDocument, Cuts], Iterable[int]]
"""Tells in which order the nodes are asked that are not cut."""
Steps = Callable[[TreeDocument, int, Cuts], Iterable[Cuts]]
"""Tells what may be tried with a node, given what is cut."""


@dataclass(frozen=True)
class _Step(Candidate[Cuts]):
    position: int = 0


def rounds(document: TreeDocument, cuts: Cuts, steps: Steps, order: NodeOrder, label: str) -> Reduction[Cuts]:
    """Try the steps of one node after another, to and fro until a whole round changes nothing.

    What uses something may stand before or behind it: in one of the two directions each step frees the next.
    """
    changed, forward = True, True
    while changed:
        nodes = list(order(document, cuts))
        if not forward:
            nodes.reverse()
        changed, forward, position = False, not forward, 0
        while (found := (yield from first(_ahead(document, nodes, position, cuts, steps), label))) is not None:
            # The same node is asked again: what it became may go further.
            cuts, position, changed = found.config, found.position, True
    return cuts


def _ahead(document: TreeDocument, nodes: Sequence[int], position: int, cuts: Cuts, steps: Steps) -> Iterator[_Step]:
    for at in range(position, len(nodes)):
        if document.is_alive(nodes[at], cuts):
            for step in steps(document, nodes[at], cuts):
                if step != cuts:
                    yield _Step(step, position=at)


def removals(document: TreeDocument, node: int, cuts: Cuts) -> Iterator[Cuts]:
    """Yield the cuts without a node, where it may go."""
    if document.removable(node, cuts):
        yield document.without((node,), cuts)


def breadth_first(document: TreeDocument, cuts: Cuts) -> Iterator[int]:
    """Yield the nodes that are not cut, level by level, without the root."""
    level = list(document.alive_children(ROOT, cuts))
    while level:
        yield from level
        level = [child for node in level for child in document.alive_children(node, cuts)]


def last_first(document: TreeDocument, cuts: Cuts) -> Sequence[int]:
    """Return the nodes that are not cut from the end of the document to its begin, each before its parts."""
    return sorted(breadth_first(document, cuts), key=lambda node: (-document.tree.end[node], node))


def sweep(document: TreeDocument, cuts: Cuts, order: NodeOrder = breadth_first) -> Reduction[Cuts]:
    """Try to remove single nodes, again and again until a whole round changes nothing."""
    return rounds(document, cuts, removals, order, "sweep")


def beyond_grammar(document: TreeDocument, cuts: Cuts) -> Reduction[Cuts]:
    """Try once to remove each named node that the grammar calls required: a check may be more lenient than it is."""
    tree = document.tree
    nodes = [node for node in breadth_first(document, cuts) if tree.is_named(node)]
    required = [node for node in nodes if not document.removable(node, cuts)]
    position = 0
    while True:
        steps = (
            _Step(unite(cuts, (with_space(tree, required[at]),)), position=at + 1)
            for at in range(position, len(required))
            if document.is_alive(required[at], cuts)
        )
        found = yield from first(steps, "required")
        if found is None:
            return cuts
        cuts, position = found.config, found.position
