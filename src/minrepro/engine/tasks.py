"""What a plan is made of: lists of units, the alternatives of a unit, and tasks of trying some of them."""

from __future__ import annotations

from dataclasses import dataclass, field

from minrepro.core.edits import Cuts
from minrepro.core.units import Unit


@dataclass(eq=False, slots=True)
class UnitList:
    """Units that stand side by side: the positions of the undecided ones, in order, and of those that are needed."""

    units: list[Unit]
    rank: tuple[float, int]
    pool: list[int]
    needed: set[int] = field(default_factory=set)
    waiting: bool = False
    grows: bool = False
    """Whether units of other lists may join it."""
    glues: bool = False
    """Whether cuts may make one token of two."""

    def made(self, cuts: Cuts) -> Cuts:
        """Return cuts as the units of the list make them."""
        return tuple(cut._replace(glue=True) for cut in cuts) if self.glues else cuts

    def is_behind_needed(self, position: int) -> bool:
        """Tell whether the unit behind that position is needed."""
        return position + 1 in self.needed


@dataclass(slots=True)
class Rivals:
    """The alternatives of a unit, of which one is enough."""

    next: int = 0
    """The first that was not handed out."""
    under_way: int = 0
    decided: bool = False


@dataclass(eq=False, slots=True)
class Task:
    """Units to be tried together."""

    origin: UnitList
    positions: list[int]
    bad: bool = False
    """Whether these, with the rest, are known to hold a needed unit."""
    rest: list[int] = field(default_factory=list)
    """What else is known to hold it; undecided until this is."""
    alternative: int = 0
    tested: bool = True
    """Whether a test has shown what is known of these."""

    @property
    def units(self) -> list[Unit]:
        """What is tried."""
        return [self.origin.units[i] for i in self.positions]

    @property
    def edits(self) -> list[Cuts]:
        """What it takes to try it: one set of cuts for each unit."""
        return [self.origin.made(unit.edits[self.alternative]) for unit in self.units]

    @property
    def defines(self) -> set[bytes]:
        """The names that the units give to something."""
        return {name for unit in self.units for name in unit.defines}

    @property
    def uses(self) -> set[bytes]:
        """The names that the units mention."""
        return {name for unit in self.units for name in unit.uses}

    @property
    def weight(self) -> float:
        """What would be gained."""
        return sum(unit.weight for unit in self.units)
