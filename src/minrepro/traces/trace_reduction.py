"""Reduces a failing trace: rewriting offline first, then replays of what is left, then its arguments.

Every event gets a reason: the rule that removed it, the replay that did, that it stood behind the failure, or how the
trace ends without it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from minrepro.algorithms.algorithm_registry import list_minimizer
from minrepro.algorithms.lists.guided import grouping_survivors, left_by, steps_taken
from minrepro.algorithms.lists.rddmin import rddmin
from minrepro.algorithms.lists.sequences import sequences
from minrepro.algorithms.lists.together import Spending, together
from minrepro.core.events import Listener, RunEvent, Tested, ignore, tell_each
from minrepro.core.protocols import Executor
from minrepro.core.search import Candidate, Reduction, Search, first
from minrepro.core.verdicts import Outcome
from minrepro.engine.memory import Memory
from minrepro.engine.run import Result, Run
from minrepro.runs.runner import RunResult
from minrepro.settings import Budget
from minrepro.traces.event_hierarchy import hdd
from minrepro.traces.prefix_memory import PrefixMemory
from minrepro.traces.rewriting import RuleApplication, rewrite
from minrepro.traces.rules import Rule
from minrepro.traces.shrink_arguments import shrink_arguments
from minrepro.traces.user_events import Event, Trace, numbered, positions

Algorithm = Literal["default", "rddmin", "ddmin", "grouping", "hdd"]

_SHORT, _DOUBTS = 64, 2
"""In a trace of more events, steps of rewriting may lose the failure so often, and then the others are not tried: each
such replay is long. In a shorter one, each step that loses it is found."""
_DENSE = 16
"""Of so few events that rules leave of many, about every other is needed."""

_WITHOUT = {
    Outcome.PASS: "does not reproduce",
    Outcome.FAIL: "reproduces",
    Outcome.UNRESOLVED: "unresolved",
}


@dataclass(frozen=True, slots=True)
class Reason:
    """Why an event was kept or removed."""

    position: int
    kept: bool
    text: str
    rule: Rule | None = None


@dataclass
class TraceReduction:
    """One way to reduce a trace; remembers why each event went."""

    rules: Sequence[Rule] = ()
    algorithm: Algorithm = "default"
    arguments: bool = True
    memory: Memory = field(default_factory=PrefixMemory)
    removed: dict[int, Reason] = field(default_factory=dict, init=False)
    spent: Spending = field(default_factory=Spending, init=False)
    """What the search has taken so far."""

    @property
    def skipping(self) -> bool:
        """Whether replays may leave out what cannot be fired: the published algorithms know nothing of that."""
        return self.algorithm == "default" and isinstance(self.memory, PrefixMemory)

    def __call__(self, trace: Trace) -> Reduction[Trace]:
        """Return the smallest trace that fails, beginning with one that does."""
        return (yield from with_cuts(self._reduced(self._cut(trace)), self._cut))

    def _reduced(self, trace: Trace) -> Reduction[Trace]:
        smallest = yield from self._minimized(trace)
        return (yield from shrink_arguments(smallest)) if self.arguments else smallest

    def carried_out(self, run: Run[Trace], original: Trace) -> Result[Trace]:
        """Return the smallest trace that a run finds, without what comes after its failure."""
        self.memory = run.memory
        result = run.reduce(original, self, empty=())
        if isinstance(run.memory, PrefixMemory):
            return replace(result, case=run.memory.shortest_failing(result.case))
        return result

    def choices(self) -> dict[str, str]:
        """Return what was chosen beside rules and algorithm, by option."""
        return {"--keep-arguments": str(not self.arguments)}

    def why(self, original: Trace, result: Trace) -> list[Reason]:
        """Return for each event of the original why it was kept or removed."""
        kept = {event.position: i for i, event in enumerate(result)}
        reasons = []
        for event in numbered(original):
            assert event.position is not None
            if event.position in kept:
                i = kept[event.position]
                verdict = self.memory.recall((*result[:i], *result[i + 1 :]))
                ends = f"{_WITHOUT[verdict.outcome]} without it ({verdict.reason})" if verdict else "needed"
                reasons.append(Reason(event.position, True, ends))
            else:
                known = self.removed.get(event.position)
                reasons.append(known or Reason(event.position, False, "the failure reproduces without it"))
        return reasons

    def _cut(self, trace: Trace) -> Trace:
        """Return a failing trace without what was not fired or stands behind the failure."""
        if not isinstance(self.memory, PrefixMemory):
            return trace
        shorter = self.memory.shortest_failing(trace)
        if len(shorter) < len(trace):
            left = set(positions(shorter))
            last = shorter[-1].position if shorter else None
            for event in trace:
                if event.position is not None and event.position not in left:
                    behind = last is not None and event.position > last
                    self._note([event], "comes after the failure" if behind else "cannot be fired without the others")
        return shorter

    def _minimized(self, trace: Trace) -> Reduction[Trace]:
        if self.algorithm == "default":
            search = self._searched(trace)
        elif self.algorithm == "rddmin":
            search = restarted(trace, lambda rest: rddmin(rest, self._rewritten(rest)[1]), self._cut)
        elif self.algorithm == "hdd":
            search = hdd(trace, lambda rest, minimize: restarted(rest, minimize, self._cut))
        else:
            search = restarted(trace, list_minimizer(self.algorithm), self._cut)
        return (yield from search)

    def _searched(self, trace: Trace) -> Reduction[Trace]:
        """Return the smallest trace that the rules and the search for sequences find."""
        self.spent = spent = Spending(lambda config: self.memory.recall(self.whole(config)) is not None)
        ruled = yield from spent.of(self._ruled(trace))
        smallest = yield from spent.of(self._singled(ruled, few=len(ruled) <= min(_DENSE, len(trace) // 2)))
        at = {id(event): place for place, event in enumerate(ruled)}
        places = lambda event: at[id(event)]  # noqa: E731
        return (yield from together(smallest, len(ruled), places, self._cut, self.akin, spent))

    def _singled(self, trace: Trace, few: bool) -> Reduction[Trace]:
        """Return a trace from which no single event can go; few are those that rules have left of many."""
        if few:
            return (yield from restarted(trace, _dense, self._cut))
        joined = {id(event) for begin, end in self.words_in(trace) for event in trace[begin + 1 : end]}
        return (yield from sequences(trace, cut=self._cut, joined=joined))

    def whole(self, trace: Trace) -> Trace:
        """Return what is replayed for a trace of the search."""
        return trace

    def akin(self, one: Event, other: Event) -> bool:
        """Return whether one of two events may undo what the other does, so that both are tried away together."""
        return one.name == other.name

    def words_in(self, trace: Trace) -> list[tuple[int, int]]:
        """Return the ranges of events that belong together, and are tried as wholes first."""
        return []

    def seen_by_rules(self, event: Event) -> Event:
        """Return an event as rules speak of it."""
        return event

    def _ruled(self, trace: Trace) -> Reduction[Trace]:
        """Return what is left when the steps of rewriting that keep the failure are taken, the most trusted first."""
        applications, _ = self._rewritten(trace)
        steps = [_places(step, trace) for step in applications]
        taken = yield from steps_taken(trace, steps, doubts=math.inf if len(trace) <= _SHORT else _DOUBTS)
        if not taken:
            return trace
        for i in taken:
            self._note(applications[i].removed, f"removed by rule {applications[i].rule}", applications[i].rule)
        return self._cut(left_by(trace, [steps[i] for i in taken]))

    def _rewritten(self, trace: Trace) -> tuple[list[RuleApplication], list[int]]:
        """Return the steps of rewriting, the most trusted first, and the places of what they leave.

        The event at which the failure showed is never rewritten.
        """
        local = numbered(map(self.seen_by_rules, trace))
        rewriting = rewrite(local, self.rules, protected={len(local) - 1})
        # Rules that are about as sure are doubted from the front: uses go before what they depend on.
        steps = sorted(rewriting.applications, key=_trust, reverse=True)
        return [_restored(step, trace) for step in steps], positions(rewriting.kept)

    def _note(self, events: Iterable[Event], text: str, rule: Rule | None = None) -> None:
        for event in events:
            if event.position is not None:
                self.removed[event.position] = Reason(event.position, False, text, rule)


def restarted(
    trace: Trace, minimize: Callable[[Trace], Reduction[Trace]], cut: Callable[[Trace], Trace]
) -> Reduction[Trace]:
    """Run a minimiser, anew on what `cut` leaves whenever the failure showed before the last event of a trace."""
    trace = cut(trace)
    while True:
        inner = minimize(trace)
        try:
            search = next(inner)
            while True:
                found = yield search
                if found is not None:
                    trace = cut(found.config)
                    if len(trace) < len(found.config):
                        inner.close()
                        break
                search = inner.send(found)
        except StopIteration as end:
            return end.value  # type: ignore[no-any-return]


def with_cuts(reduction: Reduction[Trace], cut: Callable[[Trace], Trace]) -> Reduction[Trace]:
    """Run a reduction, and have what was carried out of each trace that it finds accepted in place of the trace."""
    try:
        search = next(reduction)
        while True:
            found = yield search
            if found is not None and len(shorter := cut(found.config)) < len(found.config):
                yield Search([Candidate(shorter)], search.label)  # it is known to fail: nothing is replayed
            search = reduction.send(found)
    except StopIteration as end:
        return end.value  # type: ignore[no-any-return]


def _trust(step: RuleApplication) -> tuple[float, list[int]]:
    return round(step.rule.evidence.confidence, 1), positions(step.removed)


def _restored(step: RuleApplication, trace: Trace) -> RuleApplication:
    """Return a step with the events of the trace that was rewritten, which know where they stood in the original."""
    matched, removed = (tuple(trace[i] for i in positions(events)) for events in (step.matched, step.removed))
    return RuleApplication(step.rule, matched, removed)


def _places(step: RuleApplication, trace: Trace) -> frozenset[int]:
    gone = set(positions(step.removed))
    return frozenset(i for i, event in enumerate(trace) if event.position in gone)


def _dense(trace: Trace) -> Reduction[Trace]:
    """Return the smallest part of what rules have left, its later half if that is all that is needed."""
    while len(trace) > 1:
        found = yield from first([Candidate(trace[len(trace) // 2 :])], "last part")
        if found is None:
            break
        trace = found.config
    return (yield from grouping_survivors(trace))


@dataclass
class EventTally:
    """Counts the events that replays fired; a listener."""

    events: int = 0

    def __call__(self, notice: RunEvent) -> None:
        if isinstance(notice, Tested) and not notice.remembered:
            told = notice.verdict.stopped_at
            self.events += notice.size if told is None else told


@dataclass(frozen=True, slots=True)
class TraceResult:
    """The smallest trace that fails, why each event went or stayed, and what it took."""

    trace: Trace
    reasons: list[Reason]
    run: Result[Trace] | RunResult[Trace]
    events_fired: int


def reduce_trace(
    trace: Iterable[Event],
    executor: Executor,
    reduction: TraceReduction,
    *,
    budget: Budget | None = None,
    notify: Listener = ignore,
    confirm: Callable[[Trace], None] = lambda trace: None,
) -> TraceResult:
    """Return the smallest trace that fails by replays on an executor; `confirm` is as for a `Run`."""
    original, tally = numbered(trace), EventTally()
    listeners = tell_each(tally, notify)
    running: Run[Trace] = Run(executor, budget=budget, notify=listeners, memory=reduction.memory, confirm=confirm)
    result = reduction.carried_out(running, original)
    return TraceResult(result.case, reduction.why(original, result.case), result, tally.events)
