"""Parameters: one goes together with the argument at its place in every call, or becomes a variable."""

from __future__ import annotations

from collections.abc import Sequence

from minrepro.core.edits import Cut, Cuts, unite
from minrepro.core.units import Unit
from minrepro.documents.snapshot import Snapshot
from minrepro.documents.syntax.calls import Function, calls_of, functions_of
from minrepro.documents.syntax.tree import ROOT
from minrepro.documents.syntax.tree_document import TreeDocument

_TYPED_FIRST = frozenset({"c", "cpp", "objc", "cuda", "arduino"})
"""Languages in which a parameter with a semicolon behind it declares a variable."""


def parameters(subject: Snapshot) -> list[list[Unit]]:
    """Propose for each parameter of a function to go together with the argument at its place in every call."""
    document = subject.document
    if document is None:
        return []
    calls = calls_of(document.tree)
    units = []
    for function in functions_of(document.tree):
        for place, parameter in enumerate(function.parameters):
            called = calls.get(function.name, ())
            arguments = [call.arguments[place] for call in called if place < len(call.arguments)]
            edits = _edits(subject, document, function, parameter, arguments)
            if edits:
                units.append(Unit(edits, weight=len(arguments) + 1))
    return [units] if units else []


def _edits(
    subject: Snapshot, document: TreeDocument, function: Function, parameter: int, arguments: Sequence[int]
) -> tuple[Cuts, ...]:
    """Return the ways in which a parameter goes: with its arguments, or to where it is a variable for all."""
    if not arguments:
        return ()
    tree = document.tree
    gone = unite(*(document.without([node]) for node in (parameter, *arguments)))
    if subject.language not in _TYPED_FIRST or b"&" in tree.text(parameter):
        return (gone,)
    around = function.node
    while tree.parent[around] != ROOT and tree.name(tree.parent[around]) != "declaration_list":
        around = tree.parent[around]
    variable = Cut(tree.start[around], tree.start[around], tree.text(parameter).split(b"=")[0].strip() + b";\n")
    return (gone, unite([variable], gone))
