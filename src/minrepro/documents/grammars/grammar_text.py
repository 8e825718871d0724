"""What the readers of grammars share: a text cut into pieces that know their line, and escapes."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from minrepro.errors import GrammarError

ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "f": "\f", "b": "\b", "v": "\v", "a": "\a", "0": "\0"}
_ESCAPE = re.compile(r"\\(?:u\{([0-9A-Fa-f]+)\}|u([0-9A-Fa-f]{4})|x([0-9A-Fa-f]{2})|([0-7]{1,3})|(.))", re.DOTALL)


def unescaped(text: str) -> str:
    """Return a text without its escapes."""

    def meant(match: re.Match[str]) -> str:
        code = match[1] or match[2] or match[3]
        if code:
            return chr(int(code, 16))
        return chr(int(match[4], 8)) if match[4] else ESCAPES.get(match[5], match[5])

    return _ESCAPE.sub(meant, text)


@dataclass(frozen=True)
class Piece:
    """A piece of a grammar's text."""

    kind: str
    text: str
    line: int
    end: int


class Scanner:
    """Gives the pieces of a grammar's text one after the other, without space and comments."""

    def __init__(self, text: str, source: str, loose: str, pieces: Mapping[str, str], first_line: int = 1) -> None:
        """`loose` is what stands between pieces, `pieces` is what each kind looks like, the first that fits counts."""
        self._text, self._source, self._first = text, source, first_line
        self._loose = re.compile(f"(?:{loose})+", re.DOTALL)
        self._pieces = re.compile("|".join(f"(?P<{kind}>{pattern})" for kind, pattern in pieces.items()), re.DOTALL)
        self._at = 0
        self._counted = (0, first_line)

    @property
    def line(self) -> int:
        """The line of what comes next."""
        return self._line_at(self._at)

    def _line_at(self, at: int) -> int:
        before, line = self._counted if self._counted[0] <= at else (0, self._first)
        self._counted = at, line + self._text.count("\n", before, at)
        return self._counted[1]

    def peek(self) -> Piece | None:
        """Return the next piece without taking it, or None at the end."""
        if loose := self._loose.match(self._text, self._at):
            self._at = loose.end()
        if self._at >= len(self._text):
            return None
        match = self._pieces.match(self._text, self._at)
        if match is None or match.lastgroup is None:
            raise self.error(f"cannot read {self._text[self._at :].splitlines()[0][:40]}", self.line)
        return Piece(match.lastgroup, match.group(), self._line_at(match.start()), match.end())

    def take(self) -> Piece | None:
        """Return the next piece and go on behind it."""
        piece = self.peek()
        if piece is not None:
            self._at = piece.end
        return piece

    def expect(self, kind: str, text: str | None = None) -> Piece:
        """Take a piece of a kind, or say that it is not there."""
        piece = self.take()
        if piece is None or piece.kind != kind or text not in (None, piece.text):
            shown = "the end" if piece is None else piece.text
            raise self.error(f"expected {text or f'a {kind}'}, not {shown}", self.line if piece is None else piece.line)
        return piece

    def accept(self, text: str) -> bool:
        """Take the next piece if it is this one."""
        piece = self.peek_or_brace()
        if piece is None or piece.text != text:
            return False
        self._at = piece.end
        return True

    def text_behind(self, piece: Piece) -> str:
        """Return the few characters that follow a piece, without space and comments before them."""
        loose = self._loose.match(self._text, piece.end)
        begin = loose.end() if loose else piece.end
        return self._text[begin : begin + 3]

    def peek_or_brace(self) -> Piece | None:
        """Return the next piece without taking it, where it may also be a brace."""
        if loose := self._loose.match(self._text, self._at):
            self._at = loose.end()
        if self._text.startswith(("{", "}"), self._at):
            return Piece("brace", self._text[self._at], self.line, self._at + 1)
        return self.peek()

    def braces(self) -> tuple[str, int]:
        """Return what stands in braces here and its line, and go on behind it."""
        head = self.peek_or_brace()
        if head is None or head.text != "{":
            raise self.error("expected {", self.line)
        begin = self._at
        self._at = self._behind_braces(begin)
        return self._text[begin + 1 : self._at - 1], head.line

    def skip_braces(self) -> int:
        """Go behind what stands in braces here, however often, and return how many there were."""
        count = 0
        while True:
            if loose := self._loose.match(self._text, self._at):
                self._at = loose.end()
            if not self._text.startswith("{", self._at):
                return count
            self._at = self._behind_braces(self._at)
            count += 1

    def _behind_braces(self, at: int) -> int:
        line, depth = self._line_at(at), 0
        for match in _IN_CODE.finditer(self._text, at):
            depth += {"{": 1, "}": -1}.get(match.group(), 0)
            if depth == 0:
                return match.end()
        raise self.error("a brace is not closed", line)

    def error(self, message: str, line: int) -> GrammarError:
        """Return what is wrong in a line."""
        return GrammarError(f"{self._source}:{line}: {message}")


_IN_CODE = re.compile(r"[{}]|'(?:\\.|[^'\\\n])*'|\"(?:\\.|[^\"\\\n])*\"|//[^\n]*|/\*.*?\*/", re.DOTALL)
"""In the code of an action: braces, and what may hold braces that do not count."""
