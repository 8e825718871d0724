"""Nests: of nodes of one kind that stand inside each other many levels deep, each may become the next one inside."""

from __future__ import annotations

from itertools import pairwise

from minrepro.core.units import Unit
from minrepro.documents.snapshot import Snapshot
from minrepro.documents.syntax.nested_chains import level, nests

_FEWEST = 8
"""Fewer levels than this are tried one by one, as hoists."""


def levels_of_nests(subject: Snapshot) -> list[list[Unit]]:
    """Propose for the levels of each deep nest to go, as a list."""
    document = subject.document
    if document is None:
        return []
    tree = document.tree
    return [
        [Unit((level(tree, outer, inner),), tree.weight(outer) - tree.weight(inner)) for outer, inner in pairwise(nest)]
        for nest in nests(tree, _FEWEST)
    ]
