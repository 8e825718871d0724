"""Grammars in the EBNF of the W3C, as the specifications of XML, XPath and SPARQL have it.

Rules go down to single characters, unless a line `@terminals` says that those behind it are tokens; `@pass` then is
what stands between tokens.
"""

from __future__ import annotations

import re

from minrepro.documents.grammars.grammar_form import (
    Chars,
    Except,
    Expr,
    GrammarForm,
    Ranges,
    Ref,
    Repeat,
    Text,
    TokenRule,
    all_but,
    alt,
    references,
    seq,
    united,
)
from minrepro.documents.grammars.grammar_text import Piece, Scanner
from minrepro.documents.grammars.lexer_patterns import PatternWriter
from minrepro.errors import GrammarError

_LOOSE = r"\s+|/\*.*?\*/|\[\s*(?:wfc|WFC|vc|VC)\s*:[^\]]*\]"
_PIECES = {
    "text": r"'[^'\n]*'|\"[^\"\n]*\"",
    "character": r"#x[0-9A-Fa-f]+",
    "number": r"\[\d+[a-zA-Z]?\]",
    "set": r"\[(?:#x[0-9A-Fa-f]+|[^\]])*\]",
    "marker": r"@(?:terminals|pass)\b",
    "name": r"[A-Za-z_][\w.]*",
    "sign": r"::=|[|()?*+-]",
}
_PASS = "@pass"


def read_ebnf(text: str, source: str) -> GrammarForm:
    """Read a grammar in the EBNF of the W3C."""
    reader = _Reader(text, source)
    rules, terminals = reader.read()
    if not terminals:
        return GrammarForm(source, rules, lines=reader.lines, by_characters=True)

    def refuse(message: str, line: int) -> GrammarError:
        return GrammarError(f"{source}:{line}: {message}")

    writer = PatternWriter(terminals, refuse)
    used = {ref.name for expr in rules.values() for ref in references(expr)}
    tokens = [
        TokenRule(
            name,
            writer.patterns(expr),
            fixed=expr.text if isinstance(expr, Text) else None,
            skip=name == _PASS,
            line=reader.lines.get(name, 0),
        )
        for name, expr in terminals.items()
        if name in used or name == _PASS
    ]
    return GrammarForm(source, rules, tokens, reader.lines)


class _Reader:
    def __init__(self, text: str, source: str) -> None:
        self._scanner = Scanner(text, source, _LOOSE, _PIECES)
        self.lines: dict[str, int] = {}

    def read(self) -> tuple[dict[str, Expr], dict[str, Expr]]:
        """Return the rules, and the tokens."""
        rules: dict[str, Expr] = {}
        terminals: dict[str, Expr] = {}
        into = rules
        while (piece := self._scanner.take()) is not None:
            if piece.text == "@terminals":
                into = terminals
                continue
            if piece.kind == "number":
                continue
            if piece.kind not in ("name", "marker"):
                raise self._scanner.error(f"expected a rule, not {piece.text}", piece.line)
            self._scanner.accept("::=") if piece.text == _PASS else self._scanner.expect("sign", "::=")
            self.lines.setdefault(piece.text, piece.line)
            (terminals if piece.text == _PASS else into)[piece.text] = self._alternatives()
        return rules, terminals

    def _alternatives(self) -> Expr:
        options = [self._sequence()]
        while self._scanner.accept("|"):
            options.append(self._sequence())
        return alt(options)

    def _sequence(self) -> Expr:
        parts: list[Expr] = []
        while (piece := self._scanner.peek()) is not None and piece.text not in ("|", ")"):
            if piece.kind in ("number", "marker") or (piece.kind == "name" and self._begins_rule(piece)):
                break
            if piece.text == "-":
                self._scanner.take()
                parts.append(Except(parts.pop() if parts else seq([]), self._repeated(), piece.line))
            else:
                parts.append(self._repeated())
        return seq(parts)

    def _begins_rule(self, piece: Piece) -> bool:
        return self._scanner.text_behind(piece).startswith("::=")

    def _repeated(self) -> Expr:
        part = self._element()
        while (piece := self._scanner.peek()) is not None and piece.text in ("?", "*", "+"):
            self._scanner.take()
            part = Repeat(part, 1 if piece.text == "+" else 0, 1 if piece.text == "?" else None)
        return part

    def _element(self) -> Expr:
        scanner = self._scanner
        piece = scanner.take()
        if piece is None:
            raise scanner.error("the grammar ends within a rule", scanner.line)
        if piece.kind == "name":
            return Ref(piece.text, piece.line)
        if piece.kind == "text":
            return Text(piece.text[1:-1])
        if piece.kind == "character":
            return Text(chr(int(piece.text[2:], 16)))
        if piece.kind == "set":
            return Chars(_set(piece.text[1:-1]))
        if piece.text == "(":
            part = self._alternatives()
            scanner.expect("sign", ")")
            return part
        raise scanner.error(f"cannot read {piece.text} here", piece.line)


_IN_SET = re.compile(r"#x([0-9A-Fa-f]+)|\\([nrt\\\]\[-])|(.)", re.DOTALL)


def _set(text: str) -> Ranges:
    negated = text.startswith("^")
    codes: list[int | None] = []
    for match in _IN_SET.finditer(text, 1 if negated else 0):
        number, escaped, plain = match.groups()
        if plain == "-" and codes and match.end() < len(text):
            codes.append(None)
        else:
            meant = {"n": "\n", "r": "\r", "t": "\t"}.get(escaped or "", escaped or plain or "")
            codes.append(int(number, 16) if number else ord(meant))
    found: list[tuple[int, int]] = []
    at = 0
    while at < len(codes):
        low = codes[at]
        high = codes[at + 2] if at + 2 < len(codes) and codes[at + 1] is None else low
        at += 1 if high is low else 3
        if low is not None and high is not None:
            found.append((low, high))
    ranges = united(found)
    return all_but(ranges) if negated else ranges
