"""The folder where a failing command was typed, as the checks of a run are to see it."""

from __future__ import annotations

from typing import NamedTuple

OVERLAY, COPY = "overlay", "copy"
"""What a view is made by: layers in mount namespaces, or copies where there are none."""


class View(NamedTuple):
    """The user's folder as a check is to see it. A tuple of plain values, so that it can be sent to a check runner."""

    folder: str
    """Where the command was typed."""
    roots: tuple[str, ...]
    """The folders of which a check sees a private version; none is inside another."""
    names: tuple[str, ...] = ()
    """The files that a candidate is made of: those it does not have are not there."""
    whole: str = ""
    """A folder that is made of the candidate's files and nothing else."""
    kind: str = OVERLAY
    hidden: tuple[str, ...] = ()
    """What is written beside the input while checks run, which they must not see: the result and its records."""
