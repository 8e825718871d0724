"""Functions and the calls of them, in any language whose grammar speaks of parameters, arguments and a body.

Calls are found by name alone: which of several functions of one name is meant, the test has to tell.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from minrepro.documents.syntax.tree import NO_NODE, ROOT, Tree

NAME = re.compile(rb"[A-Za-z_$][\w$]*")
_DECLARING = ("name", "declarator", "pattern", "left")
_ABOVE = 5
"""How far above its parameters a function is looked for."""
_GENERIC = re.compile(r"type_arguments|template_argument_list")


@dataclass(frozen=True, slots=True)
class Function:
    """A function that has a body, or is only declared."""

    node: int
    name: bytes
    parameters: Sequence[int]
    body: int


@dataclass(frozen=True, slots=True)
class Call:
    """A place where something is called by name."""

    node: int
    arguments: Sequence[int]


def functions_of(tree: Tree) -> Iterator[Function]:
    """Yield the functions of a tree."""
    for node in range(1, len(tree)):
        if tree.field_name(node) == "parameters" and (name := name_before(tree, node)):
            whole, body = _whole(tree, node)
            yield Function(whole, name, named_children(tree, node), body)


def calls_of(tree: Tree) -> dict[bytes, list[Call]]:
    """Return the calls of a tree by the last name of what is called."""
    calls: defaultdict[bytes, list[Call]] = defaultdict(list)
    for node in range(1, len(tree)):
        if tree.field_name(node) == "arguments" and not _GENERIC.search(tree.name(node)):
            name = name_before(tree, node)
            if name:
                calls[name].append(Call(tree.parent[node], named_children(tree, node)))
    return calls


def name_before(tree: Tree, node: int) -> bytes:
    """Return the last name in the same parent before a node, but for those in the arguments of a type."""
    leaf, parent = tree.leaf_before(node), tree.parent[node]
    while leaf > parent:
        around = leaf
        while around != parent and not _GENERIC.search(tree.name(around)):
            around = tree.parent[around]
        if around != parent:
            leaf = tree.leaf_before(around)
            continue
        text = tree.text(leaf)
        if tree.is_named(leaf) and NAME.fullmatch(text):
            return text
        leaf = tree.leaf_before(leaf)
    return b""


def declared_name(tree: Tree, node: int) -> int:
    """Return the leaf that is the name which a parameter or a variable declares, or NO_NODE."""
    while not tree.is_leaf(node):
        children = [child for child in tree.children(node) if tree.is_named(child)]
        chosen = next((child for child in children if tree.field_name(child) in _DECLARING), None)
        if chosen is None:
            chosen = next((child for child in children if "identifier" in tree.name(child)), None)
        if chosen is None:
            chosen = children[0] if len(children) == 1 else None
        if chosen is None:
            return NO_NODE
        node = chosen
    return node if tree.is_named(node) and NAME.fullmatch(tree.text(node)) else NO_NODE


def named_children(tree: Tree, node: int) -> list[int]:
    """Return the children of a node that are more than fixed text."""
    return [child for child in tree.children(node) if tree.is_named(child) and not tree.is_extra(child)]


def _whole(tree: Tree, parameters: int) -> tuple[int, int]:
    """Return the function that has some parameters, and its body or NO_NODE."""
    node = tree.parent[parameters]
    for _ in range(_ABOVE):
        body = next((child for child in tree.children(node) if tree.field_name(child) == "body"), NO_NODE)
        if body != NO_NODE:
            return (node, body) if body > parameters else (tree.parent[parameters], NO_NODE)
        if tree.parent[node] == ROOT or tree.field_name(node) not in (*_DECLARING, ""):
            break
        node = tree.parent[node]
    return tree.parent[parameters], NO_NODE
