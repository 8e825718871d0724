"""Clauses: from a word or sign to where it recurs beside it; brackets in place of outer ones. No grammar is asked."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass, field

from minrepro.core.edits import Cut
from minrepro.core.units import Unit
from minrepro.documents.snapshot import Snapshot
from minrepro.documents.syntax.spacing import with_blanks
from minrepro.passes.tokens import bracket_pairs, token_spans

_MOST_TOKENS = 20_000


@dataclass
class _Group:
    """What stands between two brackets: its first token, and the last of each kind so far."""

    first: int
    last: dict[bytes, int] = field(default_factory=dict)


def clauses(subject: Snapshot) -> list[list[Unit]]:
    """Propose to delete from each token to the next of its kind in the same brackets, or to the end of what they hold.

    What stands before the first of a kind may go as well, with that one if it is a sign and no bracket.
    """
    spans = token_spans(subject)
    if len(spans) > _MOST_TOKENS:
        return []
    pairs = bracket_pairs(subject)
    opening, closing = {start for start, _ in pairs}, {end for _, end in pairs}
    found: set[tuple[int, int]] = set()
    groups = [_Group(0)]
    for position, (start, end) in enumerate(spans):
        if end in closing:
            found.update((last, position) for last in groups.pop().last.values())
            continue
        group, text = groups[-1], subject.content[start:end]
        if text in group.last:
            found.add((group.last[text], position))
        elif position > group.first:
            separates = not text[:1].isalnum() and start not in opening
            found.add((group.first, position + separates))
        group.last[text] = position
        if start in opening:
            groups.append(_Group(position + 1))
    found.update((last, len(spans)) for last in groups.pop().last.values())
    lists: dict[int, list[Unit]] = {}
    for first, behind in sorted(found):
        size = behind - first
        if 1 < size < len(spans):
            cut = with_blanks(subject.content, spans[first][0], spans[behind - 1][1])
            # Lists of one order of magnitude: the largest are tried first, and neighbours as a group.
            lists.setdefault(size.bit_length(), []).append(Unit(((cut,),), weight=size))
    return list(lists.values())


def inner_brackets(subject: Snapshot) -> list[list[Unit]]:
    """Propose for each pair of brackets to take the place of the pair around it."""
    starts = [start for start, _ in token_spans(subject)]
    units = []
    around: list[tuple[int, int]] = []
    for start, end in sorted(bracket_pairs(subject)):
        while around and around[-1][1] < end:
            around.pop()
        if around:
            outer, behind = around[-1]
            gone = bisect_left(starts, start) - bisect_left(starts, outer)
            gone += bisect_left(starts, behind) - bisect_left(starts, end)
            units.append(Unit(((Cut(outer, start), Cut(end, behind)),), weight=gone))
        around.append((start, end))
    units.sort(key=lambda unit: unit.weight)
    return [units] if units else []
