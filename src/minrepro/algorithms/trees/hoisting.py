"""Hoisting: a node becomes a part of itself that fits in its place.

Misherghi (2007) names it as future work (chapters 5.3 and 8); Vince, Hodován, Bársony & Kiss, *Extending hierarchical
delta debugging with hoisting* (2021). What stands between a pair of brackets may take the place of all (unwrapping).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from minrepro.algorithms.lists.ddmin import ddmin
from minrepro.algorithms.trees.hdd import NodeMinimizer, hdd
from minrepro.algorithms.trees.sweeps import breadth_first, rounds
from minrepro.core.edits import NONE, Cuts
from minrepro.core.search import Reduction
from minrepro.documents.syntax.hoist_candidates import Hoist, hoists
from minrepro.documents.syntax.tree import NO_NODE
from minrepro.documents.syntax.tree_document import TreeDocument

Promising = Callable[[TreeDocument, int, Cuts, Hoist], bool]
"""Tells whether it is worth a test that a node becomes a part of itself, given the cuts so far."""


def any_hoist(document: TreeDocument, node: int, cuts: Cuts, option: Hoist) -> bool:
    """Take every hoist to be worth a test."""
    return True


def drops_only_what_cannot_go_alone(document: TreeDocument, node: int, cuts: Cuts, option: Hoist) -> bool:
    """Tell whether a hoist drops nothing that could go alone: where all that could was tried, that is needed.

    A leaf that comes first between brackets may be needed only by what follows it, as `+` is in `(+ 1 2)`: it does not
    count.
    """
    tree = document.tree
    above = [node]
    while above:
        parts = list(document.alive_children(above.pop(), cuts))
        operator = parts[1] if len(parts) > 3 and not tree.is_named(parts[0]) and tree.is_leaf(parts[1]) else NO_NODE
        for part in parts:
            if option.start <= tree.start[part] and tree.end[part] <= option.end:
                continue
            counts = part != operator and not document.is_alive(part, option.cuts)
            if counts and document.removable(part, cuts) and _changes(document, part, cuts):
                return False
            above.append(part)
    return True


def _changes(document: TreeDocument, part: int, cuts: Cuts) -> bool:
    """Tell whether anything changes without a part: what is replaced by the shortest text already may seem to go."""
    return document.render(document.without((part,), cuts)) != document.render(cuts)


def hoist(document: TreeDocument, cuts: Cuts, *, promising: Promising = any_hoist) -> Reduction[Cuts]:
    """Let nodes become parts of themselves, from the top down, until no single hoist that promises much is possible."""

    def steps(document: TreeDocument, node: int, cuts: Cuts) -> Iterator[Cuts]:
        options = hoists(document, node, cuts)
        return (option.cuts for option in options if promising(document, node, cuts, option))

    return rounds(document, cuts, steps, breadth_first, "hoist")


def hdd_with_hoisting(document: TreeDocument, *, minimize: NodeMinimizer = ddmin) -> Reduction[Cuts]:
    """Prune and hoist in turn until neither changes anything; the result is 1-tree-minimal."""
    before, cuts = None, NONE
    while cuts != before:
        before = cuts
        cuts = yield from hdd(document, cuts, minimize=minimize)
        cuts = yield from hoist(document, cuts)
    return cuts
