"""How checks are kept from all that is not theirs, as plain values."""

from __future__ import annotations

from typing import NamedTuple

OFF, ON, STRICT, TRIAL = "off", "on", "strict", "trial"
"""The modes: no sandbox, a sandbox where the system allows one, one with all that can be taken away, and one in which
everything is as outside, but what is protected."""


class Containment(NamedTuple):
    """What checks may reach. A tuple of plain values, so that it can be sent to a check runner."""

    mode: str = OFF
    writable: tuple[str, ...] = ()
    """Folders and files that checks may write although they are outside their own."""
    protected: tuple[str, ...] = ()
    """Folders and files that checks may not write even where everything else is as outside."""
    keep: str = ""
    """A folder in which all that checks leave in their own is kept; empty when it is removed."""


def in_words(containment: Containment, why_open: str = "") -> str:
    """Return what keeps checks from all that is not theirs, or why nothing does."""
    if containment.mode == OFF:
        return "without a sandbox (--sandbox off)"
    if why_open:
        return f"without a sandbox (not possible here: {why_open})"
    return "in a strict sandbox" if containment.mode == STRICT else "in a sandbox"
