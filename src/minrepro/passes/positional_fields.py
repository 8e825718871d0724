"""Positional fields: a field of a structure goes together with the value at its place in every initializer."""

from __future__ import annotations

import re

from minrepro.core.edits import unite
from minrepro.core.units import Unit
from minrepro.documents.snapshot import Snapshot
from minrepro.documents.syntax.calls import named_children
from minrepro.documents.syntax.tree import NO_NODE, Tree

_FIELDS = re.compile(r"^(ordered_)?field_declaration_list$")
_VALUES = re.compile(r"initializer_list$|literal_value$")


def positional_fields(subject: Snapshot) -> list[list[Unit]]:
    """Propose for each field to go with the values at its place, also in arrays of its structure."""
    document = subject.document
    if document is None or subject.is_large:
        return []
    tree = document.tree
    values = [node for node in range(1, len(tree)) if _VALUES.search(tree.name(node))]
    units = []
    for node in range(1, len(tree)) if values else ():
        if not _FIELDS.match(tree.name(node)):
            continue
        fields = named_children(tree, node)
        alike = [given for each in values if len(given := _plain(tree, each)) == len(fields) and _of(tree, node, each)]
        for place, field in enumerate(fields):
            if alike:
                gone = [field, *(given[place] for given in alike)]
                units.append(Unit((unite(*(document.without([each]) for each in gone)),), weight=len(gone)))
    return [units] if units else []


def _plain(tree: Tree, node: int) -> list[int]:
    """Return the values of a list, or nothing if some say which field they are for, or all are lists themselves."""
    children = named_children(tree, node)
    if all(_VALUES.search(tree.name(child)) for child in children):
        return []  # an array of structures
    return [] if any(re.search(r"pair|keyed|field_initializer", tree.name(child)) for child in children) else children


def _of(tree: Tree, fields: int, values: int) -> bool:
    """Tell whether what declares a value names the structure that has these fields, or holds it."""
    structure = tree.parent[fields]
    name = next((child for child in tree.children(structure) if tree.field_name(child) == "name"), NO_NODE)
    if name == NO_NODE and tree.name(tree.parent[structure]) == "type_spec":
        structure = tree.parent[structure]
        name = next((child for child in tree.children(structure) if tree.field_name(child) == "name"), NO_NODE)
    for around in tree.ancestors(values):
        if "declaration" in tree.name(around) or "literal" in tree.name(around):
            head = tree.data[tree.start[around] : tree.start[values]]
            if around <= structure < tree.after[around]:
                return True
            if name != NO_NODE and re.search(rb"\b" + re.escape(tree.text(name)) + rb"\b", head):
                return True
    return False
