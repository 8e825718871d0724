"""Trees from grammars written for Lark, and what is wrong with some."""

from __future__ import annotations

from pathlib import Path

import pytest

from minrepro.documents.grammars.reading_grammars import grammar_from_text, read_grammar
from minrepro.errors import GrammarError, SyntaxMismatch

LISTS = """
start: list
list: "[" (item ("," item)*)? "]"
item: WORD | list
WORD: /\\w+/
%ignore /\\s+/
"""


def test_a_text_is_parsed_and_given_back_byte_for_byte() -> None:
    text = "[ä, [b , c],\n d]".encode()
    document = grammar_from_text(LISTS).open(text)
    assert document.render(()) == text
    tree = document.tree
    assert "ä".encode() in {tree.text(node) for node in range(len(tree))}


def test_elements_go_with_their_separators() -> None:
    document = grammar_from_text(LISTS).open(b"[a, [b, c], d]")
    tree = document.tree
    items = [node for node in range(len(tree)) if tree.name(node) == "item" and tree.text(node) in (b"a", b"[b, c]")]
    assert document.render(document.without(items)) == b"[d]"


def test_the_shortest_text_of_each_rule_is_known() -> None:
    grammar = grammar_from_text(LISTS)
    assert grammar.minimal("list") == b"[]"
    assert grammar.minimal("item") == b"0"


@pytest.mark.parametrize(
    ("text", "start", "message"),
    [
        ('start: a\na: "x" a\n', "start", "no finite string can be derived from start, a"),
        ('start: "x"\n', "top", "no rule 'top'"),
        ("start: )\n", "start", "line 1"),
        ("start: missing\n", "start", "missing"),
    ],
)
def test_what_is_wrong_with_a_grammar_is_said(text: str, start: str, message: str) -> None:
    with pytest.raises(GrammarError, match=r"my\.lark") as caught:
        grammar_from_text(text, "Lark", start, "my.lark")
    assert message in str(caught.value)


def test_a_grammar_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(GrammarError, match=r"cannot read grammar .*none\.lark"):
        read_grammar(tmp_path / "none.lark")


def test_where_a_text_stops_matching_is_shown() -> None:
    with pytest.raises(SyntaxMismatch, match="line 2, column 4") as caught:
        grammar_from_text(LISTS).open(b"[a,\nb, , c]")
    assert "b, >>>, c]" in str(caught.value)
    with pytest.raises(SyntaxMismatch):
        grammar_from_text(LISTS).open(b"[a, b")
