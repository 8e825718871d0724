"""Small documents that stand for very large ones."""

from __future__ import annotations

from minrepro.core.edits import unite
from minrepro.documents.syntax.excerpt import far_from
from minrepro.documents.syntax.open_tree import open_tree

LARGE = b"[" + b", ".join(b'{"id": %d, "list": [%s]}' % (i, b", ".join([b"1"] * 50)) for i in range(2000)) + b"]"


def test_a_miniature_is_small_parses_and_holds_the_node() -> None:
    document = open_tree(LARGE, "json")
    node = next(node for node in range(len(document.tree)) if document.tree.text(node) == b"1234")
    cuts = unite(far_from(document.tree, node, document.separated, lambda other: True))
    small = document.render(cuts)
    assert len(small) < len(LARGE) // 20
    assert b'"id": 1234' in small
    assert document.parses(cuts)


def test_what_is_learnt_in_a_miniature_holds_for_the_whole() -> None:
    document = open_tree(LARGE, "json")
    tree = document.tree
    wanted = (b'{"id": 1234', b"1234", b'"id"')
    nodes = [next(node for node in range(2, len(tree)) if tree.text(node).startswith(word)) for word in wanted]
    for node in nodes:
        assert document.parses(document.without([node]))
    assert document.vanishes(nodes[0])
