"""Reads the definition of a tree-sitter grammar (`grammar.json`) as a context-free grammar.

Only for deriving, once and ahead, the stand-ins that the package ships for each language: nothing is read at run time.
"""

from __future__ import annotations

from itertools import count
from typing import Any

from minrepro.documents.syntax.shortest_strings import TokenTexts, minimal_strings, shortest_match, stand_ins

_LAYOUT = {"newline": "\n", "indent": "", "dedent": "", "semicolon": ";", "eof": ""}
"""What tokens that only a scanner's code knows are likely to be, by a word in their name; the parser decides."""

_UNICODE_CLASSES = {r"\p{": "}", r"\P{": "}"}


class Definition:
    """A grammar definition as productions and terminals; what a repetition or choice stands for gets a made-up name."""

    def __init__(self, definition: dict[str, Any]) -> None:
        self.productions: dict[str, list[list[str]]] = {}
        self.terminals: dict[str, str] = {}
        self._rules: dict[str, Any] = definition["rules"]
        self._numbers = count()
        self.aliases: set[str] = set()
        for name, rule in self._rules.items():
            self.productions[name] = [[self._symbol(rule)]]
        for external in definition.get("externals", ()):
            self._external(external)

    def visible(self) -> set[str]:
        """Return the kinds of nodes that trees of this grammar show."""
        return {name for name in self._rules if not name.startswith("_")} | self.aliases

    def _external(self, rule: dict[str, Any]) -> None:
        name = rule.get("name", "")
        if rule["type"] != "SYMBOL" or name in self._rules:
            return
        text = next((text for word, text in _LAYOUT.items() if word in name), None)
        if text is not None:
            self.terminals[name] = text

    def _made_up(self, bodies: list[list[str]]) -> str:
        name = f"*{next(self._numbers)}"
        self.productions[name] = bodies
        return name

    def _terminal(self, text: str | None) -> str:
        name = f"={text}" if text is not None else "=?"
        if text is not None:
            self.terminals[name] = text
        return name

    def _symbol(self, rule: dict[str, Any]) -> str:
        """Return the symbol that stands for a part of a rule; definitions nest little, so that this may recurse."""
        match rule["type"]:
            case "SYMBOL":
                return str(rule["name"])
            case "STRING":
                return self._terminal(rule["value"])
            case "PATTERN" | "TOKEN" | "IMMEDIATE_TOKEN":
                return self._terminal(_shortest_token(rule))
            case "BLANK":
                return self._made_up([[]])
            case "SEQ":
                return self._made_up([[self._symbol(member) for member in rule["members"]]])
            case "CHOICE":
                return self._made_up([[self._symbol(member)] for member in rule["members"]])
            case "REPEAT":
                return self._made_up([[], [self._symbol(rule["content"])]])
            case "ALIAS" if rule["named"]:
                self.aliases.add(rule["value"])
                self.productions.setdefault(rule["value"], []).append([self._symbol(rule["content"])])
                return str(rule["value"])
            case _:
                return self._symbol(rule["content"])

    def stand_ins(self, most: int = 4, longest: int = 24) -> dict[str, list[TokenTexts]]:
        """Return for each visible kind the shortest strings that may stand where it stands, a few of them."""
        shortest = minimal_strings(self.productions, self.terminals)
        found = stand_ins(self.productions, shortest)
        return {
            kind: strings
            for kind in sorted(self.visible())
            if (strings := [s for s in found.get(kind, ()) if sum(map(len, s)) <= longest][:most])
        }


def _shortest_token(rule: dict[str, Any]) -> str | None:
    """Return the shortest text of a token, whose parts follow each other without space."""
    match rule["type"]:
        case "STRING":
            return str(rule["value"])
        case "PATTERN":
            return shortest_match(_python_pattern(rule["value"]))
        case "BLANK" | "REPEAT":
            return ""
        case "SEQ":
            parts = [_shortest_token(member) for member in rule["members"]]
            return None if None in parts else "".join(part or "" for part in parts)
        case "CHOICE":
            choices = [_shortest_token(member) for member in rule["members"]]
            return min((choice for choice in choices if choice is not None), key=len, default=None)
        case "SYMBOL":
            return None
        case _:
            return _shortest_token(rule["content"])


def _python_pattern(pattern: str) -> str:
    """Write a pattern so that Python reads it: classes of Unicode become the letter that all of interest hold."""
    for opening, closing in _UNICODE_CLASSES.items():
        while (at := pattern.find(opening)) >= 0:
            behind = pattern.find(closing, at)
            pattern = pattern[:at] + "a" + pattern[behind + 1 :]
    return pattern.replace(r"\/", "/").replace("[[", r"[\[").replace(r"\u{", r"\u{")
