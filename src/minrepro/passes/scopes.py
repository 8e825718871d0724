"""Scopes: what a namespace, a module or a class holds takes its place, and its name goes wherever it qualifies."""

from __future__ import annotations

import re

from minrepro.core.edits import Cut, Cuts, unite
from minrepro.core.units import Unit
from minrepro.documents.snapshot import Snapshot
from minrepro.documents.syntax.bracket_bodies import inner_parts
from minrepro.documents.syntax.calls import NAME
from minrepro.documents.syntax.spacing import with_space
from minrepro.documents.syntax.tree import NO_NODE, ROOT, Tree

_SCOPE = re.compile(r"namespace|mod_item|module$|class_(specifier|declaration|definition|body)|struct_specifier|^class")


def scopes(subject: Snapshot) -> list[list[Unit]]:
    """Propose for each scope to be replaced by what it holds, and for each name before `::` to go everywhere."""
    document = subject.document
    if document is None or subject.is_large:
        return []
    tree = document.tree
    scoped = any(tree.text(leaf) == b"::" for leaf in tree.leaves)
    qualifiers = _qualifiers(tree, b"::" if scoped else b".")
    units = []
    for node in range(1, len(tree)):
        if tree.is_named(node) and _SCOPE.search(tree.name(node)):
            opened = _opened(tree, node)
            if opened:
                uses = qualifiers.pop(_name(tree, node), [])
                units.append(Unit((unite(opened, uses),), weight=len(uses) + 2))
    if scoped:
        units += [Unit((unite(uses),), weight=len(uses)) for uses in qualifiers.values()]
    return [units] if units else []


def _name(tree: Tree, node: int) -> bytes:
    return next((tree.text(child) for child in tree.children(node) if tree.field_name(child) == "name"), b"")


def _opened(tree: Tree, node: int) -> Cuts:
    """Return the cuts that leave of a scope what stands between its brackets."""
    body = next((child for child in tree.children(node) if tree.field_name(child) == "body"), NO_NODE)
    if body == NO_NODE or not inner_parts(tree, body):
        return ()
    first, *_, last = tree.children_of(body)
    end = tree.end[node]
    behind = tree.leaf_behind(node)
    if behind != NO_NODE and tree.text(behind) == b";" and tree.end[last] == end:
        end = tree.end[behind]
    labels = [with_space(tree, child) for child in tree.children(body) if tree.name(child) == "access_specifier"]
    colons = [Cut(cut.start, cut.end + 1) if tree.data[cut.end : cut.end + 1] == b":" else cut for cut in labels]
    return unite([Cut(tree.start[node], tree.end[first]), Cut(tree.start[last], end)], colons)


def _qualifiers(tree: Tree, sign_text: bytes) -> dict[bytes, list[Cut]]:
    """Return for each name the cuts that take it with the sign behind it from where it qualifies another."""
    found: dict[bytes, list[Cut]] = {}
    for leaf in tree.leaves:
        text = tree.text(leaf)
        if not tree.is_named(leaf) or tree.parent[leaf] == ROOT or not NAME.fullmatch(text):
            continue
        sign = tree.leaf_behind(leaf)
        if sign != NO_NODE and tree.text(sign) == sign_text and tree.start[sign] == tree.end[leaf]:
            found.setdefault(text, []).append(Cut(tree.start[leaf], tree.end[sign]))
    return found
