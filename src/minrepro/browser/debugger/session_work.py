"""The long work on one session: it is observed, reduced, and reduced by several algorithms to compare them."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from minrepro.algorithms.lists.guided import GUESSED
from minrepro.browser import export_check
from minrepro.browser.debugger.background_work import BackgroundWork
from minrepro.browser.debugger.broadcast import Broadcast
from minrepro.browser.debugger.step_records import Track
from minrepro.browser.debugger.views import result_view
from minrepro.browser.debugger.workspace import Choices, Workspace
from minrepro.browser.exports import FAILURE
from minrepro.browser.page_failures import PageFailure
from minrepro.browser.recording import Recording, parse
from minrepro.browser.session_reduction import WebReduction, WebResult, reduce_session
from minrepro.browser.session_replay import Observation, Replayer
from minrepro.core.events import Accepted, RunEvent, Tested, Warned
from minrepro.errors import UsageError
from minrepro.runs.runner import RunResult
from minrepro.settings import Budget, HistorySettings, RunSettings
from minrepro.traces.rules import Rule
from minrepro.traces.trace_reduction import Algorithm
from minrepro.traces.user_events import positions

_TIMER = 0.1
"""Seconds: timers up to this length are waited for after each event."""
_LATEST = 30.0
"""Seconds for which a timer is waited for after the last event, if there is no failure before."""


class SessionWork:
    """What was seen and found of the session that is worked on, and the work that sees and finds it."""

    def __init__(self, news: Broadcast, working: BackgroundWork) -> None:
        self._news = news
        self._working = working
        self._folder: Workspace | None = None
        self._choices = Choices()
        self.seen: Observation | None = None
        self.rate: tuple[int, dict[str, int]] = (1, {})
        """How many replays there were, and in how many of them each failure showed."""
        self.replayer: Replayer | None = None
        self.track: Track | None = None
        self._numbers: list[int] = []
        self.result: tuple[Recording, dict[str, Any]] | None = None
        self.result_track: Track | None = None
        self.runs: list[dict[str, Any]] = []
        """What each reduction took, the last of each algorithm."""
        self.exported: dict[str, Any] = {}
        """The test that was run last, and what is told of that."""

    def begin(self, folder: Workspace, choices: Choices) -> None:
        """Take up a session where it was left."""
        self._folder, self._choices = folder, choices
        self.result, self.runs, self.exported = folder.result(), folder.runs(), {}

    def shown(self, which: str, number: int) -> tuple[Track, int] | None:
        """Return a replay of the session or of its result, and where in it an event stands, if it was replayed."""
        track, numbers = self.track, [one + 1 for one in self._numbers]
        if which == "result" and self.result is not None:
            track, numbers = self.result_track, [event["number"] for event in self.result[1]["trace"]]
        at = 0 if number == 0 else numbers.index(number) + 1 if number in numbers else None
        return None if track is None or at is None or at >= len(track.steps) else (track, at)

    def observe(self, replayer: Replayer, numbers: list[int], times: int, around: int | None = None) -> None:
        """Replay a session, keep what each step showed, and measure how often it fails."""
        self.replayer, self._numbers = replayer, numbers
        replayer.manners.timer = _TIMER
        track = Track(replayer, replayer.recording.trace, around)
        seen = track.record(self._fired)
        if not seen.failures and not seen.impossible and 0 < seen.pending <= _LATEST:
            replayer.manners.late = seen.pending
            seen = track.record(self._fired)
        shown = Counter({one.signature for one in seen.failures})
        for run in range(1, times):
            self._news.tell("measured", run=run, times=times)
            shown.update({one.signature for one in replayer.observe(replayer.recording.trace).failures})
        self.rate, self.seen, self.track = (times, dict(shown)), seen, track
        self._news.tell("observed")

    def reduce(self, session: Recording, rules: Sequence[Rule], numbers: list[int], *, resume: bool) -> None:
        """Reduce a session that was observed, and keep the result."""
        seen, replayer, choices, folder = self.seen, self.replayer, self._choices, self._folder
        assert seen is not None and replayer is not None and folder is not None
        failure = _wanted(seen, choices)
        replayer.look_for(failure, seen, choices.part)
        replayer.tell_tried = lambda trace: self._news.tell("tried", kept=[numbers[i] for i in positions(trace)])
        listener = _Listener(self._news, self._working, numbers)
        repeat = 1 if self.rate[1].get(failure.signature, 1) == self.rate[0] else self.rate[0]
        history = HistorySettings(state=folder.journals, resume=resume)
        way = self._way(rules, numbers, choices)
        settings = RunSettings(budget=self._budget(), history=history)
        replayer.replays = replayer.events = 0
        begin = time.monotonic()
        found = reduce_session(replayer, notify=listener, reduction=way, repeat=repeat, settings=settings)
        self._note_run(way, found, begin)
        told = _told(found, replayer)
        told |= result_view(session.trace, found.result.trace, found.result.reasons, numbers, listener.checks)
        small = parse(session.text(found.result.trace, **{FAILURE: replayer.signature}), "result")
        folder.keep_result(small.text(), told)
        self.result = small, told
        self._news.tell("reduced")
        track = Track(replayer, found.result.trace)
        track.record(lambda number: None)
        self.result_track = track
        self._news.tell("replayed")

    def compare(self, replayer: Replayer, rules: Sequence[Rule], numbers: list[int], algorithm: Algorithm) -> bool:
        """Reduce a session by an algorithm, and keep what that took; return whether it was not ended before."""
        replayer.manners.timer = _TIMER
        if self.replayer is not None:
            replayer.manners.late = self.replayer.manners.late
        seen = replayer.observe(replayer.recording.trace)
        choices = Choices(**{**vars(self._choices), "algorithm": algorithm})
        replayer.look_for(_wanted(seen, choices), seen, choices.part)
        way = self._way(rules, numbers, choices)
        settings = RunSettings(budget=self._budget(), history=HistorySettings(keep=False))
        replayer.replays = replayer.events = 0
        begin = time.monotonic()
        self._news.tell("comparing", algorithm=algorithm)
        found = reduce_session(replayer, notify=self._heed, reduction=way, settings=settings)
        self._note_run(way, found, begin)
        self._news.tell("compared", algorithm=algorithm)
        run = found.result.run
        assert isinstance(run, RunResult)
        return run.why != "stopped"

    def run_test(self, replayer: Replayer, to: str, fixed: str, failure: str | None, browser: str | None) -> None:
        """Export a session as a test, run it, and keep it with what is told of the run."""
        self.exported = {}
        tested = export_check.tested(replayer, to, Path.cwd(), fixed or None, failure, browser)
        self.exported = {"to": to, "text": tested.text, "told": list(tested.told)}
        self._news.tell("exported")

    def forget_seen(self) -> None:
        """Forget what was seen of the session."""
        self.seen = self.track = self.result_track = None
        self.rate = (1, {})
        if self.replayer is not None:
            self.replayer.close()
            self.replayer = None

    def forget_result(self) -> None:
        """Forget the result."""
        self.result = self.result_track = None
        self.exported = {}
        if self._folder is not None:
            self._folder.forget_result()

    def forget_runs(self) -> None:
        """Forget what reductions took."""
        self.runs = []
        if self._folder is not None:
            self._folder.forget_runs()

    def _fired(self, number: int) -> None:
        self._news.tell("fired", number=number)

    def _heed(self, notice: RunEvent) -> None:
        self._working.heed(notice)
        if isinstance(notice, Tested) and not notice.remembered:
            self._news.tell("measured", run=0, times=0, size=notice.size)

    def _budget(self) -> Budget:
        return Budget(self._choices.most_replays or None, self._choices.most_seconds or None)

    def _way(self, rules: Sequence[Rule], numbers: list[int], choices: Choices) -> WebReduction:
        pinned = frozenset(i for i, number in enumerate(numbers) if number in choices.pinned)
        algorithm: Any = choices.algorithm
        return WebReduction(() if algorithm == "ddmin" else rules, algorithm, pinned=pinned)

    def _note_run(self, way: WebReduction, found: WebResult, begin: float) -> None:
        """Keep what a reduction took beside what the others took."""
        run = found.result.run
        assert isinstance(run, RunResult)
        took: dict[str, Any] = {"algorithm": way.algorithm, "rules": len(way.rules), "left": len(found.result.trace)}
        took |= {"replays": found.all_replays, "events": found.result.events_fired}
        took |= {"seconds": round(time.monotonic() - begin, 1), "why": run.why}
        name = (way.algorithm, bool(way.rules))
        self.runs = [one for one in self.runs if (one["algorithm"], bool(one["rules"])) != name] + [took]
        if self._folder is not None:
            self._folder.keep_runs(self.runs)


class _Listener:
    """Tells of a reduction that is under way, and remembers which check removed which event."""

    def __init__(self, news: Broadcast, working: BackgroundWork, numbers: list[int]) -> None:
        self._news = news
        self._working = working
        self._numbers = numbers
        self._checks = 0
        self._kept = set(numbers)
        self.checks: dict[int, int] = {}
        """By event, the number of the check in which the failure reproduced without it."""

    def __call__(self, notice: RunEvent) -> None:
        self._working.heed(notice)
        match notice:
            case Tested(verdict, size, label, remembered):
                self._checks += not remembered
                fired = verdict.stopped_at or 0
                told = {"outcome": verdict.outcome.value, "reason": verdict.reason, "fired": fired, "size": size}
                self._news.tell("tested", label=label, saved=remembered, check=self._checks, **told)
            case Accepted(case=trace, size=size, label=label):
                kept = {self._numbers[i] for i in positions(trace)}
                self.checks |= dict.fromkeys(self._kept - kept, self._checks)
                for number in kept:
                    self.checks.pop(number, None)
                self._kept = kept
                self._news.tell("accepted", kept=sorted(kept), size=size, rule=label == GUESSED, check=self._checks)
            case Warned(text):
                self._news.tell("warned", text=text)


def _wanted(seen: Observation, choices: Choices) -> PageFailure:
    for one in seen.failures:
        if one.signature == choices.failure:
            return one
    raise UsageError(f"the recording no longer reproduces {choices.failure}")


def _told(found: WebResult, replayer: Replayer) -> dict[str, Any]:
    """Return what is shown of a result beside its events."""
    result, run = found.result, found.result.run
    assert isinstance(run, RunResult)
    told: dict[str, Any] = {"tests": run.tally.tests, "saved": run.tally.remembered, "events": result.events_fired}
    told |= {"seconds": round(run.seconds, 1), "restored": run.reused, "why": run.why}
    told |= {"others": list(found.finds), "failure": replayer.signature, "confirmed": found.confirmed}
    return told | {"failed": found.failed, "replays": found.replays, "pages": found.pages_opened}
