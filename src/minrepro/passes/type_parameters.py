"""Type parameters: one goes together with its arguments, and a type stands where it was used."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator

from minrepro.core.edits import Cut, Cuts, unite
from minrepro.core.units import Unit
from minrepro.documents.snapshot import Snapshot
from minrepro.documents.syntax.calls import declared_name, name_before, named_children
from minrepro.documents.syntax.tree import NO_NODE, Tree
from minrepro.documents.syntax.tree_document import TreeDocument
from minrepro.passes.plain_types import PLAIN

_PARAMETERS = frozenset({"type_parameters", "template_parameter_list", "type_parameter_list"})
_ARGUMENTS = frozenset({"type_arguments", "template_argument_list", "type_argument_list"})


def type_parameters(subject: Snapshot) -> list[list[Unit]]:
    """Propose for each type parameter to go with the argument at its place wherever the generic is used."""
    document = subject.document
    if document is None or subject.is_large:
        return []
    tree = document.tree
    lists = [node for node in range(1, len(tree)) if tree.name(node) in _PARAMETERS]
    uses = _uses(tree) if lists else {}
    units = []
    for node in lists:
        declared = named_children(tree, node)
        used = uses.get(_generic_name(tree, node), [])
        for place, parameter in enumerate(declared):
            edits = tuple(_edits(subject, document, (node, place, parameter), used))
            if edits:
                units.append(Unit(edits, weight=len(used) + 1))
    return [units] if units else []


def _uses(tree: Tree) -> dict[bytes, list[int]]:
    """Return the lists of arguments by the name of what they are given to."""
    found: defaultdict[bytes, list[int]] = defaultdict(list)
    for node in range(1, len(tree)):
        if tree.name(node) in _ARGUMENTS:
            found[name_before(tree, node)].append(node)
    return found


def _generic_name(tree: Tree, parameters: int) -> bytes:
    """Return the name of what has some type parameters: it stands before them, or in C++ behind."""
    before = name_before(tree, parameters)
    if before:
        return before
    behind = tree.after[parameters]
    text = tree.data[tree.end[parameters] : tree.end[tree.parent[parameters]]]
    head = re.split(rb"[{(;:=]", text, maxsplit=1)[0]
    words = re.findall(rb"[A-Za-z_]\w*", head)
    return words[-1] if words and behind < tree.after[tree.parent[parameters]] else b""


def _edits(
    subject: Snapshot, document: TreeDocument, parameter: tuple[int, int, int], used: list[int]
) -> Iterator[Cuts]:
    tree = document.tree
    above, place, node = parameter
    name = declared_name(tree, node)
    if name == NO_NODE:
        return
    arguments = [children[place] for each in used if place < len(children := named_children(tree, each))]
    gone = [_without(document, argument) for argument in arguments]
    head = _without(document, node)
    scope = tree.parent[above]
    inside = [
        leaf
        for leaf in range(scope, tree.after[scope])
        if tree.is_leaf(leaf) and tree.text(leaf) == tree.text(name) and not node <= leaf < tree.after[node]
    ]
    texts = dict.fromkeys(tree.text(argument) for argument in arguments)
    plain = PLAIN.get(subject.language or "", b"")
    for text in (*list(texts)[:1], *([plain] if plain and plain not in texts else [])):
        yield unite(head, *gone, [Cut(tree.start[leaf], tree.end[leaf], text) for leaf in inside])


def _without(document: TreeDocument, node: int) -> Cuts:
    """Return the cuts that take an element from its angle brackets, with them and what begins them if it is alone."""
    tree = document.tree
    parent = tree.parent[node]
    if len(named_children(tree, parent)) > 1:
        return document.without([node])
    start = tree.start[parent]
    before = tree.leaf_before(parent)
    if before != NO_NODE and tree.text(before) in (b"template", b"::"):
        start = tree.start[before]
    return (Cut(start, tree.end[parent]),)
