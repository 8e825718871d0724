"""A file of records that grows at its end only: whatever happens while one is written, those before it are sound.

Each record is one line: a checksum, a blank, and JSON. A record is written in one step; what a killed process has
written stays, and what a crash of the machine tears is the end of the file, where it is recognised by its checksum and
dropped. What is not on the disk yet may also be lost in the middle, where the file system has nothing but zeros. A bad
record with sound ones behind it is another matter: there something else has written into the file.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any
from zlib import crc32

from minrepro.errors import JournalError

_CHECKSUM = 9
"""How many bytes stand before the JSON of a record."""
_decode = json.JSONDecoder().decode
_encode = json.JSONEncoder(separators=(",", ":"), check_circular=False).encode


def encoded(record: Any) -> bytes:
    """Return the line that holds a record."""
    text = _encode(record).encode()
    return b"%08x %s\n" % (crc32(text), text)


def decoded(lines: Iterable[bytes]) -> tuple[list[Any], int, int]:
    """Return the sound records at the beginning, how many bytes they take, and how many sound ones are behind a bad."""
    records: list[Any] = []
    size = stray = 0
    torn = False
    for line in lines:
        try:
            text = line[_CHECKSUM:-1]
            if line[-1:] != b"\n" or line[:_CHECKSUM] != b"%08x " % crc32(text):
                raise ValueError
            record = _decode(text.decode())
        except ValueError:
            if b"\0" in line:  # no record has one: a crash has left a hole, and what is behind it followed what is lost
                break
            torn = True
            continue
        if torn:
            stray += 1
        else:
            records.append(record)
            size += len(line)
    return records, size, stray


def is_of_number(line: bytes) -> bool:
    """Tell whether the line of a record holds a list that begins with a number, without decoding it."""
    return line[_CHECKSUM + 1 : _CHECKSUM + 2].isdigit()


def read_records(path: Path) -> tuple[list[Any], int]:
    """Return the records of a file and how many bytes they take; a torn end is left out, other damage is an error."""
    try:
        with path.open("rb") as file:
            records, size, stray = decoded(file)
    except OSError as error:
        raise JournalError(f"cannot read {path}: {error.strerror}") from None
    if stray:
        raise JournalError(
            f"{path} is damaged: record {len(records) + 1} does not match its checksum, but {stray:,} after it do\n"
            "hint: another program has written into it; delete it, or move it away"
        )
    return records, size


class RecordFile:
    """A file of records, open at its end."""

    def __init__(self, path: Path, *, new: bool = True) -> None:
        """Make a new file, or open one that is there."""
        flags = os.O_RDWR | os.O_APPEND | os.O_CLOEXEC | (os.O_CREAT | os.O_EXCL if new else 0)
        self.path = path
        self.descriptor = os.open(path, flags, 0o644)
        self._size = os.fstat(self.descriptor).st_size

    def cut(self, size: int) -> None:
        """Remove whatever lies behind the sound records."""
        os.ftruncate(self.descriptor, size)
        self._size = size

    def append(self, *records: Any) -> None:
        """Add records at the end, or none of them."""
        line = b"".join(map(encoded, records))
        try:
            if os.write(self.descriptor, line) < len(line):
                raise OSError(28, "No space left on device")
        except OSError:
            with contextlib.suppress(OSError):
                self.cut(self._size)  # what follows half a record would be lost with it
            raise
        self._size += len(line)

    def sync(self) -> None:
        """Return when all that was added is on the disk."""
        os.fdatasync(self.descriptor)

    def close(self) -> None:
        """Close the file; closing again does nothing."""
        descriptor, self.descriptor = self.descriptor, -1
        if descriptor >= 0:
            os.close(descriptor)
