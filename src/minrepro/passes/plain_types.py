"""Plain types: a number's type stands wherever a type is used, and the definition of that goes."""

from __future__ import annotations

import re

from minrepro.core.edits import Cut, unite
from minrepro.core.units import Unit
from minrepro.documents.snapshot import Snapshot
from minrepro.documents.syntax.tree import ROOT, Tree
from minrepro.documents.syntax.tree_document import TreeDocument

PLAIN = {
    "c": b"int",
    "cpp": b"int",
    "objc": b"int",
    "java": b"int",
    "csharp": b"int",
    "go": b"int",
    "kotlin": b"Int",
    "swift": b"Int",
    "rust": b"u8",
    "typescript": b"any",
    "tsx": b"any",
    "python": b"int",
}
"""The shortest type of each language that hardly anything depends on."""
_DEFINES_TYPE = re.compile(r"type_definition|alias|_specifier|struct|class|enum|union|interface|type_item|type_spec")
_MOST_USES = 60


def plain_types(subject: Snapshot) -> list[list[Unit]]:
    """Propose for each type to be a plain one wherever it is used, with its definition gone, or at one place."""
    document = subject.document
    plain = PLAIN.get(subject.language or "")
    if document is None or plain is None or subject.is_large:
        return []
    tree = document.tree
    named: dict[bytes, list[int]] = {}
    places: list[Unit] = []
    for node in range(1, len(tree)):
        if not tree.is_named(node):
            continue
        if tree.name(node) == "type_identifier" or tree.field_name(node) == "name":
            named.setdefault(tree.text(node), []).append(node)
        if tree.field_name(node) == "type" and tree.weight(node) > 1 and tree.size(node) > len(plain):
            places.append(Unit(((Cut(tree.start[node], tree.end[node], plain),),), tree.weight(node), family="type"))
    everywhere = [
        unit for name, nodes in named.items() if (unit := _everywhere(document, name, nodes, plain)) is not None
    ]
    return [units for units in (everywhere, places) if units]


def _everywhere(document: TreeDocument, name: bytes, nodes: list[int], plain: bytes) -> Unit | None:
    """Return the unit that makes all uses of a type plain and takes its definition away."""
    tree = document.tree
    definition = next((around for node in nodes if (around := _defined_by(document, node)) is not None), None)
    if definition is None or not 2 <= len(nodes) <= _MOST_USES:
        return None
    dropped = document.without([definition])
    uses: list[Cut] = []
    for node in nodes:
        if not definition <= node < tree.after[definition] and tree.text(node) == name:
            start, end = _whole_type(tree, node)
            uses.append(Cut(start, end, plain))
    return Unit((unite(dropped, uses),), tree.weight(definition)) if uses and dropped else None


def _defined_by(document: TreeDocument, node: int) -> int | None:
    """Return what may go and defines the type that a node names, if it does."""
    tree = document.tree
    parent = tree.parent[node]
    defining = tree.field_name(node) in ("name", "declarator") and _DEFINES_TYPE.search(tree.name(parent))
    has_body = any(tree.field_name(child) in ("body", "type", "value") for child in tree.children(parent))
    if not defining or not has_body:
        return None
    around = (each for each in tree.ancestors(node) if each != ROOT and document.vanishes(each))
    return next(around, None)


def _whole_type(tree: Tree, node: int) -> tuple[int, int]:
    """Return the span of the type that a name is the head of: with its scope, its arguments, or the word `struct`."""
    while tree.field_name(node) in ("name", "type") and tree.parent[node] != ROOT:
        parent = tree.parent[node]
        text = tree.text(parent)
        is_type = re.search(r"type|qualified|scoped|_specifier|generic", tree.name(parent))
        if not is_type or text[-1:] in b"};" or "definition" in tree.name(parent):
            break
        node = parent
    return tree.start[node], tree.end[node]
