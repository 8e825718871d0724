"""What is cut from a binary container leaves one whose offsets, lengths and checksums are right."""

from __future__ import annotations

import io
import re
import struct
import zipfile
import zlib

from minrepro.documents.containers import Container, container_of


def container(data: bytes) -> Container:
    found = container_of(data)
    assert found is not None
    return found


def pdf() -> bytes:
    objects = [b"<< /Type /Catalog /Pages 2 0 R >>", b"<< /Type /Pages /Kids [] /Count 0 >>", b"(unused)"]
    body, offsets = b"%PDF-1.4\n", []
    for number, text in enumerate(objects, 1):
        offsets.append(len(body))
        body += b"%d 0 obj\n%s\nendobj\n" % (number, text)
    stream = b"BT (hello) Tj ET"
    offsets.append(len(body))
    body += b"4 0 obj\n<< /Length %d >>\nstream\n%s\nendstream\nendobj\n" % (len(stream), stream)
    table = b"xref\n0 5\n0000000000 65535 f \n" + b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    return body + table + b"trailer\n<< /Size 5 /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % len(body)


def offsets_hold(data: bytes) -> bool:
    start = int(re.findall(rb"startxref\s+(\d+)", data)[-1])
    assert data[start:].startswith(b"xref")
    used, number = [], 0
    for line in data[start:].split(b"trailer")[0].splitlines()[1:]:
        if line.count(b" ") == 1:
            number = int(line.split()[0])
        else:
            if line.endswith(b"n "):
                used.append((number, int(line.split()[0])))
            number += 1
    return bool(used) and all(data[offset:].startswith(b"%d 0 obj" % number) for number, offset in used)


def test_a_pdf_keeps_its_cross_references_right() -> None:
    form = container(pdf())
    opened = form.open(pdf())
    assert b"xref" not in opened
    assert offsets_hold(form.close(opened))
    shorter = opened.replace(b"3 0 obj\n(unused)\nendobj\n", b"")
    assert shorter != opened
    assert offsets_hold(form.close(shorter))


def test_a_pdf_keeps_the_lengths_of_its_streams_right() -> None:
    form = container(pdf())
    closed = form.close(form.open(pdf()).replace(b"(hello) ", b""))
    assert b"/Length 8 >>\nstream\nBT Tj ET\n" in closed


def png() -> bytes:
    def chunk(name: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))

    header = struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0)
    chunks = [(b"IHDR", header), (b"tEXt", b"Comment\0hello"), (b"IDAT", zlib.compress(b"\0\0")), (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunk(name, content) for name, content in chunks)


def chunks_hold(data: bytes) -> list[bytes]:
    names, position = [], 8
    while position < len(data):
        (length,) = struct.unpack_from(">I", data, position)
        named = data[position + 4 : position + 8 + length]
        assert struct.unpack_from(">I", data, position + 8 + length) == (zlib.crc32(named),)
        names.append(named[:4])
        position += 12 + length
    return names


def test_a_png_keeps_its_chunk_lengths_and_checksums_right() -> None:
    form = container(png())
    opened = form.open(png())
    assert form.close(opened) == png()
    closed = form.close(opened.replace(b"hello", b""))
    assert chunks_hold(closed) == [b"IHDR", b"tEXt", b"IDAT", b"IEND"]
    start = opened.index(b"tEXt") - 3
    assert chunks_hold(form.close(opened[:start] + opened[opened.index(b"IDAT") - 3 :])) == [b"IHDR", b"IDAT", b"IEND"]


def test_a_zip_keeps_its_directory_right() -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("one.txt", b"first")
        archive.writestr("two.txt", b"second " * 20, compress_type=zipfile.ZIP_DEFLATED)
        archive.writestr("three.txt", b"third")
    data = buffer.getvalue()
    form = container(data)
    opened = form.open(data)
    with zipfile.ZipFile(io.BytesIO(form.close(opened))) as archive:
        assert archive.testzip() is None
        assert archive.read("two.txt") == b"second " * 20
    second, third = (match.start() for match in list(re.finditer(b"PK\x03\x04", opened))[1:])
    with zipfile.ZipFile(io.BytesIO(form.close(opened[:second] + opened[third:].replace(b"third", b"thd")))) as archive:
        assert archive.testzip() is None
        assert archive.namelist() == ["one.txt", "three.txt"]
        assert archive.read("three.txt") == b"thd"


def test_other_files_are_no_containers() -> None:
    assert container_of(b"int main() {}") is None
    assert container_of(b"") is None
