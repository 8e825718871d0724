"""Cuts a text into tokens: the longest match counts, of several the first, and modes say which are looked for."""

from __future__ import annotations

import re
import warnings
from collections.abc import Sequence

from minrepro.documents.grammars.grammar_form import TokenRule
from minrepro.documents.grammars.lalr_parser import ParseError, Token
from minrepro.errors import GrammarError


class TokenLexer:
    """Cuts texts into the tokens of a grammar."""

    def __init__(self, rules: Sequence[TokenRule], source: str) -> None:
        self._modes: dict[str, list[tuple[re.Pattern[str], TokenRule]]] = {"": []}
        self._first: dict[tuple[str, str], Sequence[tuple[re.Pattern[str], TokenRule]]] = {}
        for rule in rules:
            for pattern in rule.patterns:
                self._modes.setdefault(rule.mode, []).append((_compiled(pattern, rule, source), rule))

    def tokens(self, text: str) -> list[Token]:
        """Return the tokens of a text without those that are skipped."""
        found: list[Token] = []
        modes = [""]
        at = begun = 0
        while at < len(text):
            rule, end = self._longest(text, at, modes[-1])
            if rule is None:
                raise ParseError(at, ())
            for step in rule.steps:
                _follow(step, modes)
            if not rule.more:
                if not rule.skip:
                    found.append(Token(rule.name, begun, end))
                begun = end
            at = end
        if begun < at:  # the text ends where a token was to go on
            raise ParseError(at, ())
        return found

    def _longest(self, text: str, at: int, mode: str) -> tuple[TokenRule | None, int]:
        best: TokenRule | None = None
        longest = at
        for pattern, rule in self._candidates(mode, text[at]):
            match = pattern.match(text, at)
            if match is not None and match.end() > longest:
                best, longest = rule, match.end()
        return best, longest

    def _candidates(self, mode: str, first: str) -> Sequence[tuple[re.Pattern[str], TokenRule]]:
        """Return the rules of a mode that may match a text which begins like this."""
        known = self._first.get((mode, first))
        if known is None:
            known = [
                (pattern, rule)
                for pattern, rule in self._modes[mode]
                if rule.fixed is None or rule.fixed.startswith(first)
            ]
            self._first[mode, first] = known
        return known


def _compiled(pattern: str, rule: TokenRule, source: str) -> re.Pattern[str]:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about notations that mean the same to every engine
            return re.compile(pattern)
    except re.error as error:
        where = f":{rule.line}" if rule.line else ""
        raise GrammarError(f"{source}{where}: the pattern of {rule.name} cannot be read: {error}") from None


def _follow(step: str, modes: list[str]) -> None:
    kind, _, name = step.partition(" ")
    if kind == "push":
        modes.append(name)
    elif kind == "to":
        modes[-1] = name
    elif len(modes) > 1:
        modes.pop()
