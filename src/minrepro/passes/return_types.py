"""Results: a function no longer says what it returns, and returns it no longer."""

from __future__ import annotations

from minrepro.core.edits import Cut, Cuts, removed, unite
from minrepro.core.units import Unit
from minrepro.documents.snapshot import Snapshot
from minrepro.documents.syntax.tree import Tree
from minrepro.documents.syntax.tree_document import TreeDocument

_RESULT = frozenset({"result", "return_type"})
"""What the part of a function is called that tells the type of what it returns."""


def results(subject: Snapshot) -> list[list[Unit]]:
    """Propose for each function to lose the type of its result, with all it returns or with all returning at once."""
    document = subject.document
    if document is None:
        return []
    tree = document.tree
    units = []
    for node in range(1, len(tree)):
        if tree.field_name(node) in _RESULT and tree.size(node):
            edits = tuple(edit for edit in _without_result(document, node) if removed(edit) > 0)
            units.append(Unit(edits, tree.weight(node)))
    return [units] if units else []


def _without_result(document: TreeDocument, result: int) -> list[Cuts]:
    tree = document.tree
    returns = _returns(tree, tree.parent[result])
    typed = [Cut(*_with_sign(tree, result))]
    silent = [
        Cut(tree.start[values[0]], tree.end[values[-1]])
        for node in returns
        if (values := [child for child in tree.children(node) if tree.is_named(child)])
    ]
    gone = [document.without([node]) for node in returns]
    return list(dict.fromkeys((unite(typed, silent), unite(typed, *gone))))


def _with_sign(tree: Tree, result: int) -> tuple[int, int]:
    """Return the span of a type with the arrow or colon before it."""
    before = result - 1
    while before > tree.parent[result] and tree.parent[before] != tree.parent[result]:
        before = tree.parent[before]
    sign = before > tree.parent[result] and not tree.is_named(before) and tree.text(before) in (b"->", b":", b"=>")
    return (tree.start[before] if sign else tree.start[result]), tree.end[result]


def _returns(tree: Tree, function: int) -> list[int]:
    """Return the statements of a function that return something, but for those of functions within it."""
    found = []
    node, behind = function + 1, tree.after[function]
    while node < behind:
        name = tree.name(node)
        if tree.is_named(node) and name.startswith("return_"):
            found.append(node)
        inner = any(tree.field_name(child) in _RESULT for child in tree.children(node))
        node = tree.after[node] if inner else node + 1
    return found
