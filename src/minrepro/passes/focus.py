"""Around the failure: where a message says in which lines of the input it is, all else may go in a test or two.

Compilers, linters and tracebacks name lines. The parts of a program that have these lines, with the parts that define
what they use, and so on, are often all that the failure needs.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from minrepro.core.edits import Cuts, unite
from minrepro.core.units import Unit
from minrepro.documents.snapshot import Snapshot
from minrepro.passes import Pass
from minrepro.passes.subtrees import subtrees


def around(lines: Sequence[int]) -> Pass:
    """Return the pass that proposes to keep these lines, counted from 1, and what they need."""
    return Pass("around-the-failure", lambda subject: _around(subject, lines), from_lists=True)


def _around(subject: Snapshot, lines: Sequence[int]) -> list[list[Unit]]:
    units = [unit for found in subtrees(subject) for unit in found]
    starts = _starts(subject.content, lines)
    here = [unit for unit in units if any(_covers(unit, start, end) for start, end in starts)]
    if not here or len(here) == len(units):
        return []
    always = _names_between(subject.content, units)
    bare = [unit for unit in units if not unit.defines and not unit.uses]  # includes, for instance
    last = max(_end(unit) for unit in here)
    kept = (
        [*_with_needed(here, units, always), *bare],
        [*_with_needed(here, units, always, loosely=True), *bare],
        [*_with_needed([*here, *_defining(b"main", units)], units, always, loosely=True), *bare],
        [unit for unit in units if _end(unit) <= last],
    )
    ways = tuple(way for way in dict.fromkeys(_without(units, each) for each in kept) if way)
    return [[Unit(ways, weight=len(subject.content))]] if ways else []


def _defining(name: bytes, units: Sequence[Unit]) -> list[Unit]:
    return [unit for unit in units if name in unit.defines]


def _names_between(content: bytes, units: Sequence[Unit]) -> set[bytes]:
    """Return the names in what no unit would take away, such as the heads of classes."""
    names, position = set[bytes](), 0
    for unit in sorted(units, key=lambda unit: unit.edits[0][0].start):
        names.update(re.findall(rb"[A-Za-z_]\w*", content[position : unit.edits[0][0].start]))
        position = max(position, _end(unit))
    return names | set(re.findall(rb"[A-Za-z_]\w*", content[position:]))


def _starts(content: bytes, lines: Sequence[int]) -> list[tuple[int, int]]:
    """Return where lines begin and end, without the space before them."""
    found, position = [], 0
    for number, line in enumerate(content.splitlines(keepends=True), 1):
        if number in lines:
            found.append((position + len(line) - len(line.lstrip()), position + len(line.rstrip())))
        position += len(line)
    return found


def _covers(unit: Unit, start: int, end: int) -> bool:
    first = unit.edits[0][0].start
    return first < end and start < _end(unit)


def _end(unit: Unit) -> int:
    return unit.edits[0][-1].end


def _with_needed(
    here: Sequence[Unit], units: Sequence[Unit], always: set[bytes], *, loosely: bool = False
) -> list[Unit]:
    """Return some parts with those that define what they use, or what is used anyway, and so on.

    Loosely, what defines nothing itself is needed too if it speaks of something needed: an import, an implementation.
    """
    needed, used = list(here), always.union(*(unit.uses for unit in here))
    rest = [unit for unit in units if unit not in needed]
    while found := [unit for unit in rest if used & (unit.defines or (unit.uses if loosely else frozenset()))]:
        needed += found
        used.update(*(unit.uses for unit in found if unit.defines))
        rest = [unit for unit in rest if unit not in found]
    return needed


def _without(units: Sequence[Unit], kept: Sequence[Unit]) -> Cuts:
    """Return the cuts that leave nothing of some parts but those that are kept."""
    keep = set(map(id, kept))
    return unite([cut for unit in units if id(unit) not in keep for cut in unit.edits[0]])
