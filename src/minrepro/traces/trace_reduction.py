"""Reduces a failing trace: rewriting offline first, then replays of what is left, then its arguments.

Every event gets a reason: the rule that removed it, the replay that did, that it stood behind the failure, or how the
trace ends without it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Literal

from minrepro.algorithms.algorithm_registry import list_minimizer
from minrepro.algorithms.lists.guided import grouping_survivors, left_by, steps_taken
from minrepro.algorithms.lists.rddmin import rddmin
from minrepro.core.events import Listener, RunEvent, Tested, ignore, tell_each
from minrepro.core.protocols import Executor
from minrepro.core.search import Candidate, Reduction, first
from minrepro.core.verdicts import Outcome
from minrepro.engine.memory import Memory
from minrepro.engine.run import Result, Run
from minrepro.runs.runner import RunResult
from minrepro.settings import Budget
from minrepro.traces.prefix_memory import PrefixMemory
from minrepro.traces.rewriting import RuleApplication, rewrite
from minrepro.traces.rules import Rule
from minrepro.traces.shrink_arguments import shrink_arguments
from minrepro.traces.user_events import Event, Trace, numbered, positions

Algorithm = Literal["guided", "rddmin", "ddmin", "grouping"]

_SHORT = 16
"""Up to so many events the later half is tried alone first: that costs little, and earlier halves are known to pass."""

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
    algorithm: Algorithm = "guided"
    arguments: bool = True
    memory: Memory = field(default_factory=PrefixMemory)
    removed: dict[int, Reason] = field(default_factory=dict, init=False)

    def __call__(self, trace: Trace) -> Reduction[Trace]:
        """Return the smallest trace that fails, beginning with one that does."""
        smallest = yield from restarted(trace, partial(self._minimized, whole=trace), self._cut)
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
        """Return a failing trace without what stands behind the failure."""
        if not isinstance(self.memory, PrefixMemory):
            return trace
        shorter = self.memory.shortest_failing(trace)
        for event in trace[len(shorter) :]:
            self._note([event], "comes after the failure")
        return shorter

    def _minimized(self, trace: Trace, whole: Trace) -> Reduction[Trace]:
        if self.algorithm in ("ddmin", "grouping"):
            return (yield from list_minimizer(self.algorithm)(trace))
        if self.algorithm == "rddmin":
            kept = self._rewritten(trace)[1]
            return (yield from rddmin(trace, kept))
        trace = yield from _last_part(trace)
        applications, _ = self._rewritten(trace)
        taken = yield from steps_taken(trace, [_places(step, trace) for step in applications])
        chosen = [applications[i] for i in taken]
        for step in chosen:
            self._note(step.removed, f"removed by rule {step.rule}", step.rule)
        left = yield from _last_part(left_by(trace, [_places(step, trace) for step in chosen]))
        minimize = grouping_survivors if len(left) < len(whole) else list_minimizer("grouping")
        return (yield from minimize(left))

    def _rewritten(self, trace: Trace) -> tuple[list[RuleApplication], list[int]]:
        """Return the steps of rewriting, the most trusted first, and the places of what they leave.

        The event at which the failure showed is never rewritten.
        """
        local = numbered(trace)
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


def _trust(step: RuleApplication) -> tuple[float, list[int]]:
    return round(step.rule.evidence.confidence, 1), positions(step.removed)


def _restored(step: RuleApplication, trace: Trace) -> RuleApplication:
    """Return a step with the events of the trace that was rewritten, which know where they stood in the original."""
    matched, removed = (tuple(trace[i] for i in positions(events)) for events in (step.matched, step.removed))
    return RuleApplication(step.rule, matched, removed)


def _places(step: RuleApplication, trace: Trace) -> frozenset[int]:
    gone = set(positions(step.removed))
    return frozenset(i for i, event in enumerate(trace) if event.position in gone)


def _last_part(trace: Trace) -> Reduction[Trace]:
    while 1 < len(trace) <= _SHORT:
        found = yield from first([Candidate(trace[len(trace) // 2 :])], "last part")
        if found is None:
            break
        trace = found.config
    return trace


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
