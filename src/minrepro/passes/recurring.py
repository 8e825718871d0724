"""Recurring: parts that are the same go everywhere at once."""

from __future__ import annotations

from minrepro.core.edits import Cuts, unite
from minrepro.core.units import Unit
from minrepro.documents.snapshot import Snapshot


def recurring(subject: Snapshot) -> list[list[Unit]]:
    """Propose for each text that stands as a part in several places to go from all of them."""
    document = subject.document
    if document is None or subject.is_large:
        return []
    tree = document.tree
    places: dict[tuple[int, bytes], list[int]] = {}
    for node in range(1, len(tree)):
        if tree.is_named(node) and not tree.is_leaf(node) and tree.size(node):
            places.setdefault((tree.kind[node], tree.text(node)), []).append(node)
    proposed: dict[Cuts, int] = {}
    for nodes in places.values():
        if len(nodes) > 1 and all(map(document.vanishes, nodes)):
            cuts = unite(*(document.without([node]) for node in nodes))
            proposed.setdefault(cuts, sum(map(tree.weight, nodes)))
    return [[Unit((cuts,), weight) for cuts, weight in proposed.items()]] if proposed else []
