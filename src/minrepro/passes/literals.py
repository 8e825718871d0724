"""Literals: numbers become 0 or 1 or lose digits, strings become empty or shorter, whatever the language."""

from __future__ import annotations

import re

from minrepro.core.edits import Cut, Cuts
from minrepro.core.units import Unit
from minrepro.documents.snapshot import Snapshot

_NUMBER = re.compile(rb"(?<![\w.])(?:0[xX][0-9a-fA-F]+|\d+(?:\.\d*)?(?:[eE][+-]?\d+)?|\.\d+)\w*")
_STRING = re.compile(rb"""(?s)"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`""")
_WORD = re.compile(rb"[\w\x80-\xff]+")
_LINE = 2000
"""A quoted text longer than this is more likely two stray quotes."""


def numbers(subject: Snapshot) -> list[list[Unit]]:
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


def strings(subject: Snapshot) -> list[list[Unit]]:
    """Propose shorter strings, each where it stands, and those that recur everywhere at once."""
    places: dict[bytes, list[int]] = {}
    for match in _STRING.finditer(subject.content):
        inside = match.group()[1:-1]
        if inside and len(inside) < _LINE:
            places.setdefault(inside, []).append(match.start() + 1)
    alone = sorted((place, inside) for inside, found in places.items() for place in found)
    units = [_shortened(inside, [place]) for place, inside in alone]
    recurring = [_shortened(inside, found) for inside, found in places.items() if len(found) > 1]
    return [each for each in (units, recurring) if each]


def _shortened(inside: bytes, places: list[int]) -> Unit:
    """Return the unit that makes a string empty, one word or character, or half of itself at some places."""
    words = list(_WORD.finditer(inside))
    one = words[0].group() if len(words) > 1 else b"a"
    middle = words[len(words) // 2].start() if len(words) > 1 else len(inside) // 2
    shorter = dict.fromkeys((b"", one, inside[:middle].rstrip(), inside[middle:]))
    edits = (
        tuple(Cut(place, place + len(inside), new) for place in places)
        for new in shorter
        if (len(new), new) < (len(inside), inside)
    )
    return Unit(tuple(edits), weight=max(1.0, len(places) * len(inside) / 4))


def _becoming(match: re.Match[bytes], text: bytes) -> Cuts:
    return (Cut(match.start(), match.end(), text),)
