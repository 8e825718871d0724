"""Alike: parts that are the same go everywhere at once, and a part becomes a shorter one of its kind from elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from minrepro.documents.tree import ROOT, Tree
from minrepro.documents.treedocument import TreeDocument
from minrepro.edits import Cut, Cuts, unite
from minrepro.passes.hoists import without_idle
from minrepro.plan import Unit
from minrepro.subject import Subject

_LARGE = 60_000
"""From this many bytes on it takes too long to ask what may go."""
_MOST_SHORTER = 3
"""How many shorter parts are tried in place of one."""


def recurring(subject: Subject) -> list[list[Unit]]:
    """Propose for each text that stands as a part in several places to go from all of them."""
    document = subject.document
    if document is None or len(subject.content) > _LARGE:
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


def shorter_of_a_kind(subject: Subject) -> list[list[Unit]]:
    """Propose for every part to become one of the shortest of its kind that stand elsewhere, the heaviest first."""
    document = subject.document
    if document is None or len(subject.content) > _LARGE:
        return []
    shortest: dict[int, list[bytes]] = {}
    tree = document.tree
    for node in range(1, len(tree)):
        if tree.is_named(node) and tree.size(node):
            texts = shortest.setdefault(tree.kind[node], [])
            text = tree.text(node)
            if text not in texts:
                texts.append(text)
                texts.sort(key=lambda text: (len(text), text))
                del texts[_MOST_SHORTER + 1 :]
    return _below(document, shortest, ROOT)


def _below(document: TreeDocument, shortest: dict[int, list[bytes]], node: int) -> list[list[Unit]]:
    tree = document.tree
    units = []
    for child in tree.children(node):
        if tree.is_leaf(child):
            continue
        edits: tuple[Cuts, ...] = tuple(
            (Cut(tree.start[child], tree.end[child], text),) for text in _instead(document, shortest, child)
        )
        below = partial(_below, document, shortest, child)
        units.append(Unit(edits, tree.weight(child), below, family=tree.kind[child]))
    return without_idle(units)


def _instead(document: TreeDocument, shortest: dict[int, list[bytes]], node: int) -> Iterator[bytes]:
    """Yield texts that may stand in place of a node, but for those which others try."""
    tree = document.tree
    known = {*document.shorter_texts(node), *_parts(tree, node)}
    for text in shortest.get(tree.kind[node], ()):
        if len(text) < tree.size(node) and text not in known:
            yield text


def _parts(tree: Tree, node: int) -> Iterator[bytes]:
    return (tree.text(part) for part in tree.descendants(node) if tree.kind[part] == tree.kind[node])
