"""Grammars for ANTLR 4: modes, fragments, channels, ranks; and what needs code, which is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from minrepro.documents.grammars.given_grammar import GivenGrammar
from minrepro.documents.grammars.reading_grammars import grammar_from_text, read_grammar
from minrepro.errors import GrammarError, SyntaxMismatch
from tests.documents.grammars.test_yacc_reader import shape

EXPRESSIONS = r"""
grammar Script;
options { language = Python3; }
@members { int count; }
program : statement* EOF ;
statement locals [int n] @init { n = 0; }
    : NAME '=' value=expression ';' {count++;} # assignment
    | 'if' '(' expression ')' statement ('else' statement)? # choice
    | '{' statement* '}' # block
    | ~('}' | 'else' | 'if' | '{' | NAME | ';') ';' # other
    ;
expression
    : <assoc=right> expression '^' expression
    | expression ('*' | '/') expression
    | expression op=('+' | '-') expression
    | '-' expression
    | '(' expression ')'
    | NAME | NUMBER | text
    ;
text : QUOTE (CHARACTER | OPEN expression CLOSE)* QUOTE_END ;
NAME : LETTER (LETTER | DIGIT)* ;
NUMBER : DIGIT+ ('.' DIGIT+)? EXPONENT? ;
fragment EXPONENT : [eE] [+\-]? DIGIT+ ;
fragment LETTER : [a-zA-Z_\u00e4] ;
fragment DIGIT : '0'..'9' ;
QUOTE : '"' -> pushMode(STRING) ;
CLOSE : '}$' -> popMode ;
COMMENT : '/*' .*? '*/' -> channel(HIDDEN) ;
SPACE : [ \t\r\n]+ -> skip ;
mode STRING;
OPEN : '${' -> pushMode(DEFAULT_MODE) ;
ESCAPE : '\\' -> more, pushMode(ESCAPED) ;
CHARACTER : ~["\\$] ;
QUOTE_END : '"' -> popMode ;
mode ESCAPED;
ESCAPED_CHARACTER : . -> type(CHARACTER), popMode ;
"""


def read(text: str = EXPRESSIONS) -> GivenGrammar:
    return grammar_from_text(text, "ANTLR 4", source="Script.g4")


def test_the_order_of_alternatives_ranks_operators() -> None:
    grammar = read()
    assert shape(grammar, b"a = 1 + 2 * 3 - 4;") == "[a = [[1 + [2 * 3]] - 4] ;]"
    assert shape(grammar, b"a = 2 ^ 3 ^ 4;") == "[a = [2 ^ [3 ^ 4]] ;]"


def test_modes_begin_and_end_where_the_lexer_says() -> None:
    grammar = read()
    assert shape(grammar, b'a = "x${b + 1}$\\"y" ;') == '[a = [" x ${ [b + 1] }$ \\" y "] ;]'
    with pytest.raises(SyntaxMismatch, match="unexpected end"):
        grammar.parse(b'a = "x')


def test_an_else_belongs_to_the_nearest_if() -> None:
    assert shape(read(), b"if (a) if (b) c = 1; else d = 2;") == "[if ( a ) [if ( b ) [c = 1 ;] else [d = 2 ;]]]"


def test_hidden_channels_are_skipped_and_sets_of_tokens_are_read() -> None:
    tree = read().parse("ä = /* x */ 1; 7;".encode())
    assert {tree.text(node) for node in range(len(tree)) if tree.is_extra(node)} == {b"/* x */"}


def test_the_shortest_strings_go_through_fragments_and_modes() -> None:
    grammar = read()
    assert grammar.minimal("text") == b'""'
    assert grammar.minimal("expression") == b"0"
    assert grammar.minimal("statement") == b"0;"


def test_a_parser_finds_its_lexer_and_what_it_imports_beside_it(tmp_path: Path) -> None:
    (tmp_path / "RowsLexer.g4").write_text(
        "lexer grammar RowsLexer;\nCOMMA : ',' ;\nEND : '\\r'? '\\n' ;\nFIELD : ~[,\\r\\n]+ ;\n"
    )
    (tmp_path / "Field.g4").write_text("parser grammar Field;\nfield : FIELD? ;\n")
    (tmp_path / "Rows.g4").write_text(
        "parser grammar Rows;\noptions { tokenVocab = RowsLexer; }\nimport Field;\n"
        "file : row+ EOF ;\nrow : field (',' field)* END ;\n"
    )
    assert shape(read_grammar(tmp_path / "Rows.g4"), b"a,b\nc,\n") == "[[a , b \n] [c , \n]]"
    with pytest.raises(GrammarError, match="no rules of a parser"):
        read_grammar(tmp_path / "RowsLexer.g4")
    (tmp_path / "Field.g4").unlink()
    with pytest.raises(GrammarError, match=r"cannot read grammar .*Field\.g4"):
        read_grammar(tmp_path / "Rows.g4")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("grammar A;\na : {ok()}? 'x' ;", r"Script\.g4:2: a predicate"),
        ("grammar A;\na : X ;\nX : 'x' {count++;} ;", r"Script\.g4:3: an action of the lexer"),
        ("grammar A;\ntokens { INDENT }\na : INDENT 'x' ;", r"Script\.g4:3: only code makes the token INDENT"),
        ("grammar A;\na[int n] : 'x' ;", r"Script\.g4:2: rule a has arguments"),
        ("grammar A;\na : b[1] ;\nb : 'x' ;", r"Script\.g4:2: \[1\] passes arguments"),
        ("grammar A;\na : X ;\nX : '(' X? ')' ;", r"Script\.g4:3: the token X refers to itself"),
        ("grammar A;\na : X ;\nX : [\\p{Nonsense}] ;", r"Script\.g4:3: the property Nonsense"),
        ("grammar A;\na : b ;", r"Script\.g4:2: b is not defined"),
        ("grammar A;\na : 'x' 'y' b\n", r"Script\.g4:3: expected ;"),
    ],
)
def test_what_needs_code_or_is_wrong_is_refused_with_its_line(text: str, message: str) -> None:
    with pytest.raises(GrammarError, match=message):
        read(text)
