"""Reduces a failing session in the browser: words as wholes first, then single units, then their arguments."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path

from minrepro.algorithms.algorithm_registry import list_minimizer
from minrepro.algorithms.lists.guided import grouping_survivors
from minrepro.browser.session_replay import Replayer
from minrepro.browser.session_target import SessionOracle, SessionTarget
from minrepro.browser.session_units import words as words_in
from minrepro.browser.shrink_session_arguments import central, centred, shrink_web_arguments
from minrepro.core.events import Listener, Warned, ignore, tell_each
from minrepro.core.search import Reduction, embed
from minrepro.core.verdicts import Outcome, Verdict
from minrepro.executors.flaky_statistics import Observations
from minrepro.runs.runner import LOWEST_RATE, MEASURED, Runner
from minrepro.settings import Budget, HistorySettings, RunSettings
from minrepro.traces.rules import Rule
from minrepro.traces.trace_reduction import EventTally, Reason, TraceReduction, TraceResult, restarted
from minrepro.traces.user_events import Trace, numbered, positions

RUNS = 1
"""So many replays of the whole session, after the one that showed the failure, tell whether it shows every time."""


@dataclass
class WebReduction(TraceReduction):
    """The way in which a session in a browser is reduced."""

    words: bool = True
    """Whether keys typed one after another are first tried as wholes."""
    pinned: frozenset[int] = frozenset()
    """The positions of events that must stay."""
    web_arguments: bool = field(init=False, default=True)
    _kept: Trace = field(init=False, default=())

    def __post_init__(self) -> None:
        self.web_arguments, self.arguments = self.arguments, False

    def __call__(self, trace: Trace) -> Reduction[Trace]:
        """Return the smallest session that fails, beginning with one that does."""
        self._kept = tuple(event for event in trace if event.position in self.pinned)
        free = tuple(event for event in trace if event.position not in self.pinned)
        smallest = yield from embed(self._reduced(free), self._with_pinned)
        return self._with_pinned(smallest)

    def first_try(self, trace: Trace) -> Trace:
        """Return what the search tries first in place of a session that fails."""
        # Rules speak of the arguments that were logged. Without any, what is changed now need not be tested later.
        return central(trace) if self.web_arguments and not self.rules and not self.pinned else trace

    def choices(self) -> dict[str, str]:
        """Return what was chosen beside rules and algorithm, by option."""
        return {"--keep-arguments": str(not self.web_arguments), "pinned events": str(sorted(self.pinned))}

    def why(self, original: Trace, result: Trace) -> list[Reason]:
        """Return for each event of the original why it was kept or removed."""
        reasons = super().why(original, result)
        return [replace(one, text="pinned") if one.kept and one.position in self.pinned else one for one in reasons]

    def _with_pinned(self, free: Trace) -> Trace:
        if not self._kept:
            return free
        return tuple(sorted((*free, *self._kept), key=lambda event: event.position or 0))

    def _cut(self, trace: Trace) -> Trace:
        shorter = super()._cut(self._with_pinned(trace))
        left = set(positions(shorter))
        return shorter if not self._kept else tuple(event for event in trace if event.position in left)

    def _reduced(self, trace: Trace) -> Reduction[Trace]:
        if self.web_arguments and not self.rules:
            trace = yield from centred(self._cut(trace))
        if self.words and self.algorithm == "guided":
            trace = yield from restarted(trace, _minimized_words, self._cut)
        smallest = yield from TraceReduction.__call__(self, trace)
        if not self.web_arguments:
            return smallest
        simple = yield from shrink_web_arguments(smallest)
        # With other arguments other events may have become needless.
        return smallest if simple == smallest else (yield from restarted(simple, grouping_survivors, self._cut))


def _minimized_words(trace: Trace) -> Reduction[Trace]:
    typed = words_in(trace)
    if len(typed) < 2:
        return trace
    groups: list[Trace] = []
    place = 0
    for begin, end in typed:
        groups += [(event,) for event in trace[place:begin]]
        groups.append(trace[begin:end])
        place = end
    groups += [(event,) for event in trace[place:]]
    kept = yield from embed(list_minimizer("grouping")(groups), _flat)
    return _flat(kept)


def _flat(groups: Iterable[Sequence[object]]) -> Trace:
    return tuple(chain.from_iterable(groups))  # type: ignore[arg-type]


def free_pages() -> int:
    """Return how many pages this machine can replay at a time without slowing them down."""
    free = (os.cpu_count() or 1) - os.getloadavg()[0]
    return 2 if free >= 2 else 1


@dataclass(frozen=True)
class WebResult:
    """The smallest session, how often the original failed, and what else was found."""

    result: TraceResult
    failed: int
    replays: int
    finds: dict[str, Trace]
    confirmed: int = 0
    """How many sessions were accepted, the result among them; each of them failed in a fresh context.

    0 where every test is repeated, in fresh contexts only.
    """
    measured: Observations | None = None
    """How often the result failed when it was run again, if the failure does not show every time."""


def reduce_session(
    replayer: Replayer,
    *,
    rules: Iterable[Rule] = (),
    jobs: int | None = None,
    repeat: int = RUNS,
    arguments: bool = True,
    budget: Budget | None = None,
    notify: Listener = ignore,
    reduction: TraceReduction | None = None,
    settings: RunSettings | None = None,
    path: Path | None = None,
    words: Sequence[str] = (),
) -> WebResult:
    """Return the smallest session that shows the failure which the replayer was made to look for.

    Without a number of jobs, two pages are replayed at a time where processors are free, else one. The settings say
    what else of a run is wanted; the path is where the recording came from, and the words are those to begin it again.
    """
    way = reduction or WebReduction(tuple(rules), arguments=arguments)
    settings = settings or RunSettings(budget=budget or Budget(), history=HistorySettings(keep=False))
    pages = jobs or settings.execution.workers or free_pages()
    known: list[tuple[Trace, Verdict]] = []
    failed, replays = _measured(replayer, repeat, way, known)
    trust = settings.trust
    if failed == replays:
        trace = numbered(replayer.recording.trace)
        seen = f"event {replayer.showed_at}: {replayer.failure.signature}" if replayer.failure else ""
        known.append((trace, Verdict(Outcome.FAIL, seen, stopped_at=replayer.showed_at)))
        replayer.open_ahead(1)
    else:
        seldom = f"flaky: {failed} of {replays} replays reproduced the failure"
        notify(Warned(f"{seldom}; each candidate is replayed repeatedly"))
        trust = replace(trust, reproduction=max(LOWEST_RATE, failed / replays / 2))
        replayer.always_fresh = True
    settings = replace(settings, execution=replace(settings.execution, workers=pages), trust=trust)
    target = SessionTarget(replayer.recording, way, replayer.signature, path, known)
    tally = EventTally()
    runner = Runner(settings, listener=tell_each(tally, notify), words=words)
    result = runner.run(target, SessionOracle(replayer))
    if result.input_rate is not None:
        failed, replays = failed + result.input_rate.hits, replays + result.input_rate.runs
    reasons = way.why(target.trace, result.case)
    told = TraceResult(result.case, reasons, result, tally.events)
    return WebResult(
        told, failed, replays, dict(replayer.finds), result.confirmed, result.rate if result.flaky else None
    )


def _measured(
    replayer: Replayer, repeat: int, way: TraceReduction, known: list[tuple[Trace, Verdict]]
) -> tuple[int, int]:
    """Return in how many of how many replays the failure shows; more than asked for where it does not always."""
    if repeat == RUNS and isinstance(way, WebReduction):
        # If it shows in what is tried first, that is one replay more in which it showed, and the first test.
        whole = replayer.recording.trace[: replayer.showed_at]
        if (other := way.first_try(whole)) != whole:
            verdict = replayer.judge(other)
            if verdict.outcome is Outcome.FAIL:
                known.append((other, verdict))
                return RUNS, RUNS
    failed = replayer.rate(repeat)
    if failed == repeat:
        return failed, repeat
    afresh = replayer.rate(MEASURED, fresh=True)
    if afresh == MEASURED:
        replayer.always_fresh = True  # what differs is the quick reset, which this page does not bear
        return afresh, MEASURED
    return failed + afresh, repeat + MEASURED
