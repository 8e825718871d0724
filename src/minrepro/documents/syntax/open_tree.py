"""Opens a text as a document that can be pruned: which language it is in, and what may stand in for its parts.

The stand-ins of each kind of node (an expression becomes `0`, a block `{}`) were derived once from the definitions of
the grammars and are shipped; for a language without, plain guesses take their place. The parser has the last word.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files

from minrepro.documents.grammars.given_grammar import GivenGrammar
from minrepro.documents.grammars.reading_grammars import grammar_from_text
from minrepro.documents.syntax.bundled_grammars import Grammar, Reparser, grammar
from minrepro.documents.syntax.tree import Tree
from minrepro.documents.syntax.tree_document import Replacements, TreeDocument

_GUESSES = ("0", "a", ";", "{}", "()", "[]", '""', "0;", "a;", "a{}")
_MOST_NODES = 200_000
"""How many nodes of a document are searched for the shortest of each kind."""


@cache
def _shipped() -> Mapping[str, Mapping[str, Sequence[str]]]:
    text = files("minrepro.documents.syntax").joinpath("stand_ins.json").read_text("utf-8")
    table: dict[str, dict[str, list[str]]] = json.loads(text)
    return table


def replacements_for(language: str, tree: Tree) -> Replacements:
    """Return what may stand where a node of a kind stands: what the grammar says, and the shortest the document has."""
    shipped = _shipped().get(language)
    own = _shortest_texts(tree)

    @cache
    def replacements(kind: str) -> tuple[bytes, ...]:
        texts = [text.encode() for text in (_GUESSES if shipped is None else shipped.get(kind, ()))]
        if kind in own:
            texts.append(own[kind])
        return tuple(sorted(dict.fromkeys(texts), key=len))

    return replacements


def _shortest_texts(tree: Tree) -> dict[str, bytes]:
    """Return the shortest text of each kind of node that has children."""
    shortest: dict[int, int] = {}
    for node in range(1, min(len(tree), _MOST_NODES)):
        if tree.size(node) and not tree.is_leaf(node):
            known = shortest.setdefault(tree.kind[node], node)
            if tree.size(node) < tree.size(known):
                shortest[tree.kind[node]] = node
    return {tree.kinds[kind]: tree.text(node) for kind, node in shortest.items()}


_GIVEN: dict[str, GivenGrammar] = {}


def offer(grammar: GivenGrammar) -> str:
    """Make a user's grammar known as a language, and return the name of the language."""
    name = f"{grammar.name}:{grammar.start}"
    _GIVEN[name] = grammar
    return name


def grammar_for(language: str, data: bytes) -> Grammar | GivenGrammar:
    """Return the grammar of a language for a text: one that a user brought, or else a bundled one."""
    if language in _GIVEN:
        return _GIVEN[language]
    known = grammar(language)
    if language == "xml" and data.count(b"</") >= _DEEP and known.badness(data)[0] and not _deep_xml().badness(data)[0]:
        return _deep_xml()
    return known


_DEEP = 100
"""With fewer elements than this, the names of all that are open fit into what the bundled grammar remembers."""


@cache
def _deep_xml() -> GivenGrammar:
    text = files("minrepro.documents.grammars").joinpath("xml.g4").read_text("utf-8")
    return grammar_from_text(text, "ANTLR 4", source="xml.g4")


def open_tree(data: bytes, language: str) -> TreeDocument:
    """Parse a text of a language into a document that can be pruned."""
    known = grammar_for(language, data)
    if isinstance(known, GivenGrammar):
        return known.document(data)
    parse = known.parse(data)
    tree = known.tree(data, parse)
    return TreeDocument(
        tree, Reparser(known, data, parse), join=known.join, replacements=replacements_for(language, tree)
    )


def has_stand_ins(language: str) -> bool:
    """Tell whether stand-ins for the nodes of a language are shipped."""
    return language in _shipped()
