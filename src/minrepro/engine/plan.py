"""Which edits to try next: lists of units by group testing, the heaviest list first, each back to front.

A unit stands for an edit, or for a few alternatives of which one is enough. Groups of units that are likely to go
together are tried at once; a refused group is halved until the unit that is needed stands alone, and what follows from
two answers is not asked. A unit that is refused may have lists of smaller units below it, which then join the plan. How
dense the needed units are is learnt on the way and kept from one plan to the next.

Name hints: a unit that defines a name which a needed unit uses is taken as needed without a test. A wrong hint costs
nothing but a later look: a `thorough` plan takes no hints, groups nothing and infers nothing.

Any number of tasks may be under way at once: the undecided units of a list form a pool from whose end groups are taken,
and what a search in a refused group leaves undecided goes back there, so that groups stay as large as they should be.
When less is undecided than would keep all workers busy, groups become smaller: rather a few tests more than searches
that are waited for by idle workers.
"""

from __future__ import annotations

import heapq
import math
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import count, islice

from minrepro.algorithms.lists.group_testing import Density
from minrepro.core.edits import Cuts
from minrepro.core.tuning import TUNING
from minrepro.core.units import Unit


@dataclass(eq=False, slots=True)
class _List:
    """Units that stand side by side: the positions of the undecided ones, in order, and of those that are needed."""

    units: list[Unit]
    rank: tuple[float, int]
    pool: list[int]
    needed: set[int] = field(default_factory=set)
    waiting: bool = False
    grows: bool = False
    """Whether units of other lists may join it."""

    def is_behind_needed(self, position: int) -> bool:
        """Tell whether the unit behind that position is needed."""
        return position + 1 in self.needed


@dataclass(eq=False, slots=True)
class Task:
    """Units to be tried together."""

    origin: _List
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
        return [unit.edits[self.alternative] for unit in self.units]

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


_Entry = tuple[tuple[float, int], int, int, _List | Task]
"""In the queue: the rank of a list, whether it is the list itself, a number to tell equals apart, and what to do."""


@dataclass
class Plan:
    """Hands out tasks and learns from what becomes of them."""

    lists: Iterable[Sequence[Unit]]
    density: Density = field(default_factory=Density)
    hints: bool = True
    thorough: bool = False
    """Try each unit alone, and take nothing for granted."""
    least: float = 0.0
    """Lists that have less than this share of what is left are passed over."""
    alternatives: int | None = None
    """How many alternatives of a unit are tried; None is all."""
    refused: set[Hashable] = field(default_factory=set)
    """What units were refused, as `identify` tells them apart; they are taken as needed, and more are added."""
    identify: Callable[[Unit], Hashable] = id

    def __post_init__(self) -> None:
        self._left = 0.0
        self._undecided = 0.0
        self._most_at_once = math.inf
        self._queue: list[_Entry] = []
        self._pushed = count()
        self._lists_added = count()
        self._used: Counter[bytes] = Counter()
        self._with_rest: dict[Task, None] = {}
        self._families: dict[Hashable, _List] = {}
        for units in self.lists:
            self._left += sum(unit.weight for unit in units)
            self._add_list(units)

    def next(self, workers: int = 1) -> Task | None:
        """Return something for one of so many workers to try, or None when nothing is left but what is being tried."""
        self._most_at_once = (
            TUNING.worker_share * self._undecided / min(workers, TUNING.most_sharing) if workers > 1 else math.inf
        )
        growing: list[_Entry] = []
        try:
            while self._queue or self._with_rest or growing:
                if not self._queue and not growing:
                    # Better to test what may turn out known than to be idle.
                    self._give_back_rest(next(iter(self._with_rest)))
                heaviest = -self._queue[0][0][0] if self._queue else 0.0
                alone = not self._queue or heaviest < self.least * self._left
                if alone and not growing:
                    return None
                entry = growing.pop(0) if alone else heapq.heappop(self._queue)
                chosen = entry[-1]
                if isinstance(chosen, _List):
                    if entry[0] != chosen.rank or not chosen.pool:
                        continue  # it has grown since, and stands elsewhere in the queue
                    if not alone and self._may_fill(chosen):
                        growing.append(entry)
                        continue
                task = self._halved(chosen) if isinstance(chosen, Task) else self._group(chosen)
                if task is not None:
                    return task
            return None
        finally:
            for entry in growing:
                heapq.heappush(self._queue, entry)

    def _may_fill(self, origin: _List) -> bool:
        """Tell whether a list has less than a group, and others in the queue may yet add to it."""
        if self.thorough or not origin.grows:
            return False
        target = self.density.group(origin.is_behind_needed(origin.pool[-1]))
        return sum(origin.units[i].weight for i in islice(reversed(origin.pool), TUNING.enough_units)) < target

    @property
    def finished(self) -> bool:
        """Whether every unit is decided."""
        return not self._queue and not self._with_rest

    def succeeded(self, task: Task) -> None:
        """Learn that the units of a task went."""
        self._left -= task.weight
        self._undecided -= task.weight
        behind = task.origin.is_behind_needed(task.positions[-1])
        self.density = self.density.after(False, max(1, round(task.weight)), behind)
        if task in self._with_rest:  # one of all is needed, and it is none of those that went
            del self._with_rest[task]
            self._search(Task(task.origin, task.rest, bad=True, tested=task.tested))

    def failed(self, task: Task, tested: bool = True) -> None:
        """Learn that the units of a task cannot go, together; only a test tells about what is needed elsewhere."""
        if task in self._with_rest:
            self._give_back_rest(task)
        if len(task.positions) > 1:
            self._search(Task(task.origin, task.positions, bad=True, tested=tested))
        elif task.alternative + 1 < len(task.units[0].edits[: self.alternatives]):
            self._search(Task(task.origin, task.positions, alternative=task.alternative + 1))
        else:
            self._take_as_needed(task.origin, task.positions[0], tested)

    def retry(self, task: Task) -> None:
        """Take back a success that cannot be combined with others: its units are undecided again."""
        self._undecided += task.weight
        if task.alternative:
            self._search(Task(task.origin, task.positions, alternative=task.alternative))
        else:
            self._give_back(task.origin, task.positions)

    def ask_again(self, task: Task) -> None:
        """Forget that the units of a task could not go: what stood in their way has gone meanwhile."""
        if task in self._with_rest:
            self._give_back_rest(task)
        if task.alternative:
            self._search(Task(task.origin, task.positions, alternative=task.alternative))
        else:
            self._give_back(task.origin, task.positions)

    def _add_list(self, units: Sequence[Unit]) -> None:
        if not units:
            return
        weight = sum(unit.weight for unit in units)
        self._undecided += weight
        family = units[0].family
        grown = self._families.get(family) if family is not None else None
        if grown is None:
            grown = _List([], (0.0, next(self._lists_added)), [], grows=family is not None)
            if family is not None:
                self._families[family] = grown
        begin = len(grown.units)
        grown.units += units
        grown.rank = (grown.rank[0] - weight, grown.rank[1])
        grown.waiting = False
        self._give_back(grown, range(begin, len(grown.units)))

    def _give_back(self, origin: _List, positions: Sequence[int]) -> None:
        """Put undecided units where groups are taken from."""
        if positions:
            in_order = not origin.pool or _place(origin.units[origin.pool[-1]]) <= _place(origin.units[positions[0]])
            origin.pool += positions
            if not in_order:
                origin.pool.sort(key=lambda position: _place(origin.units[position]))
        if origin.pool and not origin.waiting:
            origin.waiting = True
            heapq.heappush(self._queue, (origin.rank, 1, next(self._pushed), origin))

    def _give_back_rest(self, task: Task) -> None:
        del self._with_rest[task]
        self._give_back(task.origin, task.rest)

    def _search(self, task: Task) -> None:
        """Go on with units of which something is known, before new groups of the same list."""
        if len(task.positions) == 1 and task.bad:
            unit = task.units[0]
            if len(unit.edits[: self.alternatives]) == 1:
                self._take_as_needed(task.origin, task.positions[0], task.tested)
                return
            task = Task(task.origin, task.positions, alternative=1)
        heapq.heappush(self._queue, (task.origin.rank, 0, -next(self._pushed), task))

    def _halved(self, known: Task) -> Task:
        """Return the task of trying the last half of units that hold a needed one, or a single alternative."""
        if len(known.positions) == 1:
            return known
        units = known.units
        size = self._count(reversed(units), min(known.weight / 2, self.density.group(False)))
        size = min(size, len(units) - 1)
        task = Task(known.origin, known.positions[-size:], True, known.positions[:-size], tested=known.tested)
        self._with_rest[task] = None
        return task

    def _group(self, origin: _List) -> Task | None:
        """Return the task of trying the last undecided units of a list; what needs no test is decided on the way."""
        origin.waiting = False
        pool = origin.pool
        positions: list[int] = []
        weight, target = 0.0, 0.0
        while pool:
            last = pool[-1]
            unit = origin.units[last]
            if not self.thorough and (self._is_used(unit) or self._is_refused(unit)):
                pool.pop()
                self._take_as_needed(origin, last, learn=False)
                continue
            if not positions:
                if not self.thorough and self._is_hopeless(unit):
                    pool.pop()
                    self._take_as_needed(origin, last, learn=False)
                    break
                target = min(self.density.group(origin.is_behind_needed(last)), self._most_at_once)
            elif len(unit.edits) > 1 or weight + unit.weight / 2 > target:
                break
            positions.append(pool.pop())
            weight += unit.weight
            if self.thorough or len(unit.edits) > 1:
                break
        self._give_back(origin, ())
        return Task(origin, positions[::-1]) if positions else None

    def _count(self, units: Iterable[Unit], target: float) -> int:
        """Return how many of the first units have the target weight together, within bounds; at least one."""
        size, weight = 0, 0.0
        target = min(target, self._most_at_once)
        for unit in units:
            # A unit that is taken as needed is not tried, one that has alternatives is tried alone.
            if size and (
                weight + unit.weight / 2 > target
                or len(unit.edits) > 1
                or self._is_used(unit)
                or self._is_refused(unit)
            ):
                break
            size += 1
            weight += unit.weight
        return max(1, size)

    def _is_used(self, unit: Unit) -> bool:
        return self.hints and any(self._used[name] for name in unit.defines)

    def _is_refused(self, unit: Unit) -> bool:
        return bool(self.refused) and self.identify(unit) in self.refused

    def _is_hopeless(self, unit: Unit) -> bool:
        begins = min(self.density.begun / self.density.seen, 0.99)
        return unit.below is not None and bool((1 - begins) ** unit.weight < TUNING.hopeless)

    def _take_as_needed(self, origin: _List, position: int, learn: bool = True) -> None:
        unit = origin.units[position]
        self._undecided -= unit.weight
        if learn:
            self.density = self.density.after(True, 1, origin.is_behind_needed(position))
            origin.needed.add(position)
            self.refused.add(self.identify(unit))
        self._used.update(unit.uses)
        if unit.below is not None:
            for units in unit.below():
                self._add_list(units)


def _place(unit: Unit) -> int:
    """Return where in the document a unit begins."""
    return unit.edits[0][0].start if unit.edits[0] else 0
