"""Several files as one content, so that edits in all of them are made, united and tested like edits in one.

A content is a sequence of entries: a mark, the number of a file, and its bytes. The mark occurs in none of the files,
so it is found again whatever was cut out between; a file goes when its mark, its number and its bytes are cut. What
does not change - names, modes, where links lead - stays in the table of the files.
"""

from __future__ import annotations

import stat
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import blake2b

from minrepro.errors import InputError

_NUMBER = 4
_MARK = 8

Content = tuple[int, bytes]
"""The mode of a file, with its type, and its bytes; for a link the path that it leads to."""


@dataclass(frozen=True)
class Span:
    """Where a file stands in a content."""

    number: int
    name: str
    begin: int
    """Where its mark begins."""
    start: int
    end: int


@dataclass(frozen=True)
class PackedFiles:
    """The table of several files, by which they become one content and a content becomes files again."""

    names: tuple[str, ...]
    modes: tuple[int, ...]
    targets: Mapping[str, bytes]
    """Where links lead."""
    mark: bytes

    @classmethod
    def packed(cls, files: Mapping[str, Content]) -> tuple[PackedFiles, bytes]:
        """Return the table of some files, and their content."""
        links = {name: data for name, (mode, data) in files.items() if stat.S_ISLNK(mode)}
        names, modes = tuple(files), tuple(mode for mode, _ in files.values())
        bodies = [b"" if stat.S_ISLNK(mode) else data for mode, data in files.values()]
        table = cls(names, modes, links, _mark_for(bodies))
        entries = (table.mark + i.to_bytes(_NUMBER, "big") + body for i, body in enumerate(bodies))
        return table, b"".join(entries)

    def spans(self, content: bytes) -> Iterator[Span]:
        """Yield where the files stand that are left in a content."""
        begin, header = 0, _MARK + _NUMBER
        while begin < len(content):
            if content[begin : begin + _MARK] != self.mark:
                raise InputError("a candidate of several files is broken: a mark is missing")
            number = int.from_bytes(content[begin + _MARK : begin + header], "big")
            end = content.find(self.mark, begin + header)
            end = len(content) if end < 0 else end
            yield Span(number, self.names[number], begin, begin + header, end)
            begin = end

    def unpacked(self, content: bytes) -> dict[str, Content]:
        """Return the files that are left in a content."""
        return {
            span.name: (
                self.modes[span.number],
                self.targets.get(span.name, content[span.start : span.end]),
            )
            for span in self.spans(content)
        }

    def size(self, content: bytes) -> int:
        """Return how many bytes the files have that are left in a content."""
        return sum(span.end - span.start for span in self.spans(content))


def _mark_for(bodies: list[bytes]) -> bytes:
    attempt = 0
    while True:
        # Bytes that are neither text nor common in binary files, so that no cut brings them together by chance.
        mark = b"\x00\xff" + blake2b(str(attempt).encode(), digest_size=_MARK - 2).digest()
        if not any(mark in body for body in bodies):
            return mark
        attempt += 1
