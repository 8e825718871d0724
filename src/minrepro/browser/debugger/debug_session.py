"""What the page shows and does: sessions that are opened, observed, edited, reduced, replayed and exported.

Knows nothing of HTTP. Long work goes on in a thread, one at a time, and tells of itself by news.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

from minrepro.browser.chromium import Chromium, has_display, host_of
from minrepro.browser.debugger.background_work import BackgroundWork
from minrepro.browser.debugger.broadcast import Broadcast
from minrepro.browser.debugger.record_window import LiveRecording, checked_address
from minrepro.browser.debugger.session_edits import edited
from minrepro.browser.debugger.session_work import SessionWork
from minrepro.browser.debugger.views import changes, event_view, observation_view, rules_view, step_view
from minrepro.browser.debugger.workspace import Choices, Shelf, Workspace
from minrepro.browser.exports import LANGUAGES, export
from minrepro.browser.recording import Recording, parse
from minrepro.browser.session_replay import Replayer
from minrepro.browser.session_units import as_rules_see, words
from minrepro.browser.step_through import Stepper
from minrepro.errors import InputError, UsageError
from minrepro.traces.rewriting import rewrite
from minrepro.traces.rules import Rule
from minrepro.traces.trace_api import learn_rules
from minrepro.traces.trace_reduction import Algorithm
from minrepro.traces.user_events import Log, Trace

MOST_TIMES = 50
MOST_LOGS = 200
MOST_SESSIONS = 200
COMPARED: tuple[Algorithm, ...] = ("ddmin", "rddmin", "default")
ALGORITHMS: tuple[Algorithm, ...] = get_args(Algorithm)


class Debugger:
    """The session that is worked on, on its way from a recording to the smallest one that fails, beside others."""

    def __init__(
        self,
        workspace: Path,
        *,
        browser: str | None = None,
        allow_network: bool = False,
        reset_command: str | None = None,
    ) -> None:
        """All files are in the workspace; the command that resets a server can be given here and nowhere else."""
        self._shelf = Shelf(workspace)
        self._folder: Workspace
        self._logs: list[Log] = []
        self._login: Recording | None = None
        self._browser = browser
        self._allow_network = allow_network
        self._reset_command = reset_command
        self._chromium: Chromium | None = None
        self._chromium_for = ""
        self.news = Broadcast()
        self._working = BackgroundWork(self.news)
        self._live: LiveRecording | None = None
        self._stepper: Stepper | None = None
        self._stepping = threading.Lock()
        self.recording: Recording | None = None
        self.choices = Choices()
        self._work = SessionWork(self.news, self._working)
        self._id = 0
        self._version = 0
        if last := self._shelf.last():
            self._load(last)

    def open(self, text: str, name: str = "the recording") -> None:
        """Take a recording as the session to work on."""
        self._working.require_rest()
        self._take(parse(text, name))

    def choose(self, number: int) -> None:
        """Go on with another of the sessions."""
        self._working.require_rest()
        if number not in self._shelf.numbers():
            raise UsageError("there is no such session")
        self._load(number)
        self.news.tell("opened")

    def discard(self, number: int) -> None:
        """Remove a session with all that was found of it."""
        self._working.require_rest()
        if number not in self._shelf.numbers():
            raise UsageError("there is no such session")
        self._shelf.remove(number)
        if number == self._id:
            self._forget_seen()
            self.recording, self._id = None, 0
            if last := self._shelf.last():
                self._load(last)
        self.news.tell("opened")

    def record(self, url: str) -> None:
        """Open a window and record what the user does in it."""
        live = LiveRecording(checked_address(url), self.news)
        self._working.begin("record", lambda: live.run(self._browser, self._allow_network, self._take))
        self._live = live

    def view(self) -> dict[str, Any]:
        """Return all that the page shows but the events."""
        recording, work = self.recording, self._work
        now = {"work": self._working.name, "paused": self._working.paused, "display": has_display()}
        now |= {"sessions": self._shelf.titles(), "id": self._id, "version": self._version}
        if recording is None:
            return {"count": 0, **now}
        return {
            "title": str(recording.head.get("title") or ""),
            "url": recording.url,
            "count": len(recording.trace),
            "observed": None if work.seen is None else observation_view(work.seen, self._numbers(), *work.rate),
            "resumable": work.result is None and bool(self.choices.failure) and self._folder.can_resume(),
            "logs": len(self._logs),
            "login": len(self._login.trace) if self._login is not None else 0,
            "reset": bool(self._reset_command),
            "choices": vars(self.choices),
            "result": None if work.result is None else work.result[1],
            "runs": work.runs,
            "exported": work.exported,
            **now,
        }

    def events(self) -> dict[str, Any]:
        """Return the events of the session, and which of them are keys of one word, numbered from 0."""
        trace = self._session().trace
        return {"version": self._version, "events": [event_view(event) for event in trace], "words": words(trace)}

    def mark(self, numbers: Sequence[int], mark: str) -> None:
        """Pin events, leave them out, or neither."""
        self._working.require_rest()
        count = len(self._session().trace)
        if mark not in ("pin", "drop", "") or not all(0 <= number < count for number in numbers):
            raise UsageError("unknown event or mark")
        choices, dropped = self.choices, list(self.choices.dropped)
        for marked in (choices.pinned, choices.dropped):
            marked[:] = [number for number in marked if number not in numbers]
        if mark:
            (choices.pinned if mark == "pin" else choices.dropped).extend(numbers)
        if choices.dropped != dropped:  # what was seen was seen in another session
            self._forget_seen()
        self._forget_found()
        self._folder.keep_choices(choices)

    def edit(self, given: dict[str, Any]) -> None:
        """Change the session by hand: change, add, move or remove an event."""
        self._working.require_rest()
        recording, numbers = edited(self._session(), given)
        place = {number: i for i, number in enumerate(numbers) if number is not None}
        for marked in (self.choices.pinned, self.choices.dropped):
            marked[:] = [place[number] for number in marked if number in place]
        self._forget_seen()
        self._forget_found()
        self.recording = recording
        self._version += 1
        self._folder.begin(recording)
        self._folder.keep_choices(self.choices)

    def settle(self, base: str, most_replays: int, most_seconds: float) -> None:
        """Say where the page is served now, and how long a reduction may take."""
        self._working.require_rest()
        recording, choices = self._session(), self.choices
        if base.strip() != choices.base:
            if base.strip():
                recording.at(base.strip())  # or it says what is wrong with it
            choices.base = base.strip()
            self._forget_seen()
            self._forget_found()
        choices.most_replays, choices.most_seconds = max(0, most_replays), max(0.0, most_seconds)
        self._folder.keep_choices(choices)

    def add_login(self, text: str) -> None:
        """Take in a recording of what is done before the session each time."""
        self._working.require_rest()
        self._session()
        login = parse(text, "the login")
        _require_pages(login)
        self._folder.keep_before(login)
        self._login = login
        self._forget_seen()
        self._forget_found()

    def observe(self, predicate: str = "", times: int = 1, around: int | None = None) -> None:
        """Replay the session with a picture of each step, and tell all that goes wrong, and how often."""
        self._session()
        self._working.require_rest()
        self.choices.predicate = predicate.strip()
        self._folder.keep_choices(self.choices)
        runs = max(1, min(times, MOST_TIMES))
        self._working.begin("observe", lambda: self._observe(runs, around))

    def add_log(self, text: str) -> int:
        """Take in the log of a session, to learn rules from; return how many there are."""
        self._session()
        if len(self._logs) >= MOST_LOGS:
            raise UsageError(f"at most {MOST_LOGS} logs can be loaded")
        self._logs.append(self._folder.keep_log(text))
        return len(self._logs)

    def rules(self, confidence: float, without: list[str]) -> dict[str, Any]:
        """Return the rules that the logs give, and what those that are wanted would leave of the session."""
        self.choices.confidence, self.choices.without = confidence, without
        rules, numbers = self._learnt(), self._numbers()
        trace = self._active().trace
        used = [rule for rule in rules if str(rule) not in without]
        rewriting = rewrite(map(as_rules_see, trace), used, protected={len(trace) - 1})
        return rules_view(rules, without, rewriting, numbers)

    def reduce(self, failure: str, part: str = "", algorithm: str = "default") -> None:
        """Reduce the session to the shortest that shows a failure which was observed, or a part of its signature."""
        self._settle_failure(failure, part)
        self.choices.algorithm = _known(algorithm)
        self._folder.keep_choices(self.choices)
        self._work.forget_result()
        self._working.begin("reduce", lambda: self._reduce(resume=False))

    def compare(self, failure: str, part: str = "") -> None:
        """Reduce the session by one algorithm after another, and keep what each took; the result is left alone."""
        self._settle_failure(failure, part)
        self._folder.keep_choices(self.choices)

        def work() -> None:
            for algorithm in COMPARED:
                replayer = self._new_replayer(self._active())
                try:
                    if not self._work.compare(replayer, self._wanted_rules(), self._numbers(), algorithm):
                        return
                finally:
                    replayer.close()

        self._working.begin("compare", work)

    def resume(self) -> None:
        """Go on with a reduction that was cut short: the session is replayed once, then nothing that is known."""
        self._session()

        def work() -> None:
            self._observe(1, None)
            self._reduce(resume=True)

        self._working.begin("reduce", work)

    def pause(self, paused: bool) -> None:
        """Hold a reduction after the test that is under way, or let it go on."""
        self._working.pause(paused)

    def stop(self) -> None:
        """End a reduction and keep the best so far, or a recording with what was recorded."""
        self._working.stop()
        if self._live is not None:
            self._live.stop()

    def step(self, which: str, number: int) -> dict[str, Any]:
        """Return what a replay of the session, or of its result, showed at an event; 0 is the start of the page."""
        found = self._work.shown(which, number)
        if found is None:
            return {"number": number, "replayed": False}
        track, at = found
        return {"number": number, "replayed": True, "before": bool(track.before(at)), **step_view(track.steps[at])}

    def picture(self, which: str, number: int, when: str) -> bytes | None:
        """Return what the page looked like before or after an event."""
        found = self._work.shown(which, number)
        if found is None:
            return None
        track, at = found
        return track.before(at) if when == "before" else track.steps[at].after

    def dom(self, which: str, number: int) -> dict[str, Any]:
        """Return the DOM after an event, and what of it the event changed."""
        found = self._work.shown(which, number)
        if found is None:
            return changes([], [])
        track, at = found
        return changes(track.steps[at - 1].dom if at else [], track.steps[at].dom)

    def pick(self, number: int, x: float, y: float) -> dict[str, Any]:
        """Return ways to the element at a place in the window, as the page is after so many events."""
        self._working.require_rest()
        active = self._active()
        until = sum(other < number for other in self._numbers())
        with self._stepping:
            if self._stepper is None or self._stepper.trace != active.trace:
                self._drop_stepper()
                self._stepper = Stepper(self._work.replayer or self._new_replayer(active), active.trace)
            return self._stepper.element(until, x, y)

    def export(self, to: str) -> str:
        """Return the result, or the session while there is none, in another form; a test as it was run, if it was."""
        exported = self._work.exported
        return exported["text"] if exported.get("to") == to else export(self._final(), to)

    def run_test(self, to: str, fixed: str = "") -> None:
        """Export the result as a test and run it: it must fail with the bug, and pass where that is fixed."""
        if to not in LANGUAGES:
            raise UsageError(f"{to!r} is no form of tests")
        if fixed:
            _require_address(fixed)
        self._working.require_rest()
        final = replace(self._final(), before=self._active().before)
        base, part = self.choices.base, self.choices.failure or None

        def work() -> None:
            replayer = self._new_replayer(final.at(base) if base else final)
            try:
                self._work.run_test(replayer, to, fixed, part, self._browser)
            finally:
                replayer.close()

        self._working.begin("export", work)

    def close(self) -> None:
        """End all work and the browser."""
        self.stop()
        self.news.close()
        self._working.join()
        self._close_stepper()
        if self._chromium is not None:
            self._chromium.close()

    def _load(self, number: int) -> None:
        """Go on with a session that was kept."""
        self._forget_seen()
        self._folder = self._shelf.at(number)
        self._id, self._version = number, self._version + 1
        self.recording = self._folder.recording()
        self.choices = self._folder.choices()
        self._logs, self._login = self._folder.logs(), self._folder.before()
        self._work.begin(self._folder, self.choices)

    def _take(self, recording: Recording) -> None:
        _require_pages(recording)
        if not recording.trace:
            raise InputError("the recording has no events after opening its page")
        numbers = self._shelf.numbers()
        if len(numbers) >= MOST_SESSIONS:
            raise UsageError(f"at most {MOST_SESSIONS} sessions can be kept; remove one")
        number = self._shelf.new()
        self._shelf.at(number).begin(recording)
        self._load(number)
        self.news.tell("opened")

    def _settle_failure(self, failure: str, part: str) -> None:
        seen = self._work.seen
        if seen is None or self._work.replayer is None:
            raise UsageError("replay the recording first to see its failures")
        if not any(one.signature == failure and part in failure for one in seen.failures):
            raise UsageError("this failure was not seen")
        self._working.require_rest()
        if (failure, part) != (self.choices.failure, self.choices.part):
            self._work.forget_runs()
        self.choices.failure, self.choices.part = failure, part

    def _observe(self, times: int, around: int | None) -> None:
        self._forget_seen()
        recording, numbers = self._active(), self._numbers()
        at = None if around is None else sum(number < around for number in numbers)
        self._work.observe(self._new_replayer(recording), numbers, times, at)

    def _reduce(self, resume: bool) -> None:
        self._close_stepper()
        self._work.reduce(self._session(), self._wanted_rules(), self._numbers(), resume=resume)

    def _session(self) -> Recording:
        if self.recording is None:
            raise UsageError("open a recording first")
        return self.recording

    def _final(self) -> Recording:
        return self._work.result[0] if self._work.result is not None else self._session()

    def _numbers(self) -> list[int]:
        """Return the events that are not left out, by their places in the whole session."""
        dropped = set(self.choices.dropped)
        return [i for i in range(len(self._session().trace)) if i not in dropped]

    def _active(self) -> Recording:
        """Return the session as it is replayed: without what the user left out, where it is served, after its login."""
        recording = self._session()
        trace: Trace = tuple(replace(recording.trace[number], position=i) for i, number in enumerate(self._numbers()))
        if not trace:
            raise UsageError("every event is excluded, so there is nothing to replay")
        active = replace(recording, trace=trace)
        if self._login is not None:
            active = active.after(self._login)
        return active.at(self.choices.base) if self.choices.base else active

    def _forget_seen(self) -> None:
        """Forget what was seen of the session."""
        self._close_stepper()
        self._work.forget_seen()

    def _forget_found(self) -> None:
        """Forget what was found of the session: it answers another question now."""
        self._folder.forget_journals()
        self._work.forget_runs()
        self._work.forget_result()

    def _close_stepper(self) -> None:
        with self._stepping:  # somebody may be picking an element still
            self._drop_stepper()

    def _drop_stepper(self) -> None:
        if self._stepper is not None:
            self._stepper.close()
            self._stepper = None

    def _new_replayer(self, recording: Recording) -> Replayer:
        host = host_of(recording.url)
        if self._chromium is not None and self._chromium_for != host:  # its pages may reach another host
            self._chromium.close()
            self._chromium = None
        if self._chromium is None:
            self._chromium = Chromium(self._browser, hosts=None if self._allow_network else [host])
            self._chromium_for = host
        predicate = self.choices.predicate or None
        return Replayer(self._chromium, recording, reset_command=self._reset_command, predicate=predicate)

    def _learnt(self) -> tuple[Rule, ...]:
        logs = [log.seen(as_rules_see) for log in self._logs]
        return learn_rules(logs, confidence=self.choices.confidence) if logs else ()

    def _wanted_rules(self) -> list[Rule]:
        return [rule for rule in self._learnt() if str(rule) not in self.choices.without]


def _require_pages(recording: Recording) -> None:
    """Refuse a recording that opens anything but pages."""
    for step in recording.steps():
        if step["type"] == "navigate":
            _require_address(step["url"])


def _require_address(url: str) -> None:
    if not url.lower().startswith(("http://", "https://")):
        raise InputError("only http:// and https:// pages can be opened here")


def _known(algorithm: str) -> Algorithm:
    for one in ALGORITHMS:
        if one == algorithm:
            return one
    raise UsageError(f"unknown algorithm {algorithm!r}")
