"""Deep nests as lists of levels."""

from __future__ import annotations

import pytest

from minrepro.core.edits import apply
from minrepro.documents.syntax.bundled_grammars import grammar
from minrepro.documents.syntax.nested_chains import level, nests


@pytest.mark.parametrize(
    ("language", "kind", "text", "core"),
    [
        ("json", "array", b"[" * 20 + b"1" + b"]" * 20, b"[1]"),
        ("json", "object", b'{"a":' * 20 + b"1" + b"}" * 20, b'{"a":1}'),
        ("c", "parenthesized_expression", b"int a = " + b"(" * 20 + b"b" + b")" * 20 + b";", b"(b)"),
        ("xml", "element", b"<a>" * 20 + b"x" + b"</a>" * 20, b"<a>x</a>"),
        ("javascript", "binary_expression", b"x = " + b" + ".join(b"a%d" % i for i in range(21)), b"a0 + a1"),
    ],
)
def test_nodes_of_one_kind_inside_each_other_are_a_nest(language: str, kind: str, text: bytes, core: bytes) -> None:
    tree = grammar(language).tree(text)
    (nest,) = nests(tree, 8)
    assert {tree.name(node) for node in nest} == {kind}
    assert len(nest) == 20
    assert tree.text(nest[-1]) == core


def test_few_levels_are_no_nest() -> None:
    tree = grammar("json").tree(b"[[[[]]]]")
    assert not list(nests(tree, 4))
    assert list(nests(tree, 3))


def test_each_of_two_nests_side_by_side_is_found() -> None:
    text = b"[" + b"[" * 9 + b"]" * 9 + b', {"a": ' + b"[" * 12 + b"]" * 12 + b"}]"
    found = [len(nest) for nest in nests(grammar("json").tree(text), 8)]
    assert found == [13, 9]  # the outermost belongs to the deeper one


def test_levels_go_when_a_node_becomes_one_inside_it() -> None:
    text = b"[[0], [1, [[2]]]]"
    tree = grammar("json").tree(text)
    outer, inner = (next(n for n in range(1, len(tree)) if tree.text(n) == t) for t in (b"[1, [[2]]]", b"[2]"))
    assert apply(text, level(tree, outer, inner)) == b"[[0], [2]]"
