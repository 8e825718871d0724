"""What is written down of a case, so that a difference can be read: digests, counts, and accepted steps as a line."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from hashlib import sha256
from itertools import groupby
from typing import Any

Record = dict[str, Any]
Case = Callable[[], Record]

_SHOWN = 60
"""Results of up to so many bytes are written out."""


class Broken(Exception):
    """Something that must hold whatever was recorded does not."""


class Unavailable(Exception):
    """The case needs something that is not installed here."""


def of_content(content: bytes) -> Record:
    """Return what stands for a result."""
    shown = {"result": content.decode("ascii", "backslashreplace")} if len(content) <= _SHOWN else {}
    return {**shown, "sha256": sha256(content).hexdigest(), "size": len(content)}


def of_files(files: Mapping[str, bytes]) -> Record:
    """Return what stands for a folder of files."""
    whole = b"".join(b"%s\0%d\0%s" % (name.encode(), len(data), data) for name, data in sorted(files.items()))
    sizes = " ".join(f"{name}:{len(data)}" for name, data in sorted(files.items()))
    return {"files": sizes, "sha256": sha256(whole).hexdigest(), "size": sum(map(len, files.values()))}


def steps_text(steps: Iterable[tuple[str, int]]) -> str:
    """Return accepted steps as a line: `input 1896; lines 1800 427; tokens 64`."""
    groups = groupby(steps, key=lambda step: step[0])
    return "; ".join(f"{label} {' '.join(str(size) for _, size in group)}" for label, group in groups)


def merged(records: Mapping[str, Record], alike: Iterable[str] = ()) -> Record:
    """Return several records as one: what all have in common once, anything else by the name of its record.

    Raise `Broken` if one of the fields that must be alike is not.
    """
    found: Record = {}
    for field in sorted({field for record in records.values() for field in record}):
        values = {name: record.get(field) for name, record in records.items()}
        first, *others = values.values()
        if all(value == first for value in others):
            found[field] = first
        elif field in alike:
            raise Broken(f"{field} is not the same for {' and '.join(values)}: {values}")
        else:
            found[field] = values
    return found


def differences(before: Record, now: Record) -> list[str]:
    """Return what differs between two records, a line each."""
    found = []
    for field in sorted(before.keys() | now.keys()):
        one, other = before.get(field), now.get(field)
        if one == other:
            continue
        if isinstance(one, str) and isinstance(other, str) and max(len(one), len(other)) > _SHOWN:
            start = next(
                (i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other))
            )
            start = max(0, start - _SHOWN // 2)
            one, other = (f"…{text[start : start + 2 * _SHOWN]}…" for text in (one, other))
        elif isinstance(one, list) and isinstance(other, list):
            gone, come = [x for x in one if x not in other], [x for x in other if x not in one]
            found.append(f"{field}: no more {gone}, new {come}")
            continue
        found.append(f"{field}: was {one!r}, is {other!r}")
    return found
