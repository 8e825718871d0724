"""What goes when a node goes, and what stays."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from minrepro.core.edits import NONE, Cut, unite
from minrepro.documents.syntax.open_tree import open_tree
from minrepro.documents.syntax.tree_document import TreeDocument


def node_of(document: TreeDocument, text: bytes, occurrence: int = 0) -> int:
    """Return the outermost node with this text."""
    tree = document.tree
    return [node for node in range(1, len(tree)) if tree.text(node) == text][occurrence]


def without(language: str, text: bytes, *parts: bytes) -> bytes:
    document = open_tree(text, language)
    return document.render(document.without([node_of(document, part) for part in parts]))


@pytest.mark.parametrize(
    ("parts", "left"),
    [
        ((b"a",), b"f(b, c);"),
        ((b"b",), b"f(a,c);"),
        ((b"c",), b"f(a, b);"),
        ((b"b", b"c"), b"f(a);"),
        ((b"a", b"b", b"c"), b"f();"),
    ],
)
def test_an_element_of_a_list_goes_with_its_separator(parts: tuple[bytes, ...], left: bytes) -> None:
    assert without("javascript", b"f(a, b, c);", *parts) == left


def test_parts_of_a_loop_head_go_without_the_semicolons() -> None:
    left = without("c", b"void f() { for (i=0; i<n; i++) g(); }", b"i=0", b"i<n", b"i++")
    assert left == b"void f() { for (;;) g(); }"


def test_what_may_not_go_is_replaced_by_the_shortest_that_fits() -> None:
    assert without("c", b"void f() { while (y != 0) g(); }", b"y != 0") == b"void f() { while (0) g(); }"
    assert without("javascript", b"try { x(); } finally {}", b"{ x(); }") == b"try {} finally {}"


def test_the_body_of_a_loop_does_not_go_because_a_statement_follows() -> None:
    assert without("c", b"void f() { while (1) { a(); } b(); }", b"{ a(); }") == b"void f() { while (1) ; b(); }"


def test_a_block_that_must_not_be_empty_keeps_something_short() -> None:
    left = without("python", b"def f():\n    first(1)\n    second(2)\n", b"first(1)", b"second(2)")
    assert left == b"def f():\n    0\n"


def test_a_statement_goes_with_its_line() -> None:
    text = b"a = 1\nb = 2\nc = 3\n"
    assert without("python", text, b"b = 2") == b"a = 1\nc = 3\n"
    assert without("python", text, b"a = 1") == b"b = 2\nc = 3\n"


def test_two_words_never_become_one() -> None:
    document = open_tree(b"else/**/if", "c")
    comment = node_of(document, b"/**/")
    assert document.render(document.without([comment])) == b"else if"


def test_fixed_text_is_optional_only_where_the_rest_stays_what_it_is() -> None:
    document = open_tree(b"async function f() { return g(1); }", "javascript")
    assert document.vanishes(node_of(document, b"async"))
    assert not document.removable(node_of(document, b"return"))


def test_an_operand_may_take_the_place_of_both_only_when_that_is_wanted() -> None:
    document = open_tree(b"x = first + second;", "javascript")
    assert not document.removable(node_of(document, b"first"))
    document.collapsing = True
    assert document.render(document.without([node_of(document, b"first")])) == b"x = second;"


def test_what_is_cut_is_not_alive_and_its_siblings_are() -> None:
    document = open_tree(b"[1, [2, 3], 4]", "json")
    inner = node_of(document, b"[2, 3]")
    cuts = document.without([inner])
    assert document.render(cuts) == b"[1,4]"
    assert not document.is_alive(inner, cuts)
    assert not document.is_alive(node_of(document, b"3"), cuts)
    assert document.is_alive(node_of(document, b"4"), cuts)
    assert inner not in set(document.alive_children(document.tree.parent[inner], cuts))


@given(st.lists(st.tuples(st.integers(0, 4000), st.integers(1, 1500)), max_size=4))
def test_of_many_siblings_those_are_alive_of_which_something_is_left(spans: list[tuple[int, int]]) -> None:
    text = b"[" + b", ".join(b"[%d, 7]" % number for number in range(400)) + b"]"
    document = open_tree(text, "json")
    cuts = unite([Cut(start, min(len(text), start + size)) for start, size in spans if start < len(text)])
    array = node_of(document, text)
    alive = list(document.alive_children(array, cuts))
    assert alive == [child for child in document.tree.children(array) if document.is_alive(child, cuts)]


def test_thousands_of_neighbours_go_as_one() -> None:
    document = open_tree(b"[" + b", ".join(b"%d" % i for i in range(3000)) + b"]", "json")
    numbers = [node for node in range(len(document.tree)) if document.tree.name(node) == "number"]
    cuts = document.without(numbers[1000:])
    assert document.render(cuts) == b"[" + b", ".join(b"%d" % i for i in range(1000)) + b"]"
    assert len(cuts) <= 2
    assert document.render(document.without(numbers[:2999])) == b"[2999]"
    assert document.render(document.without(numbers[1:2999])) == b"[0,2999]"


def test_an_input_with_errors_may_keep_them_but_get_no_more() -> None:
    document = open_tree(b"int x = ]];\nint g(void) { return 1; }\n", "c")
    assert document.parses(NONE)
    assert document.allowed[0] > 0
    function = node_of(document, b"int g(void) { return 1; }")
    assert document.parses(document.without([function]))
