"""Counts as they are told to people: `1 check`, `2 checks`, `1,000 checks`."""

from __future__ import annotations


def counted(number: int, things: str) -> str:
    """Return a number with what it counts, which is given in the plural."""
    return f"{number:,} {named(number, things)}"


def named(number: int, things: str) -> str:
    """Return what so many things are called, given their plural, which ends in an s more than the singular."""
    return things.removesuffix("s") if number == 1 else things
