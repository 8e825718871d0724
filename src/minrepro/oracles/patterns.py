"""Patterns that still match a message when addresses, positions, paths and numbers in it have changed.

They are written in what the regular expressions of Python and those of `grep -E` have in common, so that the same
pattern serves here and in a check script that a person reads.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from dataclasses import dataclass

_SPECIAL = re.compile(r"[][\\.^$*+?(){}|]")
_PIECE = re.compile(
    r"""
      (?P<address> \b0[xX][0-9a-fA-F]+\b )
    | (?P<place> (?P<folder>(?:[\w.+~@-]*/)*) (?P<file>[\w+~@-][\w.+~@-]*\.[A-Za-z]\w*) (?P<position>(?::\d+){1,2}) )
    | (?P<path> (?<![\w"'`])(?:[\w.+~@%-]*/){2,}[\w.+~@%-]* )
    | (?P<quoted> (?P<open>['"`‘“<])(?P<inside>[^'"`‘’“”<>]{0,80})(?P<close>['"`’”>]) )
    | (?P<numbers> (?<![A-Za-z_\d])\d[\d.]*(?:[,:\s]+\d[\d.]*)* )
    | (?P<word> [A-Za-z_$][\w$]* )
    """,
    re.VERBOSE,
)
_NAME = r"[A-Za-z_$][\w$]*"
_OF_THE_INPUT = "[A-Za-z0-9_.$]+"
_LONGEST = 240
"""What follows in a longer message is rather the input than the failure."""


@dataclass(frozen=True)
class Known:
    """What is known of the input: what words occur in it, and how its files are called."""

    words: Collection[str] = frozenset()
    names: Collection[str] = frozenset()

    @classmethod
    def of(cls, content: bytes, names: Collection[str]) -> Known:
        """Return what is known of a content in files of these names."""
        words = frozenset(re.findall(_NAME, content.decode("utf-8", "replace")))
        return cls(words, frozenset(names))


def pattern_of(fragment: str, known: Known) -> str:
    """Return a pattern that matches a fragment of an output, whatever the numbers and names in it that may change."""
    pieces: list[str] = []
    position = 0
    for match in _PIECE.finditer(fragment[:_LONGEST]):
        pieces.append(literal(fragment[position : match.start()]))
        pieces.append(_CLASSES[str(match.lastgroup or "")](match, known))
        position = match.end()
    rest = fragment[position:_LONGEST]
    return ("".join(pieces) + literal(rest)).rstrip()


def literal(text: str) -> str:
    """Return a pattern that matches this text and nothing else."""
    return _SPECIAL.sub(lambda match: "\\" + match[0], text)


def _place(match: re.Match[str], known: Known) -> str:
    # A position in the input moves with every cut; one in the source of the program that fails tells failures apart.
    if match["file"] in known.names:
        return ".*" + literal(match["file"]) + "[:0-9]+"
    return (".*" if match["folder"] else "") + literal(match["file"] + match["position"])


def _quoted(match: re.Match[str], known: Known) -> str:
    # A sentence in quotes belongs to the message, even when all its words occur in the input too.
    if re.fullmatch(r"[\w$.]+", match["inside"]) and set(re.findall(_NAME, match["inside"])) & set(known.words):
        return literal(match["open"]) + f"[^{match['close']}]*" + literal(match["close"])
    return literal(match["open"]) + pattern_of(match["inside"], known) + literal(match["close"])


def _word(match: re.Match[str], known: Known) -> str:
    word = match[0]
    looks_like_a_name = "_" in word or "$" in word or not (word.islower() or word.isupper() or word.istitle())
    return _OF_THE_INPUT if looks_like_a_name and word in known.words else literal(word)


_CLASSES: dict[str, Callable[[re.Match[str], Known], str]] = {
    "address": lambda match, known: "0x[0-9a-fA-F]+",
    "place": _place,
    "path": lambda match, known: "[^ ]+",
    "quoted": _quoted,
    "numbers": lambda match, known: "[0-9][0-9., :]*" if re.search(r"[,:\s]", match[0]) else "[0-9.]+",
    "word": _word,
}
