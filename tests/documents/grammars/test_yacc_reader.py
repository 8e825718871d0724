"""Grammars for YACC with a lexical section: what is read of them, and what is refused."""

from __future__ import annotations

import pytest

from minrepro.documents.grammars.given_grammar import GivenGrammar
from minrepro.documents.grammars.reading_grammars import grammar_from_text
from minrepro.errors import GrammarError, SyntaxMismatch

CALCULATOR = r"""
%{ #include <stdio.h> %}
%union { int number; }
%token <number> NUM "number"
%left '+' '-'
%left '*' '/'
%right UMINUS
%%
line : sum { printf("%d}", $1); } | error '\n' ;
sum : sum '+' sum { $$ = $1 + $3; }
    | sum '*' sum
    | '-' sum %prec UMINUS
    | '(' sum ')'
    | NUM
    | NAME '(' arguments ')'
    ;
arguments : sum | arguments ',' sum ;
%%
SKIP : [|[ \t\n]+|];
SKIP: [|"/*"([^\*]|\*[^\/])*"*/"|];
SKIP: [|"//"[^\n]*\n];
NUM : [|[0-9]+|] [|7|];
NAME : [|[a-z]+|];
"""


def read(text: str = CALCULATOR) -> GivenGrammar:
    return grammar_from_text(text, "YACC", source="calc.y")


def shape(grammar: GivenGrammar, data: bytes) -> str:
    """Return the tree of a text with each node that has several parts in brackets."""
    tree = grammar.parse(data)

    def of(node: int) -> str:
        parts = [of(child) for child in tree.children(node)]
        return tree.text(node).decode() if not parts else parts[0] if len(parts) == 1 else f"[{' '.join(parts)}]"

    return of(0)


def test_declared_ranks_decide_how_operators_group() -> None:
    assert shape(read(), b"1+2*3+4") == "[[1 + [2 * 3]] + 4]"
    assert shape(read(), b"-1*2") == "[[- 1] * 2]"


def test_a_recursive_list_is_a_list_in_the_tree() -> None:
    assert shape(read(), b"f(1, 2, 3)") == "[f ( [1 , 2 , 3] )]"


def test_the_shortest_text_of_a_token_is_the_one_given_or_else_derived() -> None:
    grammar = read()
    assert grammar.minimal("sum") == b"7"
    assert grammar.replacements("arguments") == (b"7",)
    assert grammar.shortest["NAME"] == ("a",)


def test_what_is_skipped_and_is_no_space_can_be_removed() -> None:
    document = read().open(b"1 + /* two */ 2 // three\n")
    tree = document.tree
    skipped = [node for node in range(len(tree)) if tree.is_extra(node)]
    assert [tree.text(node) for node in skipped] == [b"/* two */", b"// three"]
    assert document.render(document.without(skipped)) == b"1 + 2\n"


def test_an_alternative_for_errors_makes_no_text_right() -> None:
    with pytest.raises(SyntaxMismatch, match="line 1, column 2"):
        read().parse(b"1)")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("%%\na : B ;\n%%\n", r"calc\.y:2: nothing says what these tokens look like: B"),
        ("a : 'x' ;\n", "between lines of %%"),
        ("%%\na 'x' ;\n", r"calc\.y:2: expected :"),
        ("%%\na : 'x'\nb : 'y' ;\n", r"calc\.y:3: expected ; at the end of rule a"),
        ("a : X ;\n%%\nX : [|a/b|];\n", r"calc\.y:3: / looks beyond the token"),
        ("a : X ;\n%%\nX = a\n[| |]\n", r"calc\.y:3: expected NAME"),
        ("a : X ;\n%%\nX : [|[a|];\n", r"calc\.y:3: a set of characters has no end"),
        ("%%\na : { x ;\n", r"calc\.y:2: a brace is not closed"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(text: str, message: str) -> None:
    with pytest.raises(GrammarError, match=message):
        read(text)
