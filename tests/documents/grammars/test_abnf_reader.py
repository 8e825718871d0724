"""Grammars in ABNF: counted repetitions, values of characters, case, and the core rules."""

from __future__ import annotations

import pytest

from minrepro.documents.grammars.given_grammar import GivenGrammar
from minrepro.documents.grammars.reading_grammars import grammar_from_text
from minrepro.errors import GrammarError, SyntaxMismatch

LOG = """
log     = 1*entry            ; at least one
entry   = level SP code [ SP message ] LF
level   = "warn" / %s"ERROR"
level   =/ %x69.6E.66.6F     ; info
code    = 3DIGIT / 2*2alpha
message = *( VCHAR / WSP )
"""


def read(text: str = LOG) -> GivenGrammar:
    return grammar_from_text(text, "ABNF", source="log.abnf")


@pytest.mark.parametrize("text", [b"warn 123\n", b"WaRn ab hello  you\n", b"ERROR 999 x\ninfo ZZ\n"])
def test_texts_that_match(text: bytes) -> None:
    assert read().open(text).render(()) == text


@pytest.mark.parametrize("text", [b"error 123\n", b"warn 12\n", b"warn 1234\n", b"INFO 123\n", b"warn 123", b""])
def test_texts_that_do_not_match(text: bytes) -> None:
    with pytest.raises(SyntaxMismatch):
        read().parse(text)


def test_words_and_fixed_texts_are_leaves() -> None:
    tree = read().parse(b"warn 123 hi\n")
    assert [tree.text(leaf) for leaf in tree.leaves] == [b"warn", b" ", b"123", b" ", b"hi", b"\n"]


def test_the_shortest_text_of_a_rule_is_known() -> None:
    grammar = read()
    assert (grammar.minimal("entry"), grammar.minimal("message")) == (b"info aa\n", b"")


def test_an_ambiguous_grammar_parses_what_one_token_ahead_cannot_decide() -> None:
    grammar = read('palindrome = "a" palindrome "a" / "b" palindrome "b" / "a" / "b" / ""\n')
    assert grammar.badness(b"abbaabba") == (0, 0)
    assert grammar.badness(b"abbaabbb")[0] == 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a = b\n", r"log\.abnf:1: b is not defined"),
        ("a = <any text>\n", r"log\.abnf:1: <any text> is for people"),
        ('a = "x"\na = "y"\n', r"log\.abnf:2: a is defined twice"),
        ('a = ("x"\n', r"log\.abnf:2: expected \)"),
        ("a = %b12\n", r"log\.abnf:1: %b12 is not a character"),
        ("a = 1*a\n", "no finite string can be derived from a"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(text: str, message: str) -> None:
    with pytest.raises(GrammarError, match=message):
        read(text)
