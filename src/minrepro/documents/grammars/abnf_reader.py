"""Grammars in ABNF (RFC 5234 and RFC 7405), which go down to single characters."""

from __future__ import annotations

from collections.abc import Mapping

from minrepro.documents.grammars.grammar_form import (
    Alt,
    Chars,
    Expr,
    GrammarForm,
    Ref,
    Repeat,
    Text,
    alt,
    references,
    seq,
)
from minrepro.documents.grammars.grammar_text import Piece, Scanner

_LOOSE = r"\s+|;[^\n]*"
_PIECES = {
    "text": r'(?:%[si])?"[^"\n]*"',
    "number": r"%[xXdDbB][0-9A-Fa-f]+(?:-[0-9A-Fa-f]+|(?:\.[0-9A-Fa-f]+)+)?",
    "count": r"\d*\*\d*|\d+",
    "name": r"[A-Za-z][A-Za-z0-9-]*",
    "prose": r"<[^>\n]*>",
    "sign": r"=/|=|/|[()\[\]]",
}
_CORE = """
ALPHA = %x41-5A / %x61-7A
BIT = "0" / "1"
CHAR = %x01-7F
CR = %x0D
CRLF = CR LF
CTL = %x00-1F / %x7F
DIGIT = %x30-39
DQUOTE = %x22
HEXDIG = DIGIT / "A" / "B" / "C" / "D" / "E" / "F"
HTAB = %x09
LF = %x0A
LWSP = *(WSP / CRLF WSP)
OCTET = %x00-FF
SP = %x20
VCHAR = %x21-7E
WSP = SP / HTAB
"""
_BASES = {"x": 16, "d": 10, "b": 2}


def read_abnf(text: str, source: str) -> GrammarForm:
    """Read a grammar in ABNF; the core rules of RFC 5234 are known."""
    reader = _Reader(text, source)
    rules = reader.rules()
    own = {name.lower(): name for name in rules}
    core = _Reader(_CORE, "RFC 5234").rules()
    for name in core:
        own.setdefault(name.lower(), name)
    waiting = list(rules)
    while waiting:
        name = waiting.pop()
        rules[name] = _spelled(rules[name], own)
        for ref in references(rules[name]):
            if ref.name not in rules and ref.name in core:
                rules[ref.name] = core[ref.name]
                waiting.append(ref.name)
    return GrammarForm(source, rules, lines=reader.lines, by_characters=True)


def _spelled(expr: Expr, names: Mapping[str, str]) -> Expr:
    """Return an expression that names rules as they are written where they are defined: case does not count."""
    if isinstance(expr, Ref):
        return Ref(names.get(expr.name.lower(), expr.name), expr.line)
    if isinstance(expr, Alt):
        return Alt(tuple(_spelled(option, names) for option in expr.options))
    if isinstance(expr, Repeat):
        return Repeat(_spelled(expr.part, names), expr.least, expr.most)
    parts = getattr(expr, "parts", None)
    return expr if parts is None else seq([_spelled(part, names) for part in parts])


class _Reader:
    def __init__(self, text: str, source: str) -> None:
        self._scanner = Scanner(text, source, _LOOSE, _PIECES)
        self.lines: dict[str, int] = {}

    def rules(self) -> dict[str, Expr]:
        """Return all rules."""
        found: dict[str, Expr] = {}
        written: dict[str, str] = {}
        while (piece := self._scanner.take()) is not None:
            if piece.kind != "name":
                raise self._scanner.error(f"expected a rule, not {piece.text}", piece.line)
            name = written.setdefault(piece.text.lower(), piece.text)
            added = self._scanner.accept("=/")
            if not added:
                self._scanner.expect("sign", "=")
            if name in found and not added:
                raise self._scanner.error(f"{name} is defined twice; =/ adds alternatives", piece.line)
            self.lines.setdefault(name, piece.line)
            more = self._alternatives()
            found[name] = Alt((found[name], more)) if name in found else more
        return found

    def _alternatives(self) -> Expr:
        options = [self._sequence()]
        while self._scanner.accept("/"):
            options.append(self._sequence())
        return alt(options)

    def _sequence(self) -> Expr:
        parts: list[Expr] = []
        while (piece := self._scanner.peek()) is not None and piece.text not in ("/", ")", "]"):
            if piece.kind == "name" and self._begins_rule(piece):
                break
            parts.append(self._element())
        return seq(parts)

    def _begins_rule(self, piece: Piece) -> bool:
        following = self._scanner.text_behind(piece)
        return following.startswith("=")

    def _element(self) -> Expr:
        scanner = self._scanner
        piece = scanner.take()
        assert piece is not None, "who asks has looked ahead"
        if piece.kind == "count":
            least, star, most = piece.text.partition("*")
            part = self._element()
            return Repeat(part, int(least or 0), int(most) if most else None if star else int(least))
        if piece.kind == "name":
            return Ref(piece.text, piece.line)
        if piece.kind == "text":
            return Text(piece.text.split('"')[1], ignore_case=not piece.text.startswith("%s"))
        if piece.kind == "number":
            return self._numbers(piece)
        if piece.text in ("(", "["):
            part = self._alternatives()
            scanner.expect("sign", ")" if piece.text == "(" else "]")
            return part if piece.text == "(" else Repeat(part, 0, 1)
        if piece.kind == "prose":
            raise scanner.error(f"{piece.text} is for people to read; write it as a rule", piece.line)
        raise scanner.error(f"cannot read {piece.text} here", piece.line)

    def _numbers(self, piece: Piece) -> Expr:
        base, body = _BASES[piece.text[1].lower()], piece.text[2:]
        try:
            if "-" in body:
                low, high = (int(each, base) for each in body.split("-"))
                return Chars(((low, high),))
            return Text("".join(chr(int(each, base)) for each in body.split(".")))
        except (ValueError, OverflowError):
            raise self._scanner.error(f"{piece.text} is not a character", piece.line) from None
