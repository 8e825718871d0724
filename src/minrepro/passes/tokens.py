"""Tokens: the leaves of a tree, or the words and signs of a text, alone, in pairs of brackets, and a few at a time."""

from __future__ import annotations

import re

from minrepro.core.edits import Cut, unite
from minrepro.core.units import Unit
from minrepro.documents.snapshot import Snapshot
from minrepro.documents.syntax.spacing import with_blanks

_TOKEN = re.compile(rb"\w+|[^\w\s]")
_OPENING = {b"(": b")", b"[": b"]", b"{": b"}", b"<": b">"}


def token_spans(subject: Snapshot) -> list[tuple[int, int]]:
    """Return where the tokens of a content begin and end."""
    document = subject.document
    if document is None:
        return [match.span() for match in _TOKEN.finditer(subject.content)]
    tree = document.tree
    return [(tree.start[leaf], tree.end[leaf]) for leaf in tree.leaves if tree.size(leaf)]


def tokens(subject: Snapshot) -> list[list[Unit]]:
    """Propose to delete each token."""
    return [[Unit(((with_blanks(subject.content, start, end),),)) for start, end in token_spans(subject)]]


def brackets(subject: Snapshot) -> list[list[Unit]]:
    """Propose for each pair of brackets to go with what is inside, to lose what is inside, or to go without it."""
    content = subject.content
    units = []
    for start, end in bracket_pairs(subject):
        inside = (Cut(start + 1, end - 1),) if end - start > 2 else ()
        only = unite([with_blanks(content, start, start + 1), with_blanks(content, end - 1, end)])
        around = (Cut(start, end),)
        edits = tuple(edit for edit in (around, inside, only) if edit)
        units.append(Unit(edits, weight=len(_TOKEN.findall(content, start, end))))
    units.sort(key=lambda unit: unit.weight)
    return [units]


def bracket_pairs(subject: Snapshot) -> list[tuple[int, int]]:
    """Return the spans of matching brackets, found without a grammar."""
    pairs: list[tuple[int, int]] = []
    open_: list[tuple[bytes, int]] = []
    for start, end in token_spans(subject):
        text = subject.content[start:end]
        if text in _OPENING:
            open_.append((_OPENING[text], start))
        elif text in _OPENING.values():
            # A bracket that was never closed is passed over.
            at = next((i for i in range(len(open_) - 1, -1, -1) if open_[i][0] == text), None)
            if at is not None:
                pairs.append((open_[at][1], end))
                del open_[at:]
    return pairs


def token_windows(subject: Snapshot, smallest: int = 2, largest: int = 4) -> list[list[Unit]]:
    """Propose to delete a few neighbouring tokens at once, for each place and number."""
    spans = token_spans(subject)
    lists = []
    for size in range(smallest, largest + 1):
        windows = (spans[i : i + size] for i in range(len(spans) - size + 1))
        lists.append([Unit(((with_blanks(subject.content, window[0][0], window[-1][1]),),)) for window in windows])
    return [units for units in lists if units]
