"""Texts inside tokens: lines, words and spans of comments, strings and other tokens, which a grammar takes as one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial

from minrepro.core.edits import Cut
from minrepro.core.units import Unit
from minrepro.documents.snapshot import Snapshot

_LONG = 16
"""Tokens of fewer bytes are left to the passes for characters."""
_WORD = re.compile(rb"\s*(?:\w+|[^\w\s]+)")
_NAME_OR_NUMBER = re.compile(rb"[\w.$]*")
_SPANS = range(2, 9)


def inside_tokens(subject: Snapshot) -> list[list[Unit]]:
    """Propose to delete the lines of long tokens, and the words of what is left."""
    document = subject.document
    if document is None:
        return []
    tree = document.tree
    lists = []
    for leaf in tree.leaves:
        start, end = tree.start[leaf], tree.end[leaf]
        if end - start > _LONG:
            inner = subject.content.count(b"\n", start, end) > 1
            lists.append(_lines(subject.content, start, end) if inner else _words(subject.content, start, end))
    return lists


def _lines(content: bytes, start: int, end: int) -> list[Unit]:
    """Return the lines of a token but the first and the last, which hold what begins and ends it, each with its words.

    The words of those two come last: they have no line that could go as a whole.
    """
    first, last = content.index(b"\n", start) + 1, content.rindex(b"\n", start, end) + 1
    units, position = [], first
    while position < last:
        behind = content.index(b"\n", position) + 1
        below = partial(_words_below, content, position, behind - 1)
        units.append(Unit(((Cut(position, behind),),), weight=max(1.0, (behind - position) / 8), below=below))
        position = behind
    return [*_words(content, start, first - 1), *units, *_words(content, last, end)]


def _words_below(content: bytes, start: int, end: int) -> list[list[Unit]]:
    return [_words(content, start, end)]


def _words(content: bytes, start: int, end: int) -> list[Unit]:
    return [Unit(((Cut(*match.span()),),)) for match in _WORD.finditer(content, start, end)]


def spans_of_texts(subject: Snapshot) -> list[list[Unit]]:
    """Propose to delete a few bytes at every place inside tokens that are neither a name nor a number."""
    document = subject.document
    if document is None:
        return []
    tree = document.tree
    texts = [
        (tree.start[leaf], tree.end[leaf]) for leaf in tree.leaves if not _NAME_OR_NUMBER.fullmatch(tree.text(leaf))
    ]
    lists = ([Unit(((Cut(at, at + size),),)) for at in _places(texts, size)] for size in _SPANS)
    return [units for units in lists if units]


def _places(texts: list[tuple[int, int]], size: int) -> Iterator[int]:
    """Yield where spans of so many bytes begin that are inside a text, but not all of it."""
    for start, end in texts:
        if size < end - start:
            yield from range(start, end - size + 1)
