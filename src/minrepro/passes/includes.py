"""Includes: what the preprocessor of C put into a file, header by header, and the program's own code around it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import partial

from minrepro.edits import Cut
from minrepro.passes import Pass
from minrepro.passes.subtrees import subtrees
from minrepro.plan import Unit
from minrepro.subject import Subject

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


def share_of_own_code(content: bytes) -> float:
    """Return how much of a file comes from no header."""
    included = sum(header.end - header.start for header in headers_of(content))
    return 1 - included / max(1, len(content))


def _headers(subject: Subject) -> list[list[Unit]]:
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


def _own_code(subject: Subject) -> list[list[Unit]]:
    """Propose to delete the parts of a program that stand behind its last header."""
    headers = headers_of(subject.content)
    behind = headers[-1].end if headers else 0
    # Looked at alone: the headers are long, and would only be parsed in vain.
    own = Subject(subject.content[behind:], subject.language)
    return [[unit.moved(behind) for unit in units] for units in subtrees(own)]


OWN_CODE = Pass("own code", _own_code)
HEADERS = Pass("headers", _headers, optimism=0.3)
