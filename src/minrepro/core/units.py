"""What a pass proposes: units, each an edit or a few alternatives of which one is enough."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace
from functools import partial

from minrepro.core.edits import Cuts


@dataclass(eq=False, slots=True)
class Unit:
    """Something that may go, or become smaller."""

    edits: tuple[Cuts, ...]
    """Alternatives, the best first: one that is accepted is enough."""
    weight: float = 1.0
    below: Callable[[], list[list[Unit]]] | None = None
    """The lists of smaller units to try if this one is refused."""
    defines: frozenset[bytes] = frozenset()
    uses: frozenset[bytes] = frozenset()
    family: Hashable = None
    """Lists of one family are tried as one list, so that groups can be large where lists are many and short."""

    def moved(self, by: int) -> Unit:
        """Return the unit for a document in which all that it is about stands so many bytes later."""
        edits = tuple(tuple(cut.later(by) for cut in cuts) for cuts in self.edits)
        below = None if self.below is None else partial(_moved, self.below, by)
        return replace(self, edits=edits, below=below)


def _moved(lists: Callable[[], list[list[Unit]]], by: int) -> list[list[Unit]]:
    return [[unit.moved(by) for unit in units] for units in lists()]
