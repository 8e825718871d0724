"""Opening a text as a tree, and the stand-ins that are shipped."""

from __future__ import annotations

import json
from importlib.resources import files

import pytest

from minrepro.documents.syntax.bundled_grammars import known_languages
from minrepro.documents.syntax.open_tree import has_stand_ins, open_tree

PROGRAMS = {
    "c": b"int f(int a) { if (a) { return g(a, 1); } while (a) a--; return (a + 2) * 3; }\n",
    "python": b"def f(a):\n    if a:\n        return g(a, 1)\n    x = [1, 2]\n    return {'k': (a + 2) * 3}\n",
    "javascript": b"function f(a) { if (a) { return g(a, [1]); } const x = {k: (a + 2) * 3}; return x; }\n",
    "java": b"class A { int f(int a) { if (a > 0) { return g(a, 1); } return (a + 2) * 3; } }\n",
    "json": b'{"a": [1, {"b": null}], "c": "text"}',
}


@pytest.mark.parametrize("language", PROGRAMS)
def test_every_stand_in_that_is_used_parses_in_its_place(language: str) -> None:
    document = open_tree(PROGRAMS[language], language)
    tree = document.tree
    replaced = 0
    for node in range(1, len(tree)):
        if document.removable(node) and not document.vanishes(node):
            cuts = document.without([node])
            assert document.parses(cuts), document.render(cuts)
            assert len(document.render(cuts)) <= len(tree.data)
            replaced += 1
    assert replaced


def test_stand_ins_are_shipped_for_known_languages_only() -> None:
    table = json.loads(files("minrepro.documents.syntax").joinpath("stand_ins.json").read_text("utf-8"))
    assert set(table) <= known_languages()
    assert all(has_stand_ins(language) for language in table)
    texts = [text for kinds in table.values() for strings in kinds.values() for text in strings]
    assert texts
    assert all(isinstance(text, str) for text in texts)


def test_what_the_grammar_does_not_say_the_document_does() -> None:
    document = open_tree(b"[[1, 2, 3], [4]]", "json")
    tree = document.tree
    longest = next(node for node in range(2, len(tree)) if tree.text(node) == b"[1, 2, 3]")
    assert b"[4]" in document.shorter_texts(longest)
