"""What should go before all else: a program's last lines, its own code behind its headers, and then whole headers.

What comes late in a program needs what came before. As long as it stands there, hardly anything of that can go; and a
hint that something is used says little while its only user is code that is not needed itself. So the end of a long
program, or what stands behind the headers where a preprocessor has put them into the file, is reduced first.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

from minrepro.core.edits import Cut
from minrepro.core.tuning import TUNING
from minrepro.core.units import Unit
from minrepro.documents.snapshot import Snapshot
from minrepro.passes import Pass
from minrepro.passes.subtrees import subtrees

_MARKER = re.compile(rb'(?m)^#[ \t]*\d+[ \t]+"(?:[^"\\\n]|\\.)*"((?:[ \t]+\d)*)[ \t]*\r?\n?')
"""A line that tells where the next one comes from; flag 1 is the beginning of a file, flag 2 the return from one."""


@dataclass
class Header:
    """What a header has become, with the lines that mark its beginning and the return from it."""

    start: int
    end: int
    inside: list[Header] = field(default_factory=list)


def headers_of(content: bytes) -> list[Header]:
    """Return the headers that a preprocessed file includes itself; those that they include are inside them."""
    outermost: list[Header] = []
    open_: list[Header] = []
    for marker in _MARKER.finditer(content):
        flags = marker[1].split()
        if b"1" in flags:
            header = Header(marker.start(), len(content))
            (open_[-1].inside if open_ else outermost).append(header)
            open_.append(header)
        elif b"2" in flags and open_:
            open_.pop().end = marker.end()
    return outermost


def _headers(subject: Snapshot) -> list[list[Unit]]:
    """Propose to delete each header, or what it includes."""
    return _units(headers_of(subject.content))


def _units(headers: list[Header]) -> list[list[Unit]]:
    units = [
        Unit(
            ((Cut(header.start, header.end),),),
            weight=header.end - header.start,
            below=partial(_units, header.inside) if header.inside else None,
        )
        for header in headers
    ]
    return [units] if units else []


def _own_code(subject: Snapshot) -> list[list[Unit]]:
    """Propose to delete the parts of a program that stand behind its last header, if they are a small share of all."""
    headers = headers_of(subject.content)
    if not headers or len(subject.content) - headers[-1].end > TUNING.small_own_code * len(subject.content):
        return []
    behind = headers[-1].end
    # Looked at alone: the headers are long, and would only be parsed in vain.
    own = Snapshot(subject.content[behind:], subject.language)
    return [[unit.moved(behind) for unit in units] for units in subtrees(own)]


def _end(subject: Snapshot) -> list[list[Unit]]:
    """Propose to delete the last parts of a long program."""
    size = len(subject.content)
    part = max(TUNING.end_least, round(TUNING.end_share * size))
    last: list[Unit] = []
    pending = subtrees(subject)
    while pending:
        for unit in pending.pop():
            start, end = unit.edits[0][0].start, unit.edits[0][-1].end
            if end - start > 2 * part and unit.below is not None:
                pending += unit.below() if end > size - part else ()
            elif end > size - part:
                last.append(unit)
    last.sort(key=lambda unit: unit.edits[0][0].start)
    # Where nothing is named, as in data, what comes last needs nothing.
    return [last] if any(unit.uses for unit in last) else []


def _own_code_worth(content: bytes) -> float:
    """Return the share of a content that a stretch of tests on its own code must save."""
    headers = headers_of(content)
    return TUNING.own_code_worth * (1 - headers[-1].end / len(content)) if headers else 0.0


PREPROCESSED: tuple[tuple[Pass, Callable[[bytes], float]], ...] = (
    (Pass("own-code", _own_code), _own_code_worth),
    (Pass("headers", _headers, optimism=0.3), lambda content: TUNING.header_worth),
)
"""What goes first where headers can be told from own code, with the share of a content that it must save."""
END = Pass("end", _end, from_lists=True)
"""What goes first in a long program that does not become small at once."""
