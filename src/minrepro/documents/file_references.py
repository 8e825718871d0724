"""Which lines of several files speak of which other file: includes, imports, lists of a build."""

from __future__ import annotations

import re
from pathlib import PurePath

from minrepro.documents.packed_files import PackedFiles

_REFERRING = re.compile(
    rb"^\s*#\s*include\b|\b(?:import|from|require|use|mod|source|load|include|add_\w+|SRCS?|OBJS?)\b|\.(?:o|c|cc|cpp|h|py|js|ts|go|rs|java|rb)\b",
    re.IGNORECASE,
)
_FOR_FOLDERS = frozenset({"__init__", "index", "mod"})
"""What files are called that are meant when their folder is named."""
_WORD = re.compile(rb"[\w-]+(?:\.[\w-]+)*")


def references(files: PackedFiles, content: bytes) -> dict[int, list[tuple[int, int]]]:
    """Return for each file the lines of other files that seem to speak of it: includes, imports, lists of a build."""
    by_word: dict[bytes, list[int]] = {}
    spans = list(files.spans(content))
    for span in spans:
        path = PurePath(span.name)
        names = {path.name, path.stem, f"{path.stem}.o"}
        if path.stem in _FOR_FOLDERS:
            names.add(path.parent.name)
        for word in names:
            by_word.setdefault(word.encode("utf-8", "surrogateescape"), []).append(span.number)
    found: dict[int, list[tuple[int, int]]] = {}
    for span in spans:
        start = span.start
        for line in content[span.start : span.end].splitlines(keepends=True):
            if _REFERRING.search(line):
                words = set(_WORD.findall(line))
                words |= {part for word in words for part in word.split(b".")}
                for number in {number for word in words for number in by_word.get(word, ())} - {span.number}:
                    found.setdefault(number, []).append((start, start + len(line)))
            start += len(line)
    return found


def roots_of(files: PackedFiles, content: bytes) -> dict[int, int]:
    """Return the files of which no other speaks, by their numbers, with their sizes."""
    spoken = references(files, content)
    spans = list(files.spans(content))
    return {
        span.number: span.end - span.start
        for span in spans
        if all(span.start <= start < span.end for start, _ in spoken.get(span.number, ()))
    }
