"""Blocks: a content that is too long to be parsed at once is cut where its brackets are least deep, or at line ends.

Only a few windows are looked at for each list of blocks, and what is inside a block only when that is needed: a content
of many megabytes costs no more than a short one.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import partial
from itertools import pairwise

from minrepro.core.edits import Cut
from minrepro.core.units import Unit
from minrepro.documents.snapshot import Snapshot

_PARTS = 64
_PARTS_BELOW = 16
_LEAST = 2000
"""Smaller blocks are left to passes that know what they are made of."""
_WINDOW = 1 << 15
_SIGNS = re.compile(rb"[(){}\[\],;\n]")
_OPENING, _CLOSING = b"({[", b")}]"
_ALL = bytes(range(256))
_NO_OPENING = _ALL.translate(None, _OPENING)
_NO_CLOSING = _ALL.translate(None, _CLOSING)


def line_blocks(subject: Snapshot) -> list[list[Unit]]:
    """Propose to delete blocks of whole lines."""
    return _in_lines(subject.content, 0, len(subject.content), _PARTS)


def bracket_blocks(subject: Snapshot) -> list[list[Unit]]:
    """Propose to delete blocks between places where brackets are equally deep."""
    return _in_brackets(subject.content, 0, len(subject.content), _PARTS)


def _in_lines(content: bytes, start: int, end: int, parts: int) -> list[list[Unit]]:
    places = {start, end}
    for number in range(1, parts):
        at = content.find(b"\n", start + number * (end - start) // parts, end)
        places.add(at + 1 if at >= 0 else end)
    return _units(sorted(places), partial(_in_lines, content))


def _in_brackets(content: bytes, start: int, end: int, parts: int) -> list[list[Unit]]:
    found: list[tuple[int, int]] = []
    depth, position = 0, start
    step = (end - start) // parts
    for number in range(parts):
        begin = start + number * step
        depth += _deeper(content, position, begin)
        position = begin
        shallowest = _shallowest(content, begin, min(begin + _WINDOW, begin + step))
        if shallowest is not None:
            found.append((shallowest[0], depth + shallowest[1]))
    if not found:
        return []
    most = max(Counter(at for _, at in found).values())
    chosen = min(at for at, times in Counter(at for _, at in found).items() if 2 * times >= most)
    return _units([place for place, at in found if at == chosen], partial(_in_brackets, content))


def _units(places: list[int], below: partial[list[list[Unit]]]) -> list[list[Unit]]:
    units = [
        Unit(
            ((Cut(start, end),),),
            weight=end - start,
            below=partial(below, start, end, _PARTS_BELOW) if end - start > _PARTS_BELOW * _LEAST else None,
        )
        for start, end in pairwise(places)
        if end > start
    ]
    return [units] if len(units) > 1 else []


def _deeper(content: bytes, start: int, end: int) -> int:
    """Return how many more brackets are opened than closed in a span."""
    part = content[start:end]
    return len(part.translate(None, _NO_OPENING)) - len(part.translate(None, _NO_CLOSING))


def _shallowest(content: bytes, start: int, end: int) -> tuple[int, int] | None:
    """Return the first place in a span at which something ends where brackets are least deep, and how deep they are."""
    depth, best = 0, None
    for match in _SIGNS.finditer(content, start, end):
        sign = match.group()
        if sign in _OPENING:
            depth += 1
            continue
        if sign in _CLOSING:
            depth -= 1
        if sign not in b")]" and (best is None or depth < best[1]):
            best = (match.end(), depth)
    return best
