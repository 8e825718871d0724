"""Grammars in the EBNF of the W3C: down to characters, or with tokens."""

from __future__ import annotations

import pytest

from minrepro.documents.grammars.given_grammar import GivenGrammar
from minrepro.documents.grammars.reading_grammars import grammar_from_text
from minrepro.errors import GrammarError
from tests.documents.grammars.test_yacc_reader import shape

MARKUP = """
[1]  document ::= element
[2]  element  ::= '<' Name (S Attribute)* S? ('/>' | '>' content '</' Name S? '>')  [ wfc: the names are the same ]
[3]  Attribute ::= Name '=' '"' [^<&"]* '"'
[4]  content  ::= (element | Text | Comment)*
     Text     ::= (Char - [<&])+          /* what is left */
     Comment  ::= "<!--" ((Char - '-') | ('-' (Char - '-')))* "-->"
     Name     ::= [A-Za-z_:] [A-Za-z0-9_:.-]*
     S        ::= (#x20 | #x9 | #xD | #xA)+
     Char     ::= #x9 | #xA | [#x20-#xD7FF]
"""
QUERY = """
query   ::= 'select' names ('from' NAME)?
names   ::= NAME (',' NAME)*
@terminals
NAME    ::= LETTER (LETTER | [0-9])* | '"' [^"]* '"'
LETTER  ::= [a-z] - [xyz]
@pass   ::= [ #x9#xA]+ | '#' [^#xA]*
"""


def read(text: str) -> GivenGrammar:
    return grammar_from_text(text, "W3C EBNF", source="my.ebnf")


def test_rules_go_down_to_characters() -> None:
    grammar = read(MARKUP)
    text = b'<a x="1"><!-- c - d --><b />two\n<c>y</c></a>'
    document = grammar.open(text)
    assert document.render(()) == text
    tree = document.tree
    elements = [node for node in range(len(tree)) if tree.text(node) in (b"<b />", b"<c>y</c>")]
    assert document.render(document.without(elements)) == b'<a x="1"><!-- c - d -->two\n</a>'
    assert grammar.minimal("element") == b"<A/>".replace(b"A", b"a")


def test_tokens_and_what_stands_between_them() -> None:
    grammar = read(QUERY)
    assert shape(grammar, b'select a1 , "x y" # comment\nfrom b') == '[select [a1 , "x y"] # comment from b]'
    assert grammar.badness(b"select x")[0] == 1
    assert grammar.minimal("query") == b"select a"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a ::= b", r"my\.ebnf:1: b is not defined"),
        ("a ::= Char* - 'x'\nChar ::= [a-z]", r"my\.ebnf:1: an exception"),
        ("a ::= ('x'", r"my\.ebnf:1: expected \)"),
        ("a ::= *", r"my\.ebnf:1: cannot read \*"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(text: str, message: str) -> None:
    with pytest.raises(GrammarError, match=message):
        read(text)
