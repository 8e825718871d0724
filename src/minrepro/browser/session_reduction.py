"""Reduces a failing session in the browser: as a trace, typed words as wholes first, then the arguments of units."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from minrepro.algorithms.lists.sequences import singles
from minrepro.algorithms.lists.together import ddmin_spending
from minrepro.browser.session_replay import Replayer
from minrepro.browser.session_target import SessionOracle, SessionTarget
from minrepro.browser.session_units import as_rules_see, words
from minrepro.browser.shrink_session_arguments import shrink_web_arguments
from minrepro.core.events import Listener, Warned, ignore
from minrepro.core.search import Reduction, embed
from minrepro.core.verdicts import Outcome, Verdict
from minrepro.executors.flaky_statistics import Observations
from minrepro.runs.runner import LOWEST_RATE, MEASURED, Runner
from minrepro.settings import Budget, HistorySettings, RunSettings
from minrepro.traces.rules import Rule
from minrepro.traces.trace_reduction import Reason, TraceReduction, TraceResult
from minrepro.traces.user_events import Event, Trace, numbered, positions

_ARGUMENTS = 0.9
"""The share of what ddmin takes that may be spent in all until arguments are no longer made simpler."""


@dataclass
class WebReduction(TraceReduction):
    """The way in which a session in a browser is reduced."""

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
        smallest = yield from embed(super().__call__(free), self.whole)
        return self.whole(smallest)

    def words_in(self, trace: Trace) -> list[tuple[int, int]]:
        """Return the keys that were typed one after another."""
        return words(trace)

    def seen_by_rules(self, event: Event) -> Event:
        """Return a unit as the rules of logs speak of it, unless they speak of it as it is."""
        return as_rules_see(event, {pattern.name for rule in self.rules for pattern in rule.left})

    def akin(self, one: Event, other: Event) -> bool:
        """Return whether two units act on the same kind of element."""
        return one.name.partition(" ")[2] == other.name.partition(" ")[2]

    def choices(self) -> dict[str, str]:
        """Return what was chosen beside rules and algorithm, by option."""
        return {"--keep-arguments": str(not self.web_arguments), "pinned events": str(sorted(self.pinned))}

    def why(self, original: Trace, result: Trace) -> list[Reason]:
        """Return for each event of the original why it was kept or removed."""
        reasons = super().why(original, result)
        return [replace(one, text="pinned") if one.kept and one.position in self.pinned else one for one in reasons]

    def whole(self, trace: Trace) -> Trace:
        """Return what is replayed for a trace of the search: the pinned events are part of it."""
        if not self._kept:
            return trace
        return tuple(sorted((*trace, *self._kept), key=lambda event: event.position or 0))

    def _cut(self, trace: Trace) -> Trace:
        shorter = super()._cut(self.whole(trace))
        left = set(positions(shorter))
        return shorter if not self._kept else tuple(event for event in trace if event.position in left)

    def _reduced(self, trace: Trace) -> Reduction[Trace]:
        smallest = yield from self._minimized(trace)
        if not self.web_arguments:
            return smallest
        left = set(positions(smallest))
        needed = [place for place, event in enumerate(trace) if event.position in left]
        most = ddmin_spending(len(trace), needed) if self.algorithm == "default" else None
        simple = yield from self.spent.of(shrink_web_arguments(smallest), most and most.share(_ARGUMENTS))
        # With other arguments other events may have become needless.
        return smallest if simple == smallest else (yield from singles(self._cut(simple), self._cut))


@dataclass(frozen=True)
class WebResult:
    """The smallest session, how often the original failed, and what else was found."""

    result: TraceResult
    failed: int
    replays: int
    finds: dict[str, Trace]
    confirmed: int = 0
    """How many sessions failed in a fresh context once more: what each phase of the search ended with, and the result.

    0 where every test is repeated, in fresh contexts only.
    """
    pages_opened: int = 0
    """How often the page was opened, also to choose the failure, to confirm results, and in advance."""
    all_replays: int = 0
    """How many replays there were of any kind."""
    measured: Observations | None = None
    """How often the result failed when it was run again, if the failure does not show every time."""


def reduce_session(
    replayer: Replayer,
    *,
    rules: Iterable[Rule] = (),
    jobs: int | None = None,
    repeat: int = 1,
    arguments: bool = True,
    budget: Budget | None = None,
    notify: Listener = ignore,
    reduction: TraceReduction | None = None,
    settings: RunSettings | None = None,
    path: Path | None = None,
    words: Sequence[str] = (),
) -> WebResult:
    """Return the smallest session that shows the failure which the replayer was made to look for.

    The failure is sought in so many replays of the whole session before it is reduced, the one that showed it included.
    The settings say what else of a run is wanted; the path is where the recording came from, and the words are those to
    begin it again.
    """
    way = reduction or WebReduction(tuple(rules), arguments=arguments)
    settings = settings or RunSettings(budget=budget or Budget(), history=HistorySettings(keep=False))
    pages = jobs or settings.execution.workers or 1
    known: list[tuple[Trace, Verdict]] = []
    failed, replays = _measured(replayer, repeat)
    trust = settings.trust
    if failed == replays:
        trace = numbered(replayer.recording.trace)
        seen = f"event {replayer.showed_at}: {replayer.failure.signature}" if replayer.failure else ""
        known.append((trace, Verdict(Outcome.FAIL, seen, stopped_at=replayer.showed_at)))
        replayer.skipping = way.skipping and replayer.manners.trust_rest
        pinned = way.pinned if isinstance(way, WebReduction) else ()
        replayer.needed = frozenset(event for event in trace if event.position in pinned)
        replayer.open_ahead(pages)
    else:
        seldom = f"flaky: {failed} of {replays} replays reproduced the failure"
        notify(Warned(f"{seldom}; each candidate is replayed repeatedly"))
        trust = replace(trust, reproduction=max(LOWEST_RATE, failed / replays / 2))
        replayer.always_fresh = True
    settings = replace(settings, execution=replace(settings.execution, workers=pages), trust=trust)
    target = SessionTarget(replayer.recording, way, replayer.signature, path, known)
    runner = Runner(settings, listener=notify, words=words)
    result = runner.run(target, SessionOracle(replayer))
    if result.input_rate is not None:
        failed, replays = failed + result.input_rate.hits, replays + result.input_rate.runs
    reasons = way.why(target.trace, result.case)
    told = TraceResult(result.case, reasons, result, replayer.events)
    return WebResult(
        told,
        failed,
        replays,
        dict(replayer.finds),
        result.confirmed,
        measured=result.rate if result.flaky else None,
        pages_opened=replayer.pages_opened,
        all_replays=replayer.replays,
    )


def _measured(replayer: Replayer, repeat: int) -> tuple[int, int]:
    """Return in how many of how many replays the failure shows; more than asked for where it does not always."""
    failed = 1 + replayer.rate(repeat - 1)
    if failed == repeat:
        return failed, repeat
    afresh = replayer.rate(MEASURED, fresh=True)
    if afresh == MEASURED:
        replayer.always_fresh = True  # what differs is the quick reset, which this page does not bear
        return afresh, MEASURED
    return failed + afresh, repeat + MEASURED
