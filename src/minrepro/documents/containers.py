"""Binary formats whose parts count, check and point at each other: what an edit breaks there is put right again.

A container is reduced in an *open* form in which anything may be cut; `close` makes a file of it whose
cross-references, lengths, counts and checksums are right for what is left. Known are PDF (cross-references, stream
lengths), PNG (chunk lengths and checksums) and ZIP (central directory, sizes, checksums; also JAR, DOCX, APK …).
"""

from __future__ import annotations

import re
import struct
import zlib
from collections.abc import Callable
from dataclasses import dataclass

from minrepro.plugins import brought, require


@dataclass(frozen=True)
class Container:
    """A binary format: what its files begin with, how to open them for edits, and how to close what is left."""

    name: str
    magic: bytes
    open: Callable[[bytes], bytes]
    close: Callable[[bytes], bytes]


def container_of(data: bytes) -> Container | None:
    """Return the container format of a file, or None."""
    more = (require("containers", name, Container) for name in brought("containers"))
    return next((each for each in (*CONTAINERS, *more) if data.startswith(each.magic)), None)


_XREF = re.compile(rb"(?s)\bxref\s.*?(?=trailer\b)")
_START = re.compile(rb"startxref\s+\d+\s*")
_OBJECT = re.compile(rb"(?<!\d)(\d{1,9}) (\d{1,5}) obj\b")
_STREAM = re.compile(rb"(?s)(/Length )(\d+)((?:(?!endobj).)*?\bstream\r?\n)(.*?)(\r?\n?endstream)")


def _open_pdf(data: bytes) -> bytes:
    """Drop the tables of offsets; they follow from the rest."""
    return _START.sub(b"", _XREF.sub(b"", data))


def _close_pdf(edited: bytes) -> bytes:
    """Write the lengths of streams and one table of offsets for the objects that are left."""
    body = _STREAM.sub(lambda m: m[1] + b"%d" % len(m[4]) + m[3] + m[4] + m[5], edited)
    trailer = body.rfind(b"trailer")
    body, tail = (body[:trailer], body[trailer:]) if trailer >= 0 else (body, b"")
    offsets = {int(match[1]): (match.start(), int(match[2])) for match in _OBJECT.finditer(body)}
    if not offsets:
        return body + tail
    end = tail.find(b"%%EOF")
    trailer_text = tail[:end] if end >= 0 else tail
    return body + _table(offsets) + trailer_text + b"startxref\n%d\n%%%%EOF\n" % len(body)


def _table(offsets: dict[int, tuple[int, int]]) -> bytes:
    """Return a table of offsets with a section for each run of numbers."""
    sections: list[list[int]] = [[0]]
    for number in sorted(offsets):
        if number == sections[-1][-1] + 1:
            sections[-1].append(number)
        elif number > 0:
            sections.append([number])
    table = [b"xref\n"]
    for section in sections:
        table.append(b"%d %d\n" % (section[0], len(section)))
        table += [b"%010d %05d n \n" % offsets[n] if n else b"0000000000 65535 f \n" for n in section]
    return b"".join(table)


_PNG_MAGIC = b"\x89PNG\r\n\x1a\n"
_CHUNK_MARK = b"\x00[["
"""Stands before the name of a chunk in the open form, where its length was: bytes that are rare in real data."""
_CHUNK = re.compile(re.escape(_CHUNK_MARK) + rb"([A-Za-z]{4})")


def _open_png(data: bytes) -> bytes:
    """Replace the length of each chunk by a mark and drop its checksum."""
    pieces, position = [_PNG_MAGIC], len(_PNG_MAGIC)
    while position + 12 <= len(data):
        (length,) = struct.unpack_from(">I", data, position)
        pieces += [_CHUNK_MARK, data[position + 4 : position + 8 + length]]
        position += 12 + length
    return b"".join(pieces)


def _close_png(edited: bytes) -> bytes:
    """Write the length and the checksum of every chunk that is left."""
    marks = list(_CHUNK.finditer(edited))
    if not marks:
        return edited
    pieces = [edited[: marks[0].start()]]
    for i, mark in enumerate(marks):
        end = marks[i + 1].start() if i + 1 < len(marks) else len(edited)
        content = edited[mark.end() : end]
        named = mark[1] + content
        pieces.append(struct.pack(">I", len(content)) + named + struct.pack(">I", zlib.crc32(named)))
    return b"".join(pieces)


_LOCAL = b"PK\x03\x04"
_CENTRAL = b"PK\x01\x02"
_LOCAL_HEADER = struct.Struct("<4sHHHHHIIIHH")
_DEFLATED = 8


def _open_zip(data: bytes) -> bytes:
    """Keep the entries and drop the central directory; it follows from the entries."""
    end = data.find(_CENTRAL)
    return data[:end] if end >= 0 else data


def _close_zip(edited: bytes) -> bytes:
    """Write sizes and checksums of the entries that are left, and a central directory for them."""
    starts = [match.start() for match in re.finditer(re.escape(_LOCAL), edited)]
    pieces: list[bytes] = [edited[: starts[0]] if starts else edited]
    directory: list[bytes] = []
    offset = len(pieces[0])
    for i, start in enumerate(starts):
        entry = edited[start : starts[i + 1] if i + 1 < len(starts) else len(edited)]
        if len(entry) < _LOCAL_HEADER.size:
            continue
        _, version, flags, method, time, date, _, _, _, name_size, extra_size = _LOCAL_HEADER.unpack_from(entry)
        flags &= ~8  # sizes stand in the header, not behind the content
        names = entry[_LOCAL_HEADER.size : _LOCAL_HEADER.size + name_size + extra_size]
        packed = entry[_LOCAL_HEADER.size + name_size + extra_size :]
        plain = _unpacked(packed) if method == _DEFLATED else packed
        common = (version, flags, method, time, date, zlib.crc32(plain), len(packed), len(plain), name_size)
        header = struct.pack("<4sHHHHHIIIHH", _LOCAL, *common, extra_size)
        directory.append(
            struct.pack("<4sHHHHHHIIIHHHHHII", _CENTRAL, version, *common, 0, 0, 0, 0, 0, offset) + names[:name_size]
        )
        pieces.append(header + names + packed)
        offset += len(pieces[-1])
    listed = b"".join(directory)
    end = struct.pack("<4sHHHHIIH", b"PK\x05\x06", 0, 0, len(directory), len(directory), len(listed), offset, 0)
    return b"".join(pieces) + listed + end


def _unpacked(packed: bytes) -> bytes:
    """Return what deflated bytes hold, as far as they can be read."""
    try:
        return zlib.decompressobj(-zlib.MAX_WBITS).decompress(packed)
    except zlib.error:
        return b""


CONTAINERS = (
    Container("pdf", b"%PDF-", _open_pdf, _close_pdf),
    Container("png", _PNG_MAGIC, _open_png, _close_png),
    Container("zip", _LOCAL, _open_zip, _close_zip),
)
