"""Space around cuts, and between what they bring together."""

from __future__ import annotations

import pytest

from minrepro.core.edits import Cut, apply
from minrepro.documents.syntax.bundled_grammars import grammar
from minrepro.documents.syntax.spacing import separator_for, stripped, with_blanks, with_space, without_blank_line


@pytest.mark.parametrize(
    ("left", "right", "between"),
    [
        (b"int", b"x", b" "),
        (b"a", b"(", b""),
        (b"+", b"+", b" "),
        (b"/", b"*", b" "),
        (b"1", b".5", b" "),
        (b"r", b'"s"', b" "),
        (b"a ", b"b", b""),
        (b")", b"{", b""),
        (b"'a'", b"'b'", b" "),
        (b"'a'", b":", b""),
        (b"@", b'"b"', b" "),
        (b'("', b'")', b""),
        (b'"a"', b'"b"', b" "),
        (b'\nf("a "', b'" b");', b" "),
    ],
)
def test_pieces_that_could_be_read_as_one_token_are_kept_apart(left: bytes, right: bytes, between: bytes) -> None:
    assert separator_for(["++", "+="])(left, right) == between


def test_no_space_comes_between_tags_where_it_would_be_text() -> None:
    assert separator_for(["<", ">", "</"])(b"<a>", b"<b>") == b""
    assert separator_for(["<", ">"])(b">", b"<") == b" "


def test_a_span_loses_the_space_at_its_ends() -> None:
    assert stripped(b"  ab \n", 0, 6) == (2, 4)
    assert stripped(b"   ", 0, 3) == (3, 3)


def cut(text: bytes, word: bytes) -> bytes:
    tree = grammar("c").tree(text)
    node = next(node for node in range(len(tree)) if tree.text(node) == word)
    return apply(text, (without_blank_line(tree, with_space(tree, node)),))


def test_one_gap_stays_where_there_were_two() -> None:
    assert cut(b"f(a, b, c);", b"b") == b"f(a,, c);"


def test_a_statement_takes_its_line_along() -> None:
    assert cut(b"void f() {\n    a();\n    b();\n}\n", b"a();") == b"void f() {\n    b();\n}\n"


def test_a_replacement_keeps_its_line() -> None:
    tree = grammar("c").tree(b"int a;\nint b;\n")
    replacing = Cut(7, 13, b";")
    assert without_blank_line(tree, replacing) == replacing


def test_a_last_line_that_goes_with_its_end_leaves_the_end_of_the_line_before() -> None:
    data = b"[a]\nx = 1\ny = 2\n"
    known = grammar("ini")
    tree = known.tree(data, known.parse(data))
    assert apply(data, (without_blank_line(tree, Cut(10, 16)),)) == b"[a]\nx = 1\n"


@pytest.mark.parametrize(
    ("before", "word", "after"),
    [
        (b"  int x;\n", b"int", b"  x;\n"),
        (b"a b c", b"b", b"a c"),
        (b"  x = y \n", b"y", b"  x =\n"),
        (b"f(a, b)", b"b", b"f(a, )"),
        (b"a\n  b\nc", b"b", b"a\n  \nc"),
    ],
)
def test_a_word_goes_with_one_gap_and_its_line_keeps_the_indentation(before: bytes, word: bytes, after: bytes) -> None:
    start = before.index(word)
    assert apply(before, (with_blanks(before, start, start + len(word)),)) == after
