"""A ZIP, a PNG and a PDF for the golden check, and readers that tell whether one is still sound and fails."""

from __future__ import annotations

import io
import re
import struct
import zipfile
import zlib

from benchmarks.golden.inputs import SAMPLES
from benchmarks.golden.names import Outcome


def zip_content() -> bytes:
    """Return an archive of several files."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for n, name in enumerate(("log.txt", "orders.json", "order.py")):
            how = zipfile.ZIP_STORED if n else zipfile.ZIP_DEFLATED
            archive.writestr(zipfile.ZipInfo(name), SAMPLES[name].content[:700], compress_type=how)
    return buffer.getvalue()


def png_content() -> bytes:
    """Return a small picture with texts in it."""

    def chunk(name: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))

    rows = b"".join(b"\0" + bytes((x * y) % 256 for x in range(16)) for y in range(16))
    texts = [(b"tEXt", b"Comment\0%s %d" % (word, n)) for n, word in enumerate((b"hello", b"broken", b"there"))]
    image = (b"IHDR", struct.pack(">IIBBBBB", 16, 16, 8, 0, 0, 0, 0)), *texts, (b"IDAT", zlib.compress(rows, 0))
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunk(name, content) for name, content in (*image, (b"IEND", b"")))


def pdf_content() -> bytes:
    """Return a document of a few objects and streams."""
    objects = [b"<< /Type /Catalog /Pages 2 0 R >>", b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>"]
    objects += [b"<< /Type /Page /Parent 2 0 R /Contents 4 0 R >>"]
    for words in (b"hello there", b"the broken one", b"unused words"):
        stream = b"BT /F1 12 Tf (%s) Tj ET\n" % words * 3
        objects.append(b"<< /Length %d >>\nstream\n%s\nendstream" % (len(stream), stream))
    body, offsets = b"%PDF-1.4\n", []
    for number, text in enumerate(objects, 1):
        offsets.append(len(body))
        body += b"%d 0 obj\n%s\nendobj\n" % (number, text)
    table = b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    size = len(objects) + 1
    table = b"xref\n0 %d\n0000000000 65535 f \n%s" % (size, table)
    return body + table + b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (size, len(body))


def read_zip(case: bytes) -> Outcome:
    """Fail with a member that has orders and names, in an archive that can be read."""
    try:
        with zipfile.ZipFile(io.BytesIO(case)) as archive:
            texts = [archive.read(name) for name in archive.namelist()]
    except (zipfile.BadZipFile, zlib.error, ValueError, NotImplementedError, RuntimeError, EOFError, OSError):
        return Outcome.UNRESOLVED
    return Outcome.FAIL if any(b"orders" in text and b"name" in text for text in texts) else Outcome.PASS


def read_png(case: bytes) -> Outcome:
    """Fail with a picture and a text about something broken, in chunks whose checksums are right."""
    names, position = [], 8
    try:
        while position < len(case):
            (length,) = struct.unpack_from(">I", case, position)
            named = case[position + 4 : position + 8 + length]
            names.append(named[:4])
            if struct.unpack_from(">I", case, position + 8 + length) != (zlib.crc32(named),):
                return Outcome.UNRESOLVED
            position += 12 + length
    except struct.error:
        return Outcome.UNRESOLVED
    return Outcome.FAIL if b"IDAT" in names and b"broken" in case else Outcome.PASS


def read_pdf(case: bytes) -> Outcome:
    """Fail with a catalogue and the broken words, in a document whose table is where it says."""
    starts = re.findall(rb"startxref\s+(\d{1,9})", case)
    if not starts or not case[int(starts[-1]) :].startswith(b"xref"):
        return Outcome.UNRESOLVED
    return Outcome.FAIL if b"/Catalog" in case and b"(the broken" in case else Outcome.PASS
