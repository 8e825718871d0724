"""Names: where they are defined, and whether they are still used."""

from __future__ import annotations

from minrepro.core.edits import NONE
from minrepro.documents.syntax.name_index import Names
from minrepro.documents.syntax.open_tree import open_tree


def test_a_function_is_used_as_long_as_a_call_of_it_is_left() -> None:
    document = open_tree(b"void helper(void) {}\nvoid other(void) { helper(); }\n", "c")
    helper, other = (node for node in document.tree.children(0))
    names = Names(document.tree)
    assert names.still_used(helper, NONE)
    assert not names.still_used(other, NONE)
    assert not names.still_used(helper, document.without([other]))


def test_a_name_within_a_longer_text_is_a_use() -> None:
    document = open_tree(b'{"top": {"$ref": "#/defs/Part"}, "defs": {"Part": {}, "Rest": {}}}', "json")
    tree = document.tree
    pairs = {tree.text(node): node for node in range(len(tree)) if tree.name(node) == "pair"}
    names = Names(tree)
    assert names.still_used(pairs[b'"Part": {}'], NONE)
    assert not names.still_used(pairs[b'"Rest": {}'], NONE)
