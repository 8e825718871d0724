"""Derives the stand-ins that the package ships from the definitions of tree-sitter grammars.

    derive_stand_ins.py FOLDER OUT    FOLDER holds LANGUAGE.json, each a grammar.json of that language

Only kinds that the bundled grammar of the language has are kept: a definition of another version does no harm, since
the parser is asked about every stand-in before it is used.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from grammar_definitions import Definition

from minrepro.documents.syntax.bundled_grammars import grammar, known_languages
from minrepro.documents.syntax.shortest_strings import spelled


def derived(language: str, definition: Path) -> dict[str, list[str]]:
    """Return the stand-ins of each kind of node of a language."""
    known = grammar(language)
    table: dict[str, list[str]] = {}
    for kind, strings in Definition(json.loads(definition.read_text("utf-8"))).stand_ins().items():
        if kind in known.kinds:
            table[kind] = list(dict.fromkeys(spelled(tokens, known.join).decode() for tokens in strings))
    return table


def main(folder: str, out: str) -> None:
    """Derive the table for all definitions in a folder."""
    tables = {}
    for definition in sorted(Path(folder).glob("*.json")):
        if definition.stem in known_languages():
            tables[definition.stem] = derived(definition.stem, definition)
    lines = [f"{json.dumps(language)}:{json.dumps(table, separators=(',', ':'))}" for language, table in tables.items()]
    Path(out).write_text("{\n" + ",\n".join(lines) + "\n}\n", "utf-8")
    print(f"{len(tables)} languages, {sum(map(len, tables.values()))} kinds of nodes")


if __name__ == "__main__":
    main(*sys.argv[1:])
