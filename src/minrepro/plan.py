"""Which edits to try next: lists of units by group testing, the heaviest list first, each back to front.

A unit stands for an edit, or for a few alternatives of which one is enough. Groups of units that are likely to go
together are tried at once; a refused group is halved until the unit that is needed stands alone, and what follows from
two answers is not asked. A unit that is refused may have lists of smaller units below it, which then join the plan. How
dense the needed units are is learnt on the way and kept from one plan to the next.

Name hints: a unit that defines a name which a needed unit uses is taken as needed without a test. A wrong hint costs
nothing but a later look: a `thorough` plan takes no hints, groups nothing and infers nothing.

Any number of tasks may be under way at once: what is left of a segment is handed out before its last group is decided.
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import count

from minrepro.algorithms.grouping import Density
from minrepro.edits import Cuts

_HOPELESS = 0.1
"""A heavy unit that may go with less than this chance is not tried before what is below it."""


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


@dataclass(eq=False, slots=True)
class Segment:
    """Undecided neighbours in a list; `bad` when one of them at least is needed."""

    units: Sequence[Unit]
    start: int
    end: int
    rank: tuple[float, int]
    bad: bool = False
    behind_needed: bool = False
    left: Segment | None = None
    """The undecided neighbours before it."""
    waiting: bool = False
    alternative: int = 0
    """Which alternative to try, when it is a single unit."""

    def __len__(self) -> int:
        return self.end - self.start


@dataclass(eq=False, slots=True)
class Task:
    """Units to be tried together."""

    segment: Segment
    was_bad: bool
    """Whether these and their undecided neighbours to the left were known to hold a needed unit."""

    @property
    def units(self) -> Sequence[Unit]:
        """What is tried."""
        return self.segment.units[self.segment.start : self.segment.end]

    @property
    def edits(self) -> list[Cuts]:
        """What it takes to try it: one set of cuts for each unit."""
        alternative = self.segment.alternative
        return [unit.edits[alternative] for unit in self.units]

    @property
    def weight(self) -> float:
        """What would be gained."""
        return sum(unit.weight for unit in self.units)


@dataclass
class Plan:
    """Hands out tasks and learns from what becomes of them."""

    lists: Iterable[Sequence[Unit]]
    density: Density = field(default_factory=Density)
    hints: bool = True
    thorough: bool = False
    """Try each unit alone, and take nothing for granted."""

    def __post_init__(self) -> None:
        self._waiting: list[tuple[tuple[float, int], int, Segment]] = []
        self._pushed = count()
        self._lists_added = count()
        self._used: Counter[bytes] = Counter()
        for units in self.lists:
            self._add_list(units)

    def next(self) -> Task | None:
        """Return something to try, or None when nothing is left but what is being tried."""
        while self._waiting:
            *_, segment = heapq.heappop(self._waiting)
            segment.waiting = False
            if not self._is_settled(segment):
                return self._task_of(segment)
        return None

    def succeeded(self, task: Task) -> None:
        """Learn that the units of a task went."""
        segment = task.segment
        self.density = self.density.after(False, max(1, round(task.weight)), segment.behind_needed)
        if task.was_bad and segment.left is not None and segment.left.waiting:
            segment.left.bad = True  # one of them is needed, and it is none of those that went

    def failed(self, task: Task) -> None:
        """Learn that the units of a task cannot go, together."""
        segment = task.segment
        if len(segment) > 1:
            segment.bad = True
            self._push(segment)
        elif segment.alternative + 1 < len(segment.units[segment.start].edits):
            segment.alternative += 1
            self._push(segment)
        else:
            self._settle_needed(segment, learn=True)

    def retry(self, task: Task) -> None:
        """Take back a success that cannot be combined with others: its units are undecided again."""
        segment = task.segment
        self._push(Segment(segment.units, segment.start, segment.end, segment.rank, alternative=segment.alternative))

    def _add_list(self, units: Sequence[Unit]) -> None:
        if units:
            rank = (-sum(unit.weight for unit in units), next(self._lists_added))
            self._push(Segment(units, 0, len(units), rank))

    def _push(self, segment: Segment) -> None:
        # Within a list the newest segment comes first: a list is decided back to front before another begins.
        segment.waiting = True
        heapq.heappush(self._waiting, (segment.rank, -next(self._pushed), segment))

    def _is_settled(self, segment: Segment) -> bool:
        """Decide without a test what can be, and put back what is left then."""
        if self.thorough:
            return False
        if segment.bad and len(segment) == 1 and not segment.alternative:
            return not self._is_untried(segment)
        last = segment.units[segment.end - 1]
        if not self._is_used(last) and not self._is_hopeless(last, segment):
            return False
        rest = self._split(segment, segment.end - 1)
        self._settle_needed(segment, learn=False)
        if rest is not None:
            rest.bad = False
        return True

    def _is_untried(self, segment: Segment) -> bool:
        """Settle a single unit that must be needed, unless it has alternatives that were not tried."""
        if len(segment.units[segment.start].edits) > 1:
            segment.alternative = 1
            return True
        self._settle_needed(segment, learn=True)
        return False

    def _task_of(self, segment: Segment) -> Task:
        was_bad = segment.bad
        self._split(segment, segment.end - self._group_size(segment))
        segment.bad = False
        return Task(segment, was_bad)

    def _split(self, segment: Segment, at: int) -> Segment | None:
        """Cut a segment in two and put back the left part, if there is one."""
        if at == segment.start:
            return None
        rest = Segment(segment.units, segment.start, at, segment.rank, left=segment.left)
        segment.start, segment.left = at, rest
        self._push(rest)
        return rest

    def _group_size(self, segment: Segment) -> int:
        """Return how many units at the end of a segment to try at once: as many as go with about an even chance."""
        if self.thorough or segment.alternative:
            return 1
        target = self.density.group(segment.behind_needed)
        if segment.bad:
            target = min(target, sum(unit.weight for unit in segment.units[segment.start : segment.end]) / 2)
        size, weight = 0, 0.0
        for i in range(segment.end - 1, segment.start - 1, -1):
            unit = segment.units[i]
            # A unit that is used is not tried, one that has alternatives is tried alone.
            alone = len(unit.edits) > 1
            if size and (weight + unit.weight / 2 > target or alone or self._is_used(unit)):
                break
            size += 1
            weight += unit.weight
            if alone:
                break
        return size - 1 if segment.bad and size == len(segment) > 1 else size

    def _is_used(self, unit: Unit) -> bool:
        return self.hints and any(self._used[name] for name in unit.defines)

    def _is_hopeless(self, unit: Unit, segment: Segment) -> bool:
        if unit.below is None or segment.bad:
            return False
        begins = min(self.density.begun / self.density.seen, 0.99)
        return bool((1 - begins) ** unit.weight < _HOPELESS)

    def _settle_needed(self, segment: Segment, learn: bool) -> None:
        """Take the last unit of a segment as needed, and go on with what is below it."""
        unit = segment.units[segment.end - 1]
        if learn:
            self.density = self.density.after(True, 1, segment.behind_needed)
            if segment.left is not None and segment.left.waiting:
                segment.left.behind_needed = True
        self._used.update(unit.uses)
        if unit.below is not None:
            for units in unit.below():
                self._add_list(units)
