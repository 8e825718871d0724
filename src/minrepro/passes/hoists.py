"""Hoists: a node becomes a part of itself, or something that is as short as its kind can be."""

from __future__ import annotations

from collections import deque
from functools import partial

from minrepro.core.edits import Cut, Cuts
from minrepro.core.units import Unit
from minrepro.documents.snapshot import Snapshot
from minrepro.documents.syntax.bracket_bodies import inner_parts
from minrepro.documents.syntax.hoist_candidates import becoming
from minrepro.documents.syntax.tree import ROOT
from minrepro.documents.syntax.tree_document import TreeDocument

_LEVELS = 5
"""How deep below a node its replacements are looked for."""
_MOST = 10
"""How many parts of a node are tried in its place."""


def hoists(subject: Snapshot) -> list[list[Unit]]:
    """Propose for every node to become one of its parts, the heaviest nodes first."""
    document = subject.document
    return _hoists_below(document, ROOT) if document is not None else []


def _hoists_below(document: TreeDocument, node: int) -> list[list[Unit]]:
    tree = document.tree
    units = []
    for child in tree.children(node):
        if tree.is_leaf(child):
            continue
        below = partial(_hoists_below, document, child)
        edits = tuple(_replacements(document, child))
        if edits:
            units.append(Unit(edits, tree.weight(child), below, family=tree.kind[child]))
        else:
            units.append(Unit((), tree.weight(child), below))
    return without_idle(units)


def without_idle(units: list[Unit]) -> list[list[Unit]]:
    """Return the units that propose something as one list, and what is below the others as lists of their own."""
    lists = [[unit for unit in units if unit.edits]]
    idle = [unit for unit in units if not unit.edits]
    while idle:
        unit = idle.pop()
        for below in unit.below() if unit.below is not None else ():
            lists.append([each for each in below if each.edits])
            idle += [each for each in below if not each.edits]
    return [units for units in lists if units]


def _replacements(document: TreeDocument, node: int) -> list[Cuts]:
    """Return the ways to replace a node by a part of it: parts of its own kind first, then the smallest."""
    tree = document.tree
    start, end = tree.start[node], tree.end[node]
    spans: dict[tuple[int, int], tuple[bool, int]] = {}
    queue = deque((child, 1) for child in tree.children(node))
    while queue:
        part, depth = queue.popleft()
        if depth < _LEVELS:
            queue.extend((child, depth + 1) for child in tree.children(part))
        if not tree.is_named(part) or not tree.size(part):
            continue
        same = tree.kind[part] == tree.kind[node]
        for span in (_inside(document, part), (tree.start[part], tree.end[part])):
            if span is not None and (end - start) > (span[1] - span[0]) > 0:
                spans.setdefault(span, (not same, span[1] - span[0]))
    chosen = sorted(spans, key=lambda span: spans[span])[:_MOST]
    return [becoming((start, end), span) for span in chosen]


def _inside(document: TreeDocument, node: int) -> tuple[int, int] | None:
    """Return the span between the brackets of a node that has them."""
    tree = document.tree
    inner = inner_parts(tree, node)
    return (tree.start[inner[0]], tree.end[inner[-1]]) if inner else None


def empty_brackets(subject: Snapshot) -> list[list[Unit]]:
    """Propose for every pair of brackets to lose what is inside, the outermost first, those of one kind together."""
    document = subject.document
    return _hollows_below(document, ROOT) if document is not None else []


def _hollows_below(document: TreeDocument, node: int) -> list[list[Unit]]:
    tree = document.tree
    families: dict[tuple[int, int], list[Unit]] = {}
    part, behind = node + 1, tree.after[node]
    while part < behind:
        inside = None if tree.is_leaf(part) else _inside(document, part)
        if inside is None or inside[0] >= inside[1]:
            part += 1
            continue
        family = (tree.kind[tree.parent[part]], tree.kind[part])
        below = partial(_hollows_below, document, part)
        families.setdefault(family, []).append(Unit(((Cut(*inside),),), tree.weight(part), below, family=family))
        part = tree.after[part]
    return list(families.values())


def stand_ins(subject: Snapshot) -> list[list[Unit]]:
    """Propose for every node to become as short as a node of its kind can be."""
    document = subject.document
    return _stand_ins_below(document, ROOT) if document is not None else []


def _stand_ins_below(document: TreeDocument, node: int) -> list[list[Unit]]:
    tree = document.tree
    units = []
    for child in tree.children(node):
        if not tree.is_named(child) or tree.size(child) < 2:
            continue
        texts = document.shorter_texts(child)
        below = None if tree.is_leaf(child) else partial(_stand_ins_below, document, child)
        edits: tuple[Cuts, ...] = tuple((Cut(tree.start[child], tree.end[child], text),) for text in texts)
        if edits or below is not None:
            units.append(Unit(edits, tree.weight(child), below, family=tree.kind[child]))
    return without_idle(units)
