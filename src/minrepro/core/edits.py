"""Cuts and replacements on a document: the one form in which deletions, hoists and replacements are proposed.

A cut takes the bytes `[start, end)` out of a document and puts a text (mostly none) in their place. A set of cuts is
kept as a sorted tuple of disjoint ones, so that it can be compared, hashed and sent; uniting two sets is idempotent,
and where one cut holds another the larger wins.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import NamedTuple


class Cut(NamedTuple):
    """Bytes to be taken out, and what is put there instead."""

    start: int
    end: int
    text: bytes = b""
    glue: bool = False
    """Whether what it brings together may become one token."""

    def later(self, by: int) -> Cut:
        """Return the same cut for a document in which what it is about stands so many bytes later."""
        return Cut(self.start + by, self.end + by, self.text, self.glue)


Cuts = tuple[Cut, ...]
"""Sorted, disjoint cuts: what was changed in a document."""

NONE: Cuts = ()

Piece = tuple[int, int, bytes]
"""What happens to a document at one place: from where, to where, and the text that is put there."""

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
            united[-1] = Cut(last.start, cut.end, last.text + cut.text, last.glue and cut.glue)
    return tuple(united)


class Splice(NamedTuple):
    """How a sorted set of cuts changes where others join it: those at `[first, last)` give way to `united`."""

    first: int
    last: int
    united: Cuts

    def of(self, cuts: Cuts) -> Cuts:
        """Return the set with the others in it."""
        return cuts[: self.first] + self.united + cuts[self.last :]


def splice(cuts: Cuts, *sets: Sequence[Cut]) -> Splice:
    """Return how the union of a sorted set with others differs from it; costs little where the others are few."""
    if not any(sets):
        return Splice(0, 0, NONE)
    begin = min(cut.start for each in sets for cut in each)
    end = max(cut.end for each in sets for cut in each)
    first = last = bisect_left(cuts, begin, key=_end)
    # Also a cut that only touches may become one with its neighbour.
    while last < len(cuts) and cuts[last].start <= end:
        end = max(end, cuts[last].end)
        last += 1
    return Splice(first, last, unite(cuts[first:last], *sets))


def covered(cuts: Sequence[Cut], start: int, end: int) -> bool:
    """Tell whether the bytes `[start, end)` are gone: inside one cut, or made of several that touch."""
    at = bisect_right(cuts, start, key=_start) - 1
    while at >= 0 and at < len(cuts) and cuts[at].start <= start < cuts[at].end:
        if end <= cuts[at].end:
            return True
        start = cuts[at].end
        at += 1
    return False


def pieces(data: bytes, cuts: Sequence[Cut], join: Join | None = None) -> list[Piece]:
    """Return what happens to the document: touching cuts made one, what they join kept apart."""
    merged: list[Cut] = []
    for cut in cuts:
        if merged and merged[-1].end == cut.start:
            last = merged[-1]
            glue = last.glue and cut.glue
            text = _joined(last.text, cut.text, None if glue else join)
            merged[-1] = Cut(last.start, cut.end, text, glue)
        else:
            merged.append(cut)
    return [
        (start, end, text if glue or join is None else _kept_apart(data, start, end, text, join))
        for start, end, text, glue in merged
    ]


def apply(data: bytes, cuts: Sequence[Cut], join: Join | None = None) -> bytes:
    """Return the document with the cuts made; `join` keeps what they bring together from becoming one."""
    return _assembled(data, 0, len(data), pieces(data, cuts, join)) if cuts else data


@dataclass(frozen=True, eq=False, slots=True)
class Rendering:
    """A document with cuts made in it, from which that with a few more cuts is made without looking at all of them."""

    data: bytes
    join: Join | None
    content: bytes
    pieces: list[Piece]
    places: list[int]
    """Where in the content the text of each piece begins."""

    @classmethod
    def of(cls, data: bytes, cuts: Sequence[Cut], join: Join | None = None) -> Rendering:
        """Make the cuts in a document."""
        made = pieces(data, cuts, join)
        return cls(data, join, _assembled(data, 0, len(data), made), made, _places(made, 0))

    def after(self, cuts: Cuts, change: Splice) -> Rendering:
        """Return the rendering with the cuts, which were these ones, changed at one place."""
        first, last, united = change
        changed = list(united)
        # Cuts that touch are one piece.
        while first and cuts[first - 1].end >= (changed or cuts[first:])[0].start:
            first -= 1
            changed.insert(0, cuts[first])
        while changed and last < len(cuts) and cuts[last].start <= changed[-1].end:
            changed.append(cuts[last])
            last += 1
        if not changed:
            return self
        begin = min(changed[0].start, cuts[first].start) if first < last else changed[0].start
        end = max(changed[-1].end, cuts[last - 1].end) if first < last else changed[-1].end
        low = bisect_left(self.pieces, begin, key=itemgetter(0))
        high = bisect_right(self.pieces, end, lo=low, key=itemgetter(0))  # what touches is made anew
        made = pieces(self.data, changed, self.join)
        middle = _assembled(self.data, begin, end, made)
        before, behind = self._place(low, begin), self._place(high, end)
        content = memoryview(self.content)
        grown = before + len(middle) - behind
        return Rendering(
            self.data,
            self.join,
            b"".join((content[:before], middle, content[behind:])),
            self.pieces[:low] + made + self.pieces[high:],
            self.places[:low] + _places(made, before - begin) + [place + grown for place in self.places[high:]],
        )

    def _place(self, piece: int, offset: int) -> int:
        """Return where the bytes before a piece, from this offset of the document on, are in the content."""
        if piece < len(self.pieces):
            return self.places[piece] - (self.pieces[piece][0] - offset)
        return len(self.content) - (len(self.data) - offset)


def _assembled(data: bytes, begin: int, end: int, made: Iterable[Piece]) -> bytes:
    view = memoryview(data)
    parts: list[bytes | memoryview] = []
    for start, stop, text in made:
        parts += (view[begin:start], text)
        begin = stop
    parts.append(view[begin:end])
    return b"".join(parts)


def _places(made: Iterable[Piece], shift: int) -> list[int]:
    """Return where the texts of pieces begin in the content, given how far everything before them has moved."""
    places = []
    for start, end, text in made:
        places.append(start + shift)
        shift += len(text) - (end - start)
    return places


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


def _end(cut: Cut) -> int:
    return cut.end


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
