"""Zeros: what must have its length but may be anything becomes zeros, so that what matters stands out."""

from __future__ import annotations

from functools import partial

from minrepro.core.edits import Cut
from minrepro.core.units import Unit
from minrepro.documents.snapshot import Snapshot

_LONGEST = 256
_PARTS = 4


def zeros(subject: Snapshot, shortest: int = 64) -> list[list[Unit]]:
    """Propose for each stretch of a binary content of so many bytes to become zeros, long stretches first."""
    content = subject.content
    # What is short can be read as it is.
    wanted = len(content) >= shortest and is_binary(content)
    return _stretches(content, 0, len(content), _LONGEST) if wanted else []


def is_binary(content: bytes) -> bool:
    """Tell whether a content is no text."""
    if b"\0" in content:
        return True
    try:
        content.decode()
    except UnicodeDecodeError:
        return True
    return False


def _stretches(content: bytes, start: int, end: int, size: int) -> list[list[Unit]]:
    units = []
    for begin in range(start, end, size):
        stop = min(begin + size, end)
        if content[begin:stop].strip(b"\0"):
            below = partial(_stretches, content, begin, stop, size // _PARTS) if size > 1 else None
            units.append(Unit(((Cut(begin, stop, bytes(stop - begin)),),), stop - begin, below))
    return [units] if units else []
