"""Literals: numbers become 0 or 1 or lose digits, strings become empty or shorter, whatever the language."""

from __future__ import annotations

import re

from minrepro.edits import Cut, Cuts
from minrepro.plan import Unit
from minrepro.subject import Subject

_NUMBER = re.compile(rb"(?<![\w.])(?:0[xX][0-9a-fA-F]+|\d+(?:\.\d*)?(?:[eE][+-]?\d+)?|\.\d+)\w*")
_STRING = re.compile(rb"""(?s)"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`""")
_LINE = 2000
"""A quoted text longer than this is more likely two stray quotes."""


def numbers(subject: Subject) -> list[list[Unit]]:
    """Propose smaller numbers."""
    units = []
    for match in _NUMBER.finditer(subject.content):
        edits = tuple(_becoming(match, text) for text in _smaller(match.group()))
        if edits:
            units.append(Unit(edits))
    return [units] if units else []


def _smaller(number: bytes) -> list[bytes]:
    texts = [b"0", b"1"]
    if len(number) > 1:
        digits = re.match(rb"0[xX]|\d+", number)
        texts += [number[:1], number[: len(number) // 2], number[:-1]]
        if digits is not None and len(digits.group()) < len(number):
            texts.append(digits.group())
    else:
        texts.append(b"2")
    unique = dict.fromkeys(text for text in texts if text and (len(text), text) < (len(number), number))
    return list(unique)


def strings(subject: Subject) -> list[list[Unit]]:
    """Propose shorter strings: empty, one character, half."""
    units = []
    for match in _STRING.finditer(subject.content):
        text = match.group()
        inside = text[1:-1]
        if not inside or len(text) > _LINE:
            continue
        shorter = dict.fromkeys((b"", b"a", inside[: len(inside) // 2], inside[len(inside) // 2 :]))
        edits = [
            (Cut(match.start() + 1, match.end() - 1, new),)
            for new in shorter
            if (len(new), new) < (len(inside), inside)
        ]
        units.append(Unit(tuple(edits), weight=max(1.0, len(inside) / 4)))
    return [units] if units else []


def _becoming(match: re.Match[bytes], text: bytes) -> Cuts:
    return (Cut(match.start(), match.end(), text),)
