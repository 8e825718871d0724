"""Calls: what a function does stands where it is called, its arguments in place of its parameters."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from minrepro.core.edits import Cut, Cuts, apply, unite
from minrepro.core.units import Unit
from minrepro.documents.snapshot import Snapshot
from minrepro.documents.syntax.calls import Call, Function, calls_of, declared_name, functions_of, named_children
from minrepro.documents.syntax.tree import NO_NODE, Tree
from minrepro.documents.syntax.tree_document import TreeDocument

_MOST_CALLS = 8
_MOST_BYTES = 2000
"""Longer functions stay where they are."""


def inline_calls(subject: Snapshot) -> list[list[Unit]]:
    """Propose for each function to stand where it is called, with its definition gone."""
    document = subject.document
    if document is None or subject.is_large:
        return []
    tree = document.tree
    calls = calls_of(tree)
    units = []
    for function in functions_of(tree):
        within = range(function.node, tree.after[function.node])
        called = [call for call in calls.get(function.name, ()) if call.node not in within]
        small = function.body != NO_NODE and tree.size(function.body) <= _MOST_BYTES
        if small and 0 < len(called) <= _MOST_CALLS:
            edits = tuple(dict.fromkeys(_inlined(document, function, called)))
            if edits:
                units.append(Unit(edits, tree.weight(function.node)))
    return [units] if units else []


def _inlined(document: TreeDocument, function: Function, called: list[Call]) -> Iterator[Cuts]:
    """Yield the cuts that put the value of a function, and those that put its body, in place of all its calls."""
    tree = document.tree
    dropped = document.without([function.node])
    value = _value(tree, function.body)
    if value != NO_NODE:
        yield unite(dropped, [_replaced(tree, function, call, call.node, value) for call in called])
        return
    statements = [(call, _statement(tree, call.node)) for call in called]
    if all(statement != NO_NODE for _, statement in statements):
        yield unite(
            dropped, [_replaced(tree, function, call, statement, function.body) for call, statement in statements]
        )


def _value(tree: Tree, body: int) -> int:
    """Return the one expression that a body returns, or NO_NODE."""
    parts = named_children(tree, body)
    if tree.text(body)[:1] != b"{" and "block" not in tree.name(body):
        return body  # a lambda without a block
    if len(parts) != 1:
        return NO_NODE
    part = parts[0]
    while tree.name(part).startswith(("return_", "expression_statement", "statement_list")):
        inner = named_children(tree, part)
        if len(inner) != 1:
            return NO_NODE
        part = inner[0]
    return part if part != parts[0] or not tree.text(part).endswith(b";") else NO_NODE


def _statement(tree: Tree, call: int) -> int:
    """Return the statement that a call is all of, or NO_NODE."""
    parent = tree.parent[call]
    return parent if tree.name(parent) == "expression_statement" else NO_NODE


def _replaced(tree: Tree, function: Function, call: Call, place: int, part: int) -> Cut:
    """Return the cut that puts a part of a function in a place, with the arguments of a call."""
    given = {}
    for parameter, argument in zip(function.parameters, call.arguments, strict=False):
        name = declared_name(tree, parameter)
        if name != NO_NODE:
            given[tree.text(name)] = tree.text(argument)
    text = _with_arguments(tree, part, given)
    return Cut(tree.start[place], tree.end[place], text)


def _with_arguments(tree: Tree, part: int, given: Mapping[bytes, bytes]) -> bytes:
    start = tree.start[part]
    cuts = [
        Cut(tree.start[leaf] - start, tree.end[leaf] - start, given[tree.text(leaf)])
        for leaf in range(part, tree.after[part])
        if tree.is_leaf(leaf) and tree.is_named(leaf) and tree.text(leaf) in given
    ]
    return apply(tree.text(part), unite(cuts))
