"""Languages are told from names, and their texts become trees."""

from __future__ import annotations

import pytest

from minrepro.documents.languages import endings_of
from minrepro.documents.syntax.bundled_grammars import Reparser, badness, grammar, known_languages, language_of
from minrepro.errors import InputError


@pytest.mark.parametrize(
    ("name", "language"),
    [
        ("a.c", "c"),
        ("a.PY", "python"),
        ("x/y/Makefile", "make"),
        ("index.d.ts", "typescript"),
        ("t.v", "verilog"),
        ("page.html", "html"),
        ("a.json", "json"),
        ("query.sql", "sql"),
        ("strings.smt2", "scheme"),
        ("noidea.xyz", None),
        ("README", None),
    ],
)
def test_the_language_of_a_file_is_told_from_its_name(name: str, language: str | None) -> None:
    assert language_of(name) == language


@pytest.mark.parametrize(
    ("line", "language"),
    [
        (b"#!/bin/sh\n", "bash"),
        (b"#!/usr/bin/env python3.11\n", "python"),
        (b"#!/usr/bin/env -S node --flag\n", "javascript"),
        (b"#!/opt/unheard-of\n", None),
        (b"no shebang", None),
    ],
)
def test_the_language_of_a_script_is_told_from_its_first_line(line: bytes, language: str | None) -> None:
    assert language_of("script", line) == language


def test_all_languages_that_files_are_written_in_are_told_from_some_name() -> None:
    known = known_languages()
    assert len(known) > 165
    nameless = {language for language in known if not endings_of(language, known)}
    # Languages of comments and of parts of other files have no files of their own.
    assert nameless == {
        "comment", "doxygen", "gstlaunch", "jsdoc", "luadoc", "luap", "markdown_inline", "printf", "test",
    }  # fmt: skip


def test_an_unknown_language_is_refused_in_words() -> None:
    with pytest.raises(InputError, match="unknown language 'klingon'"):
        grammar("klingon")


def test_a_broken_text_has_a_tree_in_which_errors_are_nodes() -> None:
    tree = grammar("c").tree(b"int f( { ]] return 1; }")
    assert "ERROR" in {tree.name(node) for node in range(len(tree))}
    assert any(tree.is_error(node) for node in range(len(tree)))


def test_deep_nesting_is_no_trouble() -> None:
    text = b"[" * 100_000 + b"]" * 100_000
    known = grammar("json")
    parse = known.parse(text)
    tree = known.tree(text, parse)
    assert tree.weight(0) == 200_000
    assert badness(parse) == (0, 0)
    deepest = tree.leaves[99_999]
    assert tree.depth(deepest) == 100_001


def test_reparsing_around_a_change_finds_the_same_errors_as_parsing_all() -> None:
    known = grammar("c")
    text = b"".join(b"int f%d(int a) { return g(a, %d); }\n" % (i, i) for i in range(300))
    reparser = Reparser(known, text, known.parse(text))
    for cut in range(0, len(text) - 40, 397):
        shorter = text[:cut] + text[cut + 7 :]
        assert (reparser.badness(shorter)[0] > 0) == known.parse(shorter).root_node.has_error
    assert reparser.badness(text) == (0, 0)


def test_text_that_a_grammar_hides_is_a_leaf() -> None:
    tree = grammar("xml").tree(b'<a b="c d"/>')
    texts = {tree.text(leaf): tree.name(leaf) for leaf in tree.leaves}
    assert texts[b"c d"] == "text"
    assert b"".join(texts) == b'<ab="c d/>'


def test_a_node_may_begin_with_space() -> None:
    data = b"<a>\n <b/>\n</a>"
    known = grammar("xml")
    reparser = Reparser(known, data, known.parse(data))
    assert "content" in reparser.spans(data, 3, 10)
