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
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import count, islice

from minrepro.algorithms.lists.group_testing import Density
from minrepro.core.tuning import TUNING
from minrepro.core.units import Unit
from minrepro.engine.refusals import Refusals
from minrepro.engine.tasks import Rivals, Task, UnitList

_Entry = tuple[tuple[float, int], int, int, UnitList | Task]
"""In the queue: the rank of a list, whether it is the list itself, a number to tell equals apart, and what to do."""


@dataclass
class Plan:
    """Hands out tasks and learns from what becomes of them."""

    lists: Iterable[Sequence[Unit]]
    density: Density = field(default_factory=Density)
    hints: bool = True
    thorough: bool = False
    """Try each unit alone, and take nothing for granted but what was refused alone."""
    least: float = 0.0
    """Lists that have less than this share of what is left are passed over."""
    alternatives: int | None = None
    """How many alternatives of a unit are tried; None is all."""
    refusals: Refusals | None = None
    """What is known to be refused is taken as needed; more is added."""
    label: str = ""
    glues: bool = False
    """Whether its cuts may make one token of two."""
    screened: bool = True
    """Whether what parses worse is not worth a test."""

    def __post_init__(self) -> None:
        self.tests = 0
        """How many tests were made for it."""
        self.saved = 0
        """How many bytes they have saved."""
        self._left = 0.0
        self._undecided = 0.0
        self._most_at_once = math.inf
        self._queue: list[_Entry] = []
        self._pushed = count()
        self._lists_added = count()
        self._used: Counter[bytes] = Counter()
        self._with_rest: dict[Task, None] = {}
        self._families: dict[Hashable, UnitList] = {}
        self._rivals: dict[tuple[UnitList, int], Rivals] = {}
        self._under_way: dict[Task, bool] = {}
        """What is being tried, and whether something that follows from it may be tried already."""
        self._expanded: set[tuple[UnitList, int]] = set()
        for units in self.lists:
            self._left += sum(unit.weight for unit in units)
            self._add_list(units)

    def next(self, workers: int = 1) -> Task | None:
        """Return something for one of so many workers to try, or None when nothing is left but what is being tried."""
        task = self._chosen(workers)
        if task is not None:
            self._under_way[task] = True
        return task

    def spare(self) -> Task | None:
        """Return what is next if something that is being tried is refused: another alternative, or what is below."""
        for task in [task for task, leads_on in self._under_way.items() if leads_on and len(task.positions) == 1]:
            origin, position = task.origin, task.positions[0]
            other = self._alternative(origin, position) if len(task.units[0].edits) > 1 else None
            if other is not None:
                self._under_way[other] = True
                return other
            if task.units[0].below is not None and (origin, position) not in self._expanded:
                self._expand(origin, position)
                if (below := self.next(2)) is not None:
                    return below
        return None

    def wait_for_twin(self, task: Task) -> None:
        """Learn that something else that is being tried leads to the same content: nothing follows from this one."""
        self._under_way[task] = False

    def is_decided(self, task: Task) -> bool:
        """Tell whether another alternative of the task's unit has succeeded."""
        rivals = self._rivals.get((task.origin, task.positions[0])) if len(task.positions) == 1 else None
        return rivals is not None and rivals.decided

    def _alternative(self, origin: UnitList, position: int) -> Task | None:
        """Return the task of trying the next alternative of a unit, or None after the last."""
        unit = origin.units[position]
        rivals = self._rivals.setdefault((origin, position), Rivals())
        most = len(unit.edits[: self.alternatives])
        while rivals.next < most and self._knows(origin, unit, rivals.next):
            rivals.next += 1
        if rivals.next >= most:
            return None
        rivals.next += 1
        rivals.under_way += 1
        return Task(origin, [position], alternative=rivals.next - 1)

    def _chosen(self, workers: int) -> Task | None:
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
                if isinstance(chosen, UnitList):
                    if entry[0] != chosen.rank or not chosen.pool:
                        continue  # it has grown since, and stands elsewhere in the queue
                    if not alone and self._may_fill(chosen):
                        growing.append(entry)
                        continue
                if isinstance(chosen, Task) and self.is_decided(chosen):
                    continue
                task = self._halved(chosen) if isinstance(chosen, Task) else self._group(chosen)
                if task is not None:
                    return task
            return None
        finally:
            for entry in growing:
                heapq.heappush(self._queue, entry)

    def _may_fill(self, origin: UnitList) -> bool:
        """Tell whether a list has less than a group, and others in the queue may yet add to it."""
        if self.thorough or not origin.grows:
            return False
        target = self.density.group(origin.is_behind_needed(origin.pool[-1]))
        return sum(origin.units[i].weight for i in islice(reversed(origin.pool), TUNING.enough_units)) < target

    @property
    def finished(self) -> bool:
        """Whether every unit is decided."""
        return not self._queue and not self._with_rest

    def succeeded(self, task: Task, tested: bool = True) -> None:
        """Learn that the units of a task went, by a test of theirs or with something else."""
        self._close(task)
        self._left -= task.weight
        self._undecided -= task.weight
        if tested:
            behind = task.origin.is_behind_needed(task.positions[-1])
            self.density = self.density.after(False, max(1, round(task.weight)), behind)
        if task in self._with_rest:  # one of all is needed, and it is none of those that went
            del self._with_rest[task]
            self._search(Task(task.origin, task.rest, bad=True, tested=task.tested))
        if len(task.positions) == 1 and (rivals := self._rivals.get((task.origin, task.positions[0]))) is not None:
            rivals.decided = True

    def failed(self, task: Task, tested: bool = True, proved: bool = True) -> None:
        """Learn that the units of a task cannot go, together; only a test tells about what is needed elsewhere.

        A test has `proved` it if what it was made on fails without that task.
        """
        self._close(task)
        if task in self._with_rest:
            self._give_back_rest(task)
        if len(task.positions) > 1:
            self._search(Task(task.origin, task.positions, bad=True, tested=tested))
            return
        unit, origin, position = task.units[0], task.origin, task.positions[0]
        if tested and proved and self.refusals is not None:
            self.refusals.add(task.edits[0], unit.defines, alone=True)
        if self.is_decided(task):
            return
        other = self._alternative(origin, position) if len(unit.edits) > 1 else None
        if other is not None:
            self._search(other)
        elif len(unit.edits) == 1 or not self._rivals[origin, position].under_way:
            self._take_as_needed(origin, position, tested)

    def retry(self, task: Task) -> None:
        """Take back a success that cannot be combined with others: its units are undecided again."""
        self._undecided += task.weight
        self._again(task)

    def ask_again(self, task: Task) -> None:
        """Forget that the units of a task could not go: what stood in their way has gone meanwhile."""
        self._close(task)
        if task in self._with_rest:
            self._give_back_rest(task)
        if not self.is_decided(task):
            self._again(task)

    def _again(self, task: Task) -> None:
        rivals = self._rivals.get((task.origin, task.positions[0])) if len(task.positions) == 1 else None
        if rivals is None:
            self._give_back(task.origin, task.positions)
            return
        rivals.decided = False
        rivals.under_way += 1
        self._search(Task(task.origin, task.positions, alternative=task.alternative))

    def _close(self, task: Task) -> None:
        """Take note that a task that was handed out has come back."""
        if task in self._under_way:
            del self._under_way[task]
            if len(task.positions) == 1 and (rivals := self._rivals.get((task.origin, task.positions[0]))) is not None:
                rivals.under_way -= 1

    def _add_list(self, units: Sequence[Unit]) -> None:
        if not units:
            return
        weight = sum(unit.weight for unit in units)
        self._undecided += weight
        family = units[0].family
        grown = self._families.get(family) if family is not None else None
        if grown is None:
            grown = UnitList([], (0.0, next(self._lists_added)), [], grows=family is not None, glues=self.glues)
            if family is not None:
                self._families[family] = grown
        begin = len(grown.units)
        grown.units += units
        grown.rank = (grown.rank[0] - weight, grown.rank[1])
        grown.waiting = False
        self._give_back(grown, range(begin, len(grown.units)))

    def _give_back(self, origin: UnitList, positions: Sequence[int]) -> None:
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
            # Only a unit without alternatives is tried together with others.
            self._take_as_needed(task.origin, task.positions[0], task.tested)
            return
        heapq.heappush(self._queue, (task.origin.rank, 0, -next(self._pushed), task))

    def _halved(self, known: Task) -> Task:
        """Return the task of trying the last half of units that hold a needed one, or a single alternative."""
        if len(known.positions) == 1:
            return known
        units = known.units
        size = self._count(known.origin, reversed(units), min(known.weight / 2, self.density.group(False)))
        size = min(size, len(units) - 1)
        task = Task(known.origin, known.positions[-size:], True, known.positions[:-size], tested=known.tested)
        self._with_rest[task] = None
        return task

    def _group(self, origin: UnitList) -> Task | None:
        """Return the task of trying the last undecided units of a list; what needs no test is decided on the way."""
        origin.waiting = False
        pool = origin.pool
        positions: list[int] = []
        weight, target = 0.0, 0.0
        while pool:
            last = pool[-1]
            unit = origin.units[last]
            if (not self.thorough and self._is_used(unit)) or self._is_refused(origin, unit):
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
        if len(positions) == 1 and len(origin.units[positions[0]].edits) > 1:
            return self._alternative(origin, positions[0])
        return Task(origin, positions[::-1]) if positions else None

    def _count(self, origin: UnitList, units: Iterable[Unit], target: float) -> int:
        """Return how many of the first units have the target weight together, within bounds; at least one."""
        size, weight = 0, 0.0
        target = min(target, self._most_at_once)
        for unit in units:
            # A unit that is taken as needed is not tried, one that has alternatives is tried alone.
            if size and (
                weight + unit.weight / 2 > target
                or len(unit.edits) > 1
                or self._is_used(unit)
                or self._is_refused(origin, unit)
            ):
                break
            size += 1
            weight += unit.weight
        return max(1, size)

    def _is_used(self, unit: Unit) -> bool:
        return self.hints and any(self._used[name] for name in unit.defines)

    def _is_refused(self, origin: UnitList, unit: Unit) -> bool:
        return self.refusals is not None and all(
            self._knows(origin, unit, i) for i in range(len(unit.edits[: self.alternatives]))
        )

    def _knows(self, origin: UnitList, unit: Unit, alternative: int) -> bool:
        """Tell whether an alternative of a unit is known to be refused."""
        return self.refusals is not None and self.refusals.knows(
            origin.made(unit.edits[alternative]), unit.defines, alone=self.thorough
        )

    def _is_hopeless(self, unit: Unit) -> bool:
        begins = min(self.density.begun / self.density.seen, 0.99)
        return unit.below is not None and bool((1 - begins) ** unit.weight < TUNING.hopeless)

    def _take_as_needed(self, origin: UnitList, position: int, learn: bool = True) -> None:
        unit = origin.units[position]
        self._undecided -= unit.weight
        if learn:
            self.density = self.density.after(True, 1, origin.is_behind_needed(position))
            origin.needed.add(position)
            if self.refusals is not None and len(unit.edits) == 1:
                self.refusals.add(origin.made(unit.edits[0]), unit.defines, alone=False)
        self._used.update(unit.uses)
        self._expand(origin, position)

    def _expand(self, origin: UnitList, position: int) -> None:
        """Let the smaller units below one join the plan, once."""
        below = origin.units[position].below
        if below is not None and (origin, position) not in self._expanded:
            self._expanded.add((origin, position))
            for units in below():
                self._add_list(units)


def _place(unit: Unit) -> int:
    """Return where in the document a unit begins."""
    return unit.edits[0][0].start if unit.edits[0] else 0
