"""Cuts and replacements on a document: the one form in which deletions, hoists and replacements are proposed.

A cut takes the bytes `[start, end)` out of a document and puts a text (mostly none) in their place. A set of cuts is
kept as a sorted tuple of disjoint ones, so that it can be compared, hashed and sent; uniting two sets is idempotent,
and where one cut holds another the larger wins.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple


class Cut(NamedTuple):
    """Bytes to be taken out, and what is put there instead."""

    start: int
    end: int
    text: bytes = b""


Cuts = tuple[Cut, ...]
"""Sorted, disjoint cuts: what was changed in a document."""

NONE: Cuts = ()

Join = Callable[[bytes, bytes], bytes]
"""Tells what must stand between the end of one piece and the begin of the next so that they stay apart."""


def unite(*sets: Iterable[Cut]) -> Cuts:
    """Return the union of several sets of cuts; where one cut holds another, the larger (then the later) one wins."""
    ordered = sorted(
        ((cut.start, -cut.end, -rank, cut) for rank, cuts in enumerate(sets) for cut in cuts),
        key=lambda entry: entry[:3],
    )
    united: list[Cut] = []
    for *_, cut in ordered:
        last = united[-1] if united else None
        if last is None or cut.start > last.end or (cut.start == last.end and (cut.text or last.text)):
            united.append(cut)
        elif cut.end > last.end:
            united[-1] = Cut(last.start, cut.end, last.text + cut.text)
    return tuple(united)


def covered(cuts: Sequence[Cut], start: int, end: int) -> bool:
    """Tell whether the bytes `[start, end)` are gone: inside one cut, or made of several that touch."""
    at = bisect_right(cuts, start, key=_start) - 1
    while at >= 0 and at < len(cuts) and cuts[at].start <= start < cuts[at].end:
        if end <= cuts[at].end:
            return True
        start = cuts[at].end
        at += 1
    return False


def pieces(data: bytes, cuts: Sequence[Cut], join: Join | None = None) -> list[tuple[int, int, bytes]]:
    """Return what happens to the document as (start, end, text): touching cuts made one, what they join kept apart."""
    merged: list[tuple[int, int, bytes]] = []
    for cut in cuts:
        if merged and merged[-1][1] == cut.start:
            start, _, text = merged[-1]
            merged[-1] = (start, cut.end, _joined(text, cut.text, join))
        else:
            merged.append((cut.start, cut.end, cut.text))
    if join is None:
        return merged
    return [(start, end, _kept_apart(data, start, end, text, join)) for start, end, text in merged]


def apply(data: bytes, cuts: Sequence[Cut], join: Join | None = None) -> bytes:
    """Return the document with the cuts made; `join` keeps what they bring together from becoming one."""
    if not cuts:
        return data
    view = memoryview(data)
    parts: list[bytes | memoryview] = []
    position = 0
    for start, end, text in pieces(data, cuts, join):
        parts.append(view[position:start])
        parts.append(text)
        position = end
    parts.append(view[position:])
    return b"".join(parts)


def moved(data: bytes, cuts: Sequence[Cut], offset: int, join: Join | None = None) -> int:
    """Return where a place of the document comes to be; a place inside a cut moves behind what replaces it."""
    shift = 0
    for start, end, text in pieces(data, cuts, join):
        if start >= offset:
            break
        if offset < end:
            return start + shift + len(text)
        shift += len(text) - (end - start)
    return offset + shift


def removed(cuts: Iterable[Cut]) -> int:
    """Return how many bytes the cuts save."""
    return sum(cut.end - cut.start - len(cut.text) for cut in cuts)


def _start(cut: Cut) -> int:
    return cut.start


def _joined(left: bytes, right: bytes, join: Join | None) -> bytes:
    if join is None or not left or not right:
        return left + right
    return left + join(left, right) + right


_CONTEXT = 64
"""How many bytes of each side are shown to whoever decides what must stand between two pieces."""


def _kept_apart(data: bytes, start: int, end: int, text: bytes, join: Join) -> bytes:
    left, right = data[max(0, start - _CONTEXT) : start], data[end : end + _CONTEXT]
    if text:
        if left:
            text = join(left, text) + text
        return text + join(text, right) if right else text
    return join(left, right) if left and right else b""
