"""The patterns of tokens that a grammar writes as rules: as regular expressions for Python."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from minrepro.documents.grammars.grammar_form import (
    LAST,
    Alt,
    Chars,
    Except,
    Expr,
    Ranges,
    Ranked,
    Ref,
    Repeat,
    Seq,
    Text,
    all_but,
    characters_of,
)
from minrepro.errors import GrammarError

Refuse = Callable[[str, int], GrammarError]
"""Makes an error of a message and a line."""


class PatternWriter:
    """Writes expressions as patterns, with the rules that they name put in."""

    def __init__(self, rules: Mapping[str, Expr], refuse: Refuse, *, ignore_case: bool = False) -> None:
        self._rules, self._refuse, self._ignore_case = rules, refuse, ignore_case
        self._written: dict[str, str] = {}
        self._open: list[str] = []

    def patterns(self, expr: Expr) -> tuple[str, ...]:
        """Return a pattern for each option of an expression: the longest match counts, not the first."""
        return tuple(self.pattern(option) for option in (expr.options if isinstance(expr, Alt) else (expr,)))

    def pattern(self, expr: Expr) -> str:
        """Return the pattern of an expression."""
        if isinstance(expr, Ref):
            return self._named(expr)
        if isinstance(expr, Text):
            text = re.escape(expr.text)
            ignores = (expr.ignore_case or self._ignore_case) and expr.text.lower() != expr.text.upper()
            return f"(?i:{text})" if ignores else text
        if isinstance(expr, Chars):
            found = char_class(expr.ranges)
            return f"(?i:{found})" if self._ignore_case else found
        if isinstance(expr, Seq):
            return "".join(
                f"(?:{self.pattern(part)})" if isinstance(part, Alt) else self.pattern(part) for part in expr.parts
            )
        if isinstance(expr, Alt):
            ranges = characters_of(expr)
            if ranges is not None and not self._ignore_case:
                return char_class(ranges)
            return "|".join(map(self.pattern, _longest_first(expr.options)))
        if isinstance(expr, Except):
            part, without = self._characters(expr.part), self._characters(expr.without)
            if part is None or without is None:
                raise self._refuse("an exception between more than single characters cannot be read", expr.line)
            return char_class(tuple(_less(part, without)))
        return self.pattern(expr.part) if isinstance(expr, Ranked) else self._repeated(expr)

    def _repeated(self, expr: Repeat) -> str:
        counts = {(0, None): "*", (1, None): "+", (0, 1): "?"}
        most = "" if expr.most is None else expr.most
        count = counts.get((expr.least, expr.most), f"{{{expr.least},{most}}}")
        return f"(?:{self.pattern(expr.part)}){count}{'' if expr.greedy else '?'}"

    def _named(self, ref: Ref) -> str:
        if ref.name == "EOF":
            return r"\Z"
        if ref.name not in self._rules:
            raise self._refuse(f"{ref.name} is not defined", ref.line)
        if ref.name in self._open:
            raise self._refuse(
                f"the token {ref.name} refers to itself, which no regular expression can; make it a rule of the parser",
                ref.line,
            )
        if ref.name not in self._written:
            self._open.append(ref.name)
            self._written[ref.name] = f"(?:{self.pattern(self._rules[ref.name])})"
            self._open.pop()
        return self._written[ref.name]

    def _characters(self, expr: Expr) -> Ranges | None:
        if isinstance(expr, Ref) and expr.name in self._rules and expr.name not in self._open:
            return self._characters(self._rules[expr.name])
        return characters_of(expr)


def _less(part: Ranges, without: Ranges) -> Ranges:
    found = characters_of(Except(Chars(part), Chars(without)))
    return found or ()


def _longest_first(options: tuple[Expr, ...]) -> tuple[Expr, ...]:
    """Return options in an order in which the first match is the longest, where they are plain texts."""
    if all(isinstance(option, Text) for option in options):
        return tuple(sorted(options, key=lambda option: -len(option.text) if isinstance(option, Text) else 0))
    return options


def char_class(ranges: Ranges) -> str:
    """Return the pattern of one character of a set."""
    if ranges == ((0, LAST),):
        return r"[\s\S]"
    rest = all_but(ranges)
    negated = len(rest) < len(ranges) or (ranges and ranges[-1][1] == LAST)
    shown = "".join(
        re.escape(chr(low)) if low == high else f"{re.escape(chr(low))}-{re.escape(chr(high))}"
        for low, high in (rest if negated else ranges)
    )
    return f"[{'^' if negated else ''}{shown}]"
