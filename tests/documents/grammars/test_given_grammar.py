"""What all notations share: sound parsers, shortest strings that parse, and trees of every depth."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from minrepro.documents.grammars.grammar_check import check_grammar
from minrepro.documents.grammars.reading_grammars import grammar_from_text, notation_of, read_grammar
from minrepro.documents.syntax.open_tree import grammar_for, open_tree
from minrepro.errors import SyntaxMismatch
from tests.documents.grammars import test_abnf_reader, test_antlr_reader, test_ebnf_reader, test_yacc_reader

ALL = {
    "YACC": test_yacc_reader.CALCULATOR,
    "ANTLR 4": test_antlr_reader.EXPRESSIONS,
    "ABNF": test_abnf_reader.LOG,
    "W3C EBNF": test_ebnf_reader.MARKUP,
    "Lark": 'start: "a" rest\nrest: ("," WORD)*\nWORD: /[a-z]+/\n%ignore " "\n',
}


@pytest.mark.parametrize("notation", ALL)
def test_the_shortest_string_of_every_rule_is_a_text_of_that_rule(notation: str) -> None:
    grammar = grammar_from_text(ALL[notation], notation)
    for rule in check_grammar(grammar).shortest:
        own = grammar_from_text(ALL[notation], notation, start=rule)
        assert own.badness(own.minimal(rule))[0] == 0, rule


@pytest.mark.parametrize("notation", ALL)
def test_the_notation_is_told_from_the_text(notation: str) -> None:
    assert notation_of(Path("grammar.txt"), ALL[notation]) == notation


@pytest.mark.parametrize(
    ("name", "start", "text"),
    [
        ("JSON.g4", "json", b'{"a": [1, -2.5e3, {"b": null}], "c": "x\\n"}'),
        ("C.g4", "compilationUnit", b"int f(a *b) { for (;;) if (b) b[1] = (int) 2 * 3; else g(b); }"),
    ],
)
def test_grammars_for_antlr_of_today_are_read(name: str, start: str, text: bytes) -> None:
    grammar = read_grammar(Path(__file__).parents[3] / "benchmarks" / "grammars" / name, start)
    assert grammar.open(text).render(()) == text
    with pytest.raises(SyntaxMismatch):
        grammar.parse(text[:-1])


def test_tables_and_the_parser_for_every_grammar_agree() -> None:
    # As YACC has it, conflicts are decided for good; in ABNF nothing that can be parsed is turned down.
    rng = random.Random(1)
    yacc = grammar_from_text("%%\ns : 'a' s 'b' | 'a' s | 'c' ;\n", "YACC")
    abnf = grammar_from_text('s = "a" s "b" / "a" s / "c"\n', "ABNF")
    for _ in range(300):
        text = "".join(rng.choices("abc", k=rng.randint(1, 7)))
        depth = len(text) - len(text.lstrip("a"))
        rest = text.lstrip("a")
        right = rest.startswith("c") and set(rest[1:]) <= {"b"} and len(rest) - 1 <= depth
        assert (abnf.badness(text.encode()) == (0, 0)) == right, text
        assert (yacc.badness(text.encode()) == (0, 0)) == right, text


def deep_xml(levels: int) -> bytes:
    opened = "".join(f'<level{i} kind="x">\n' for i in range(levels))
    closed = "".join(f"</level{i}>\n" for i in reversed(range(levels)))
    return f'<?xml version="1.0"?>\n<!-- deep -->\n{opened}needle{closed}'.encode()


@pytest.mark.parametrize("levels", [10, 500, 5000])
def test_xml_is_parsed_however_deep_it_is(levels: int) -> None:
    text = deep_xml(levels)
    assert grammar_for("xml", text).badness(text) == (0, 0)
    document = open_tree(text, "xml")
    assert document.allowed == (0, 0)
    assert sum(document.tree.text(leaf).strip() == b"needle" for leaf in document.tree.leaves) == 1


def test_broken_xml_stays_broken() -> None:
    text = deep_xml(500) + b"<"
    assert grammar_for("xml", text).badness(text)[0] > 0


def test_what_a_grammar_check_finds() -> None:
    text = "start: e\ne: e OP e | N\nspare: OP\nOP: /[+-]/\nN: /[0-9]+/\n%ignore /\\s+/\n"
    found = check_grammar(grammar_from_text(text), b"1 +\n2 - 3")
    assert [(each.rule, each.line, each.text) for each in found.ambiguous] == [("e", 1, "1 + 2 - 3")]
    yacc = check_grammar(grammar_from_text("%%\na : 'x' | 'x' a 'x' ;\nb : 'y' ;\n", "YACC"))
    assert (yacc.unreachable, yacc.undecided) == (["b"], ["a before 'x'"])
