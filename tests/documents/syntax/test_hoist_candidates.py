"""What a node may become."""

from __future__ import annotations

from minrepro.core.edits import NONE
from minrepro.documents.syntax.hoist_candidates import hoists
from minrepro.documents.syntax.open_tree import open_tree
from minrepro.documents.syntax.tree_document import TreeDocument


def options(document: TreeDocument, text: bytes) -> list[bytes]:
    tree = document.tree
    node = next(node for node in range(1, len(tree)) if tree.text(node) == text and not tree.is_leaf(node))
    return [document.render(option.cuts) for option in hoists(document, node, NONE)]


def test_a_value_may_become_any_value_inside_it_the_shortest_first() -> None:
    found = options(open_tree(b"[[1, 22]]", "json"), b"[[1, 22]]")
    assert b"1" in found
    assert b"[1, 22]" in found
    assert found == sorted(found, key=len)


def test_what_does_not_fit_in_the_place_of_a_node_is_not_offered() -> None:
    found = options(open_tree(b'[{"key": 1}]', "json"), b'{"key": 1}')
    assert b"[1]" in found
    assert b'["key": 1]' not in found


def test_a_statement_may_take_the_place_of_the_loop_around_it() -> None:
    found = options(open_tree(b"void f() { while (1) { g(); } }", "c"), b"while (1) { g(); }")
    assert b"void f() { g(); }" in found


def test_a_leaf_has_no_parts() -> None:
    document = open_tree(b"[1]", "json")
    leaf = next(node for node in range(len(document.tree)) if document.tree.text(node) == b"1")
    assert hoists(document, leaf, NONE) == []
