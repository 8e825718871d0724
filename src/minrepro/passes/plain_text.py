"""Plain text and bytes: lines, blocks by indentation, spans between signs that recur, characters."""

from __future__ import annotations

import re
from functools import partial

from minrepro.core.edits import Cut
from minrepro.core.units import Unit
from minrepro.documents.snapshot import Snapshot
from minrepro.passes.zero_fill import is_binary

_BLANK = re.compile(rb"\A(?:[ \t\r]*\n)+|[ \t\r]*\n(?:[ \t\r]*\n)+|[ \t]+(?=\r?\n)|\s+\Z")
_INDENTATION = re.compile(rb"(?m)^[ \t]*(?=[^\s])")
_BLANKS = re.compile(rb"[ \t\r]+(?=\n)")
_LOOSE = re.compile(rb"(?<=\S)[ \t]+(?=[:;,)\]}.])|(?<=[(\[])[ \t]+(?=\S)|(?<=\S)[ \t]{2,}(?=\S)")
"""Space that nobody would write: before a closing sign, behind an opening one, or more than one blank in a line."""
_MOST_SPANS = 20_000
_MOST_UNITS = 50_000


def lines(subject: Snapshot) -> list[list[Unit]]:
    """Propose to delete each line."""
    units, start = [], 0
    for line in subject.content.splitlines(keepends=True):
        end = start + len(line)
        units.append(Unit(((Cut(start, end),),)))
        start = end
    return [units] if len(units) > 1 else []


def blank(subject: Snapshot) -> list[list[Unit]]:
    """Propose to delete blank lines, space at the end of lines and indentation that all lines share, all at first."""
    units = _dedented(subject.content)
    for match in _BLANK.finditer(subject.content):
        text = match.group()
        keep = b"\n" if b"\n" in text and match.start() > 0 else b""
        if len(keep) < len(text):
            below = partial(_blanks, subject.content, *match.span()) if b"\n" in text else None
            units.append(Unit(((Cut(match.start(), match.end(), keep),),), below=below))
    return [units] if units else []


def _dedented(content: bytes) -> list[Unit]:
    """Return the unit that takes away the indentation that all lines share, if there is any."""
    lines = list(_INDENTATION.finditer(content))
    shared = min((len(line.group()) for line in lines), default=0)
    return [Unit((tuple(Cut(line.start(), line.start() + shared) for line in lines),))] if shared else []


def _blanks(content: bytes, start: int, end: int) -> list[list[Unit]]:
    """Propose to delete what blank lines are made of, where they must stay."""
    found = [match for match in _BLANKS.finditer(content, start, end) if match.end() - match.start() < end - start]
    return [[Unit(((Cut(*match.span()),),)) for match in found]] if found else []


_DEEPER = re.compile(rb"(?m)^([ \t]*)\S.*[;}]\n\1([ \t]+)(?=\S)")
"""Where a line begins farther to the right than the one before, although that ends with the end of something."""


def loose_space(subject: Snapshot) -> list[list[Unit]]:
    """Propose to delete space that cuts have left within lines where nobody would write it, all of it at first."""
    units = []
    for match in _LOOSE.finditer(subject.content):
        tight = subject.content[match.end()] in b":;,)]}." or subject.content[match.start() - 1] in b"(["
        units.append(Unit(((Cut(*match.span(), b"" if tight else b" "),),)))
    units += [Unit(((Cut(*match.span(2)),),)) for match in _DEEPER.finditer(subject.content)]
    return [units] if units else []


def indented_blocks(subject: Snapshot) -> list[list[Unit]]:
    """Propose to delete each line with all lines below it that are indented deeper."""
    spans: list[tuple[int, int]] = []
    open_: list[tuple[int, int]] = []  # indentation and start of blocks that go on
    position = 0
    for line in subject.content.splitlines(keepends=True):
        stripped = line.strip()
        if stripped:
            depth = len(line) - len(line.lstrip())
            while open_ and open_[-1][0] >= depth:
                spans.append((open_.pop()[1], position))
            open_.append((depth, position))
        position += len(line)
    spans += [(start, position) for _, start in open_]
    blocks = [span for span in spans if b"\n" in subject.content[span[0] : span[1] - 1]]
    blocks.sort(key=lambda span: span[1] - span[0])
    return [[Unit(((Cut(start, end),),), weight=end - start) for start, end in blocks]] if blocks else []


def duplicates(subject: Snapshot) -> list[list[Unit]]:
    """Propose for each line that occurs more than once to go everywhere at once."""
    places: dict[bytes, list[Cut]] = {}
    start = 0
    for line in subject.content.splitlines(keepends=True):
        end = start + len(line)
        places.setdefault(line.strip(), []).append(Cut(start, end))
        start = end
    units = [Unit((tuple(cuts),), weight=len(cuts)) for line, cuts in places.items() if line and len(cuts) > 1]
    return [units] if units else []


_READABLE = bytes(range(0x20, 0x7F)) + b"\t\n\r\f"
_NOISE = 0.15
"""From this share of bytes on that are no text, words and brackets in a content are there by chance."""


def is_noise(content: bytes) -> bool:
    """Tell whether a content of no language has no structure that could be a guide: most of it is no text."""
    if content.startswith(b"%PDF-") or not is_binary(content):
        return False
    return len(content.translate(None, _READABLE)) > _NOISE * len(content)


def characters(subject: Snapshot) -> list[list[Unit]]:
    """Propose to delete each character but space, and but those that are a token by the grammar: that was tried."""
    tree = subject.document.tree if subject.document is not None else None
    whole = {tree.start[leaf] for leaf in tree.leaves if tree.size(leaf) == 1} if tree is not None else ()
    text = subject.content.decode("utf-8", "surrogateescape")
    units, start = [], 0
    for character in text:
        end = start + len(character.encode("utf-8", "surrogateescape"))
        if not character.isspace() and start not in whole:
            units.append(Unit(((Cut(start, end),),)))
        start = end
    return [units] if units else []


def single_bytes(subject: Snapshot) -> list[list[Unit]]:
    """Propose to delete each byte, space as well: where there is no structure, there is nothing to keep tidy.

    The bytes of a long content are looked at one by one only where something is needed.
    """
    size = len(subject.content)
    return _bytes(0, size, 1 + size // _MOST_UNITS)


def _bytes(start: int, end: int, size: int) -> list[list[Unit]]:
    units = []
    for begin in range(start, end, size):
        behind = min(begin + size, end)
        below = partial(_bytes, begin, behind, 1) if size > 1 else None
        units.append(Unit(((Cut(begin, behind),),), behind - begin, below))
    return [units]


def spans_between_signs(subject: Snapshot) -> list[list[Unit]]:
    """Propose to delete what stands between two occurrences of the same sign, with one of them."""
    last: dict[int, int] = {}
    units = []
    for position, byte in enumerate(subject.content):
        if byte in last and position - last[byte] > 1:
            units.append(Unit(((Cut(last[byte], position),),), weight=position - last[byte]))
        last[byte] = position
    if len(units) > _MOST_SPANS:
        return []
    units.sort(key=lambda unit: unit.weight)
    return [units]


def short_spans(subject: Snapshot, smallest: int = 2, largest: int = 8) -> list[list[Unit]]:
    """Propose to delete a few bytes at every place but where there is only space."""
    content = subject.content
    size = len(content)
    return [
        [
            Unit(((Cut(start, start + length),),))
            for start in range(size - length + 1)
            if not content[start : start + length].isspace()
        ]
        for length in range(smallest, min(largest, size) + 1)
    ]


def white_space(subject: Snapshot) -> list[list[Unit]]:
    """Propose for each run of white space to go, or to become one space or line end."""
    units = []
    for match in re.finditer(rb"\s+", subject.content):
        shorter = [text for text in (b"", b" ", b"\n") if (len(text), text) < (len(match.group()), match.group())]
        units.append(Unit(tuple((Cut(match.start(), match.end(), text),) for text in shorter)))
    return [units]


_OBJECT = re.compile(rb"(?s)(?<!\d)\d+ \d+ obj\b.*?endobj\s*")
_STREAM = re.compile(rb"(?s)(?<=stream\n).*?(?=endstream)")


def pdf_objects(subject: Snapshot) -> list[list[Unit]]:
    """Propose to delete each object of a PDF file, and what is inside each stream."""
    if not subject.content.startswith(b"%PDF-"):
        return []
    return [units for pattern in (_OBJECT, _STREAM) if (units := _matches(pattern, subject.content))]


def _matches(pattern: re.Pattern[bytes], content: bytes) -> list[Unit]:
    return [
        Unit(((Cut(*match.span()),),), weight=len(match.group()))
        for match in pattern.finditer(content)
        if match.group()
    ]
