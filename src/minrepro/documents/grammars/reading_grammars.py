"""Reads grammars from files, in the notation that their name or their text tells."""

from __future__ import annotations

import re
from pathlib import Path

from minrepro.documents.grammars.abnf_reader import read_abnf
from minrepro.documents.grammars.antlr_reader import Load, read_antlr
from minrepro.documents.grammars.ebnf_reader import read_ebnf
from minrepro.documents.grammars.given_grammar import GivenGrammar, notion_of
from minrepro.documents.grammars.grammar_form import GrammarForm
from minrepro.documents.grammars.yacc_reader import read_yacc
from minrepro.errors import GrammarError

NOTATIONS = {
    "Lark": (".lark",),
    "ANTLR 4": (".g4",),
    "YACC": (".y", ".yy", ".yacc", ".ypp"),
    "ABNF": (".abnf",),
    "W3C EBNF": (".ebnf", ".bnf"),
}
"""The notations that can be read, with the endings of their files."""

_SIGNS = {
    "YACC": r"^%%[ \t]*$",
    "W3C EBNF": r"^\s*(?:\[\d+\w?\]\s*)?\w+\s*::=",
    "ANTLR 4": r"^\s*(?:(?:parser|lexer)\s+)?grammar\s+\w+\s*;",
    "Lark": r"^(?:%(?:ignore|import|declare)\b|[!?]?_?[a-z]\w*(?:\.\d+)?\s*:)",
    "ABNF": r"^[A-Za-z][A-Za-z0-9-]*\s*=/?",
}
"""What tells a notation where the name of the file does not."""


def notation_of(path: Path, text: str) -> str:
    """Return the notation of a grammar, by the name of its file or else by its text."""
    by_name = (name for name, endings in NOTATIONS.items() if path.suffix.lower() in endings)
    by_text = (name for name, sign in _SIGNS.items() if re.search(sign, text, re.MULTILINE))
    return next(by_name, None) or next(by_text, "Lark")


def form_of(text: str, notation: str, source: str, load: Load) -> GrammarForm:
    """Return a grammar in the one form; Lark's are read by Lark itself and have none."""
    if notation == "ANTLR 4":
        return read_antlr(text, source, load)
    readers = {"YACC": read_yacc, "ABNF": read_abnf, "W3C EBNF": read_ebnf}
    return readers[notation](text, source)


def _alone(name: str) -> tuple[str, str]:
    raise GrammarError(f"there is no grammar {name} to read")


def grammar_from_text(
    text: str,
    notation: str = "Lark",
    start: str | None = None,
    source: str = "the grammar",
    load: Load = _alone,
) -> GivenGrammar:
    """Read a grammar in one of the notations; `load` finds grammars that it imports."""
    if notation == "Lark":
        from minrepro.documents.grammars.lark_reader import read_lark  # the library takes a while to load

        return GivenGrammar(read_lark(text, source, start or "start"))
    form = form_of(text, notation, source, load)
    form.start = start or form.start
    return GivenGrammar(notion_of(form))


def read_grammar(path: Path, start: str | None = None) -> GivenGrammar:
    """Read a grammar from a file."""
    text = text_of(path)
    return grammar_from_text(text, notation_of(path, text), start, str(path), lambda name: beside(path, name))


def beside(path: Path, name: str) -> tuple[str, str]:
    """Return the text and the path of a grammar that another one names."""
    other = path.with_name(f"{name}.g4")
    return text_of(other), str(other)


def text_of(path: Path) -> str:
    """Return the text of a grammar, or say why it cannot be read."""
    try:
        return path.read_text("utf-8")
    except OSError as error:
        raise GrammarError(f"cannot read grammar {path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise GrammarError(f"cannot read grammar {path}: not UTF-8 text") from None
