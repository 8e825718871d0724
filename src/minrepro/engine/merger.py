"""Applies the edits of a plan in parallel and merges the successes.

A scheduler that keeps one success a round cannot be faster than one success a round, however many workers it has. Here
every worker tests its edit on top of a *speculative* base: what is committed, and what has succeeded but is not yet
committed. Successes are united, and a united content is tested once, or proved in passing by a success on top of it.

Why the result can be trusted, whatever the races were:

1. What is committed fails. Every content that becomes the committed one is exactly a content for which a test has just
   shown the failure; nothing is committed because its parts were seen failing one by one.
2. The run ends. Each commit is smaller in the order (length, bytes), and each task of a plan is decided once; a success
   that cannot be combined is retried on a base that has grown since, and refused there.
3. A pass is at its end only when a thorough plan, each unit alone, finds nothing; a refusal in a group does not count
   there. One that was made alone on an earlier content does, as long as the surroundings are the same (`Refusals`).
   With the effort `thorough`, these are forgotten in the end: then each counts only on exactly the final content.

Uniting never conflicts when the failing contents are closed under intersection, as they are for "these units are
needed" and for "who keeps x keeps y". Where two causes exclude each other a united content is refused; then the lighter
half of what is pending goes back to the plan, which ends after a logarithmic number of tests.

With `width` the tasks are handed out in batches of a fixed size and their results are taken in the order of the tasks:
the result then depends neither on the number of workers nor on their speed.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property

from minrepro.core.edits import Cuts, Join, Rendering, Splice, apply, splice
from minrepro.core.keys import Key, key_of
from minrepro.core.protocols import Job
from minrepro.core.tuning import TUNING
from minrepro.core.verdicts import Outcome, Verdict
from minrepro.engine.plan import Plan
from minrepro.engine.tasks import Task
from minrepro.engine.tester import Tester

Screen = Callable[[bytes, bytes], bool]
"""Tells whether a candidate is worth a test, given the committed content it would replace."""


Repair = Callable[[Cuts], Cuts]
"""Returns cuts with what they must take along, such as the separator that they would leave at the end of a list."""


def unrepaired(cuts: Cuts) -> Cuts:
    """Return the cuts as they are."""
    return cuts


@dataclass(eq=False)
class Draft:
    """A base document with cuts made in it, and the tasks they come from."""

    base: bytes
    cuts: Cuts = ()
    tasks: frozenset[Task] = frozenset()
    join: Join | None = None
    repair: Repair = unrepaired
    former: tuple[Rendering, Cuts, Splice] | None = None
    """What this draft was made from, with its cuts and what was changed in them; forgotten when it is rendered."""

    @cached_property
    def content(self) -> bytes:
        """What the document is with the cuts made."""
        repaired = self.repair(self.cuts)
        return self._rendering.content if repaired is self.cuts else apply(self.base, repaired, self.join)

    @cached_property
    def key(self) -> Key:
        """What stands for the content."""
        return key_of(self.content)

    @cached_property
    def _rendering(self) -> Rendering:
        former, self.former = self.former, None
        if former is None:
            return Rendering.of(self.base, self.cuts, self.join)
        rendering, cuts, change = former
        return rendering.after(cuts, change)

    def plus(self, tasks: list[Task]) -> Draft:
        """Return the draft with the edits of some tasks made too."""
        if not tasks:
            return self
        change = splice(self.cuts, *(edit for task in tasks for edit in task.edits))
        former = (self._rendering, self.cuts, change)
        return Draft(self.base, change.of(self.cuts), self.tasks.union(tasks), self.join, self.repair, former)


@dataclass(eq=False, slots=True)
class _Flight:
    """A test under way: of a task, or of all that is pending when there is no task."""

    task: Task | None
    draft: Draft
    plan: Plan
    verdict: Verdict | None = None
    twins: list[_Flight] = field(default_factory=list)
    """Those that lead to the same content, and wait for its test."""


@dataclass(eq=False)
class Merger:
    """Carries out plans with a tester; `committed` is told of every content that is committed, with its verdict."""

    tester: Tester
    committed: Callable[[bytes, str, Verdict], None]
    screen: Screen = lambda candidate, committed: True
    width: int | None = None
    screened: int = field(default=0, init=False)
    """How many candidates the screen has saved a test."""
    tests: int = field(default=0, init=False)
    """How many tests of plans have ended: those that are carried out aside end at any time, and do not count."""
    guesses: int = field(default=0, init=False)
    """How often something was begun that another outcome may make needless."""

    def may_guess(self, workers: int) -> bool:
        """Tell whether so many workers may begin what may turn out to be needless: the more there are, the more."""
        return self.guesses <= TUNING.guesses * math.log2(workers) * (self.tests + workers)

    def carry_out(
        self,
        plan: Plan,
        base: bytes,
        *,
        ahead: Iterable[Plan] = (),
        join: Join | None = None,
        repair: Repair = unrepaired,
        worth: float = 0.0,
        look: int = TUNING.stretch,
        one_by_one: bool = False,
    ) -> bytes:
        """Return the smallest content that the plan leads to from a failing base.

        The plan is left unfinished once a stretch of tests makes the content smaller by less than the share `worth`;
        the first stretch, of `look` tests, has to earn as much per test. Workers that would be idle otherwise carry out
        the plans `ahead`, which are for the same base; where nothing has to be earned, and as long as nothing was
        found, so do all.
        """
        return _Round(self, plan, iter(ahead), Draft(base, join=join, repair=repair), worth, look, one_by_one).run()


class _Round:
    """Plans for one content being carried out."""

    def __init__(
        self,
        merger: Merger,
        plan: Plan,
        ahead: Iterator[Plan],
        committed: Draft,
        worth: float,
        look: int,
        one_by_one: bool,
    ) -> None:
        self._merger = merger
        self._width = 1 if one_by_one else merger.width
        self._tester = merger.tester
        self._plans = [plan]
        self._ahead = ahead
        self._worth = worth
        self._due = look
        self._stretch = 0
        self._size_before = self._base_size = len(committed.content)
        self._given_up = False
        self._committed = committed
        self._speculative = committed
        self._pending: dict[Task, Plan] = {}
        self._doubts = 0
        """How many tests on top of all that is pending were refused since something was added to it."""
        self._flights: dict[Job, _Flight] = {}
        self._batch: list[_Flight] = []
        self._under_way: dict[Key, _Flight] = {}
        """The tests of tasks that have begun, or will with their batch, by what they test."""

    def run(self) -> bytes:
        try:
            while True:
                self._dispatch()
                if not self._flights and not self._batch:
                    return self._committed.content
                if self._flights:
                    for job, verdict in self._tester.wait().items():
                        flight = self._flights.pop(job)
                        flight.verdict = verdict
                        if self._width is None:
                            self._take(flight)
                if not self._flights:
                    self._take_batch()
        finally:
            self._tester.cancel(self._flights)

    def _take_batch(self) -> None:
        batch, self._batch = self._batch, []
        for flight in batch:
            self._take(flight)

    def _dispatch(self) -> None:
        """Keep the workers busy: with a merge where one is due, with tasks of the plan otherwise."""
        width = self._width
        if width is not None:
            if not self._flights and not self._batch:
                self._fill_batch(width)
            return
        while self._tester.running < self._tester.capacity:
            flight = self._next_flight()
            if flight is None:
                return
            self._launch(flight)

    def _fill_batch(self, width: int) -> None:
        while len(self._batch) < width:
            flight = self._next_flight()
            if flight is None:
                break
            self._batch.append(flight)
            if flight.task is None:
                break  # all that follows builds on the outcome of a merge
        # The batch is decided as a whole, so it does not matter in which order and how many at a time it is tested.
        for flight in self._batch:
            while self._tester.running >= self._tester.capacity:
                self._land()
            self._launch(flight)

    def _land(self) -> None:
        for job, verdict in self._tester.wait().items():
            self._flights.pop(job).verdict = verdict

    def _launch(self, flight: _Flight) -> None:
        content, key = flight.draft.content, flight.draft.key
        self._flights[self._tester.start(content, key, flight.plan.label)] = flight

    def _next_flight(self) -> _Flight | None:
        """Return what to test next, everything that needs no test decided on the way."""
        if self._doubts >= TUNING.doubts and (merge := self._merge()) is not None:
            return merge
        while not self._given_up and (chosen := self._next_task()) is not None:
            plan, task = chosen
            draft = self._speculative.plus([task])
            if draft.cuts == self._speculative.cuts:
                plan.succeeded(task, tested=False)  # it went with something else
                continue
            known = self._tester.recall(draft.key)
            if known is not None and known.outcome is not Outcome.FAIL:
                self._tester.tell_remembered(known, len(draft.content), plan.label)
                plan.failed(task)
            elif not _is_smaller(draft.content, self._speculative.content):
                plan.failed(task, tested=False)
            elif known is None and plan.screened and not self._merger.screen(draft.content, self._committed.content):
                self._merger.screened += 1
                plan.failed(task, tested=False)
            elif (twin := self._under_way.get(draft.key)) is not None:
                twin.twins.append(_Flight(task, draft, plan))
                plan.wait_for_twin(task)
            else:
                flight = self._under_way[draft.key] = _Flight(task, draft, plan)
                return flight
        return self._merge()

    def _next_task(self) -> tuple[Plan, Task] | None:
        """Return what one of the plans has to try: what is certain before what may turn out to be needless."""
        workers = self._width or self._tester.capacity
        for plan in self._plans:
            if (task := plan.next(workers)) is not None:
                return plan, task
        if not self._worth and not self._speculative.tasks and (chosen := self._begin_next(workers)) is not None:
            return chosen
        if workers == 1 or not (self._flights or self._batch) or not self._merger.may_guess(workers):
            return None
        for plan in self._plans:
            if (task := plan.spare()) is not None:
                self._merger.guesses += 1
                return plan, task
        # What goes together with much else is better asked of what is left, and of a long content all is much.
        as_before = TUNING.long > self._size() >= TUNING.much * self._base_size
        return self._begin_next(workers) if as_before else None

    def _begin_next(self, workers: int) -> tuple[Plan, Task] | None:
        for plan in self._ahead:
            self._plans.append(plan)
            if (task := plan.next(workers)) is not None:
                return plan, task
        return None

    def _size(self) -> int:
        return len(self._speculative.content)

    def _merge(self) -> _Flight | None:
        """Return the test of all that is pending, unless there is nothing, or something under way may prove it."""
        while self._pending:
            wanted = self._speculative.tasks
            if any(flight.task is None or wanted <= flight.draft.tasks for flight in self._flights.values()):
                return None
            flight = _Flight(None, self._speculative, next(iter(self._pending.values())))
            known = self._tester.recall(self._speculative.key)
            if known is None:
                return flight
            flight.verdict = known
            self._take(flight)
        return None

    def _take(self, flight: _Flight) -> None:
        """Take notice of how a test ended."""
        plan = flight.plan
        self._under_way.pop(flight.draft.key, None)
        fails = flight.verdict is not None and flight.verdict.outcome is Outcome.FAIL
        self._count(plan)
        if flight.task is not None and plan.is_decided(flight.task):
            plan.failed(flight.task, tested=not fails)  # another alternative of its unit was taken
        elif flight.verdict is not None and fails:
            if flight.task is not None:
                plan.succeeded(flight.task)
            self._succeed(flight, flight.verdict)
        elif flight.task is not None:
            if self._was_needed_by(flight):
                plan.ask_again(flight.task)
            else:
                # What was refused on top of something that may not fail itself can still go alone.
                plan.failed(flight.task, proved=flight.draft.tasks - {flight.task} <= self._committed.tasks)
            if self._pending and self._speculative.tasks <= flight.draft.tasks:
                self._doubts += 1
        else:
            self._split_pending(flight.draft)
        for twin in flight.twins:
            twin.verdict = flight.verdict
            self._take(twin)

    def _count(self, plan: Plan) -> None:
        """Count a test, and give up where a stretch of them has not earned enough."""
        plan.tests += 1
        self._merger.tests += 1
        if plan is not self._plans[0]:
            return
        self._stretch += 1
        if self._stretch == self._due and self._worth:
            size, before = len(self._committed.content), self._size_before
            self._given_up = size > (1 - self._worth * self._due / TUNING.stretch) * before
            self._stretch, self._due, self._size_before = 0, TUNING.stretch, size

    def _was_needed_by(self, refused: _Flight) -> bool:
        """Tell whether what could not go was used by something that has gone since that test began."""
        assert refused.task is not None
        gone = self._speculative.tasks - refused.draft.tasks
        return bool(gone) and any(refused.task.defines & task.uses for task in gone)

    def _succeed(self, flight: _Flight, verdict: Verdict) -> None:
        draft = flight.draft
        if self._committed.tasks <= draft.tasks:
            self._pending = {task: plan for task, plan in self._pending.items() if task not in draft.tasks}
            # United replacements may get in each other's way: what is no smaller is not taken.
            if _is_smaller(draft.content, self._committed.content):
                flight.plan.saved += len(self._committed.content) - len(draft.content)
                self._merger.committed(draft.content, flight.plan.label, verdict)
                self._committed = draft
            self._speculate()
        elif flight.task is not None and flight.task not in self._committed.tasks:
            # Somebody else committed meanwhile: to be united with that.
            self._pending[flight.task] = flight.plan
            self._speculative = self._speculative.plus([flight.task])
            self._doubts = 0

    def _split_pending(self, refused: Draft) -> None:
        """Keep the heavier half of what could not be united, and hand the rest back to the plan."""
        conflicting = [task for task in self._pending if task in refused.tasks]
        conflicting.sort(key=lambda task: task.weight, reverse=True)
        for task in conflicting[len(conflicting) // 2 :]:
            self._pending.pop(task).retry(task)
        self._speculate()

    def _speculate(self) -> None:
        self._doubts = 0
        self._speculative = self._committed.plus(list(self._pending))


def _is_smaller(candidate: bytes, content: bytes) -> bool:
    return (len(candidate), candidate) < (len(content), content)
