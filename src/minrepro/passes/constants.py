"""Values: a name becomes a plain number where a value may stand, so that what it stands for may go."""

from __future__ import annotations

from functools import partial

from minrepro.core.edits import Cut
from minrepro.core.units import Unit
from minrepro.documents.snapshot import Snapshot
from minrepro.documents.syntax.tree import Tree
from minrepro.documents.syntax.tree_document import TreeDocument
from minrepro.passes.names import leaves_of_names

_FEW = 100
"""Up to so many places in all it can be afforded to try each of them."""


def values(subject: Snapshot) -> list[list[Unit]]:
    """Propose for each name to become a number wherever it is used, or where it stands if it stands there alone."""
    document = subject.document
    if document is None or subject.is_large:
        return []
    tree = document.tree
    units: list[Unit] = []
    of_name = leaves_of_names(tree)
    few = sum(map(len, of_name.values())) <= _FEW
    for leaves in of_name.values():
        cuts = {leaf: cut for leaf in leaves if (cut := _number(document, leaf)) is not None}
        uses = leaves[1:] or leaves
        together = tuple(cuts[leaf] for leaf in uses if leaf in cuts)
        below = partial(_one_by_one, tree, cuts) if few and len(cuts) > 1 else None
        if together:
            units.append(Unit((together,), weight=len(together), below=below))
    return [units] if units else []


def _one_by_one(tree: Tree, cuts: dict[int, Cut]) -> list[list[Unit]]:
    """Return a unit for each place of a name of one letter; longer ones are also made as short as can be elsewhere."""
    return [[Unit(((cut,),)) for leaf, cut in cuts.items() if tree.size(leaf) == 1]]


def _number(document: TreeDocument, leaf: int) -> Cut | None:
    tree = document.tree
    number = next((text for text in document.texts_in_place_of(leaf) if text.isdigit()), None)
    return None if number is None else Cut(tree.start[leaf], tree.end[leaf], number)
