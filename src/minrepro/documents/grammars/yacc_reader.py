"""Grammars for YACC and Bison, with the tokens in a section of their own behind the rules.

Misherghi, *Hierarchical Delta Debugging* (2007), chapter 7: each token has a name, a regular expression as for LEX and,
if one likes, a shortest text: `NUMBER : [|[0-9]+|] [|0|];`; SKIP is what no rule is to see. Actions are left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from minrepro.documents.grammars.grammar_form import (
    Alt,
    Expr,
    GrammarForm,
    Precedence,
    Ranked,
    Ref,
    Text,
    TokenRule,
    references,
    seq,
)
from minrepro.documents.grammars.grammar_text import ESCAPES, Scanner, unescaped
from minrepro.errors import GrammarError

_GROUPS = {"%left": "left", "%right": "right", "%nonassoc": "nonassoc", "%precedence": "nonassoc"}
_LOOSE = r"\s+|//[^\n]*|/\*.*?\*/|%\{.*?%\}"
_PIECES = {
    "directive": r"%[A-Za-z_][\w-]*",
    "name": r"[A-Za-z_][\w.]*",
    "text": r"'(?:\\.|[^'\\\n])*'|\"(?:\\.|[^\"\\\n])*\"",
    "number": r"\d+",
    "tag": r"<[^<>\n]*>",
    "label": r"\[[A-Za-z_]\w*\]",
    "sign": r"[:|;]",
}
_TOKEN = re.compile(r"(\w+)\s*:\s*\[\|(.*?)\|\](?:\s*\[\|(.*?)\|\])?\s*;?")
_TOKEN_ENDED_BY_BRACKET = re.compile(r"(\w+)\s*:\s*\[\|(.*)\]\s*;")


@dataclass
class _Rules:
    """What was read so far."""

    rules: dict[str, list[Expr]]
    lines: dict[str, int]
    texts: dict[str, str]
    """Tokens that were declared together with their text."""
    precedence: dict[str, Precedence]
    start: str | None = None


def read_yacc(text: str, source: str) -> GrammarForm:
    """Read a grammar for YACC with a lexical section."""
    declarations, rules, tokens = _sections(text, source)
    found = _Rules({}, {}, {}, {})
    _declare(Scanner(declarations[1], source, _LOOSE, _PIECES, declarations[0]), found)
    _read_rules(Scanner(rules[1], source, _LOOSE, _PIECES, rules[0]), found)
    lexical = list(_tokens(tokens, source))
    known = {token.name for token in lexical}
    lexical = [
        *(TokenRule(name, (re.escape(own),), fixed=own) for name, own in found.texts.items() if name not in known),
        *lexical,
    ]
    known |= found.texts.keys()
    used = (ref for options in found.rules.values() for option in options for ref in references(option))
    missing = {ref.name: ref.line for ref in used if ref.name not in known and ref.name not in found.rules}
    if missing:
        first, *others = missing
        shown = ", ".join([first, *others[:4]]) + (" and others" if len(others) > 4 else "")
        raise GrammarError(
            f"{source}:{missing[first]}: nothing says what these tokens look like: {shown}\n"
            f"hint: add a section behind the rules:  %%  {first} : [|regular expression|] [|shortest text|];"
        )
    return GrammarForm(
        source,
        {name: Alt(tuple(options)) for name, options in found.rules.items()},
        lexical,
        found.lines,
        found.start,
        precedence=found.precedence,
        as_yacc=True,
    )


def _sections(text: str, source: str) -> list[tuple[int, str]]:
    """Return declarations, rules and tokens, each with its first line; only the rules must be there."""
    parts: list[tuple[int, str]] = []
    line, begin = 1, 0
    for match in re.finditer(r"^%%[ \t]*$", text, re.MULTILINE):
        parts.append((line, text[begin : match.start()]))
        line, begin = text.count("\n", 0, match.end()) + 1, match.end()
    parts.append((line, text[begin:]))
    has_tokens = "[|" in parts[-1][1]
    if len(parts) == 2 and has_tokens:
        parts.insert(0, (1, ""))
    elif len(parts) == 1:
        raise GrammarError(f"{source}: a grammar for YACC has rules between lines of %%")
    elif len(parts) == 2 or not has_tokens:
        parts[2:] = [(1, "")]  # what stands there is C
    return parts[:3]


def _declare(scanner: Scanner, found: _Rules) -> None:
    level = 0
    while (piece := scanner.take()) is not None:
        if piece.kind != "directive":
            continue  # values of directives that say nothing about the language
        name = piece.text
        if name in _GROUPS:
            level += 1
        if name == "%start":
            found.start = scanner.expect("name").text
        elif name == "%token" or name in _GROUPS:
            _declare_tokens(scanner, found, Precedence(level, _GROUPS[name]) if name in _GROUPS else None)
        else:
            scanner.skip_braces()


def _declare_tokens(scanner: Scanner, found: _Rules, rank: Precedence | None) -> None:
    last: str | None = None
    while (piece := scanner.peek()) is not None and piece.kind in ("name", "text", "number", "tag"):
        scanner.take()
        if piece.kind == "name":
            last = piece.text
        elif piece.kind == "text" and (rank is None or piece.text.startswith('"')) and last is not None:
            found.texts[last] = unescaped(piece.text[1:-1])
            continue
        if rank is not None and piece.kind in ("name", "text"):
            key = piece.text if piece.kind == "name" else f"'{unescaped(piece.text[1:-1])}'"
            found.precedence[key] = rank


def _read_rules(scanner: Scanner, found: _Rules) -> None:
    while (piece := scanner.take()) is not None:
        if piece.kind == "directive":
            if piece.text == "%start":
                found.start = scanner.expect("name").text
            continue
        if piece.kind != "name":
            raise scanner.error(f"expected the name of a rule, not {piece.text}", piece.line)
        if (label := scanner.peek()) is not None and label.kind == "label":
            scanner.take()
        scanner.expect("sign", ":")
        found.lines.setdefault(piece.text, piece.line)
        found.rules.setdefault(piece.text, []).extend(_options(scanner, found, piece.text))


def _options(scanner: Scanner, found: _Rules, rule: str) -> Iterator[Expr]:
    parts: list[Expr] = []
    rank: str | None = None
    recovers = False
    while True:
        scanner.skip_braces()
        piece = scanner.take()
        if piece is None:
            raise scanner.error(f"rule {rule} has no end", scanner.line)
        if piece.kind == "sign":
            if piece.text == ":":
                raise scanner.error(f"expected ; at the end of rule {rule}", piece.line)
            if not recovers:  # what YACC does behind an error makes no text right
                yield _ranked(parts, rank, found)
            parts, rank, recovers = [], None, False
            if piece.text == ";":
                return
        elif piece.kind == "name":
            recovers |= piece.text == "error"
            parts.append(Ref(piece.text, piece.line))
        elif piece.kind == "text":
            parts.append(Text(unescaped(piece.text[1:-1])))
        elif piece.text == "%prec":
            token = scanner.take()
            rank = None if token is None else token.text if token.kind == "name" else f"'{unescaped(token.text[1:-1])}'"
        elif piece.text in ("%dprec", "%merge", "%expect", "%expect-rr"):
            scanner.take()
        elif piece.kind == "directive" and piece.text != "%empty":
            raise scanner.error(f"{piece.text} cannot be read", piece.line)


def _ranked(parts: Sequence[Expr], rank: str | None, found: _Rules) -> Expr:
    """Return an alternative with the rank of the token that it names, or else of its last token."""
    names = [part.name if isinstance(part, Ref) else f"'{part.text}'" for part in parts if isinstance(part, Ref | Text)]
    by_last = next((name for name in reversed(names) if name in found.precedence), None)
    token = rank or by_last
    body = seq(parts)
    if token is None or token not in found.precedence:
        return body
    return Ranked(body, found.precedence[token].level, token=token)


def _tokens(section: tuple[int, str], source: str) -> Iterator[TokenRule]:
    """Yield the tokens of a lexical section, one in each line."""
    for number, line in enumerate(section[1].splitlines(), section[0]):
        shown = line.strip()
        if not shown or shown.startswith("//"):
            continue
        match = _TOKEN.fullmatch(shown) or _TOKEN_ENDED_BY_BRACKET.fullmatch(shown)
        if match is None:
            raise GrammarError(
                f"{source}:{number}: expected NAME : [|regular expression|] [|shortest text|]; but saw {shown[:60]}"
            )
        name, pattern, *shortest = match.groups()
        minimal = shortest[0] if shortest else None
        read = _LexPattern(pattern, f"{source}:{number}")
        yield TokenRule(name, (read.regex(),), minimal=minimal, fixed=read.fixed, skip=name == "SKIP", line=number)


class _LexPattern:
    """A regular expression as LEX reads it, written as Python reads it."""

    def __init__(self, text: str, where: str) -> None:
        self._text, self._where = text, where
        self.fixed: str | None = ""
        """The only text that it matches, as far as it was read."""

    def regex(self) -> str:
        """Return the expression for Python."""
        found, at = "", 0
        while at < len(self._text):
            piece, at = self._piece(at)
            found += piece
        return found

    def _piece(self, at: int) -> tuple[str, int]:
        text, sign = self._text, self._text[at]
        if sign == '"':
            end = at + 1
            while end < len(text) and text[end] != '"':
                end += 2 if text[end] == "\\" else 1
            if end >= len(text):
                raise GrammarError(f"{self._where}: a quoted text has no end in {text}")
            own = unescaped(text[at + 1 : end])
            self._fixes(own)
            # Grouped, because what may repeat it follows behind the quote.
            return f"(?:{re.escape(own)})", end + 1
        if sign == "\\":
            own = ESCAPES.get(text[at + 1 : at + 2], text[at + 1 : at + 2])
            self._fixes(own)
            return re.escape(own), at + 2
        if sign == "[":
            self.fixed = None
            return self._set(at)
        if sign == "/" or text.startswith("<<", at):
            raise GrammarError(f"{self._where}: {sign} looks beyond the token and cannot be read; quote it if meant")
        if sign == "{" and not re.match(r"\{\d*,?\d*\}", text[at:]):
            raise GrammarError(f"{self._where}: {{…}} names another expression and cannot be read")
        if sign in "^$.*+?()|{}":
            self.fixed = None
            return ("[^\\n]" if sign == "." else sign), at + 1
        self._fixes(sign)
        return re.escape(sign) if not sign.isdigit() and sign != "," else sign, at + 1

    def _fixes(self, text: str) -> None:
        self.fixed = None if self.fixed is None else self.fixed + text

    def _set(self, at: int) -> tuple[str, int]:
        text, end = self._text, at + 1
        found = "["
        if text.startswith("^", end):
            found, end = "[^", end + 1
        begun = end
        while end < len(text) and (text[end] != "]" or end == begun):
            if text[end] == "\\" and end + 1 < len(text):
                found += re.escape(ESCAPES.get(text[end + 1], text[end + 1]))
                end += 2
                continue
            found += text[end] if text[end] == "-" else re.escape(text[end])
            end += 1
        if end >= len(text):
            raise GrammarError(f"{self._where}: a set of characters has no end in {text}")
        return f"{found}]", end + 1
