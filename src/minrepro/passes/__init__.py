"""What the default reducer tries, one idea per file. A pass proposes units for the content as it is now.

All that the author of a pass needs can be imported from here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from minrepro.core.edits import Cut
from minrepro.core.units import Unit
from minrepro.documents.snapshot import Snapshot

__all__ = ["Cut", "Pass", "Propose", "Snapshot", "Unit"]

Propose = Callable[[Snapshot], list[list[Unit]]]
"""Returns lists of units; units that stand side by side in a list are tried in groups."""


@dataclass(frozen=True)
class Pass:
    """One idea of how to make a content smaller."""

    name: str
    propose: Propose
    tier: int = 0
    """0 removes whole parts, 1 simplifies what is left, 2 polishes it, 3 seldom helps."""
    glues: bool = False
    """Whether its cuts may make one token of two; otherwise what they bring together is kept apart."""
    from_lists: bool = False
    """Whether its cuts take elements from lists, so that a separator may be left at the end of one."""
    beyond_syntax: bool = False
    """Whether in the end it also tries what its grammar does not allow: programs may be more lenient."""
    optimism: float = 4.0
    """How many units are expected to be needed at first: the fewer, the larger the first groups."""
    shortens: bool = False
    """Whether it also makes words shorter: unless every byte counts, only what lets whole ones go is tried of it."""
    golf: bool = False
    """Whether it has its turn only where every byte counts, readable or not."""
