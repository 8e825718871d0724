"""What the page shows and does: one session that is opened, observed, reduced, replayed and exported.

Knows nothing of HTTP. Long work goes on in a thread, one at a time, and tells of itself by news.
"""

from __future__ import annotations

import base64
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

from minrepro.algorithms.lists.guided import GUESSED
from minrepro.browser.chromium import Chromium, has_display, host_of
from minrepro.browser.debugger.background_work import BackgroundWork
from minrepro.browser.debugger.broadcast import Broadcast
from minrepro.browser.debugger.record_window import LiveRecording, checked_address
from minrepro.browser.debugger.views import event_view, observation_view, result_view
from minrepro.browser.debugger.workspace import Choices, Workspace
from minrepro.browser.exports import FAILURE, export
from minrepro.browser.recording import Recording, parse
from minrepro.browser.replay_page import ReplayPage
from minrepro.browser.session_reduction import WebReduction, reduce_session
from minrepro.browser.session_replay import Observation, Replayer
from minrepro.browser.session_units import as_rules_see
from minrepro.browser.step_through import Stepper
from minrepro.core.events import Accepted, RunEvent, Tested, Warned
from minrepro.errors import InputError, UsageError
from minrepro.runs.runner import RunResult
from minrepro.settings import HistorySettings, RunSettings
from minrepro.traces.rewriting import rewrite
from minrepro.traces.rules import Rule
from minrepro.traces.trace_api import learn_rules
from minrepro.traces.user_events import Event, Trace, positions

PICTURES = 300
MOST_TIMES = 50
MOST_LOGS = 200


class Debugger:
    """One session on its way from a recording to the smallest one that fails."""

    def __init__(
        self,
        workspace: Path,
        *,
        browser: str | None = None,
        allow_network: bool = False,
        reset_command: str | None = None,
    ) -> None:
        """All files are in the workspace; the command that resets a server can be given here and nowhere else."""
        self._workspace = Workspace(workspace)
        self._browser = browser
        self._allow_network = allow_network
        self._reset_command = reset_command
        self._chromium: Chromium | None = None
        self.news = Broadcast()
        self._working = BackgroundWork(self.news)
        self._live: LiveRecording | None = None
        self.pictures: dict[int, bytes] = {}
        self._observation: Observation | None = None
        self._rate: tuple[int, dict[str, int]] = (1, {})
        self._replayer: Replayer | None = None
        self._stepper: Stepper | None = None
        self.recording = self._workspace.recording()
        self.choices = self._workspace.choices()
        self._logs = self._workspace.logs()
        self._result = self._workspace.result()

    def open(self, text: str) -> None:
        """Take a recording as the session to work on."""
        self._working.require_rest()
        self._take(parse(text, "the recording"))

    def record(self, url: str) -> None:
        """Open a window and record what the user does in it."""
        live = LiveRecording(checked_address(url), self.news)
        self._working.begin("record", lambda: live.run(self._browser, self._allow_network, self._take))
        self._live = live

    def view(self) -> dict[str, Any]:
        """Return all that the page shows."""
        recording, choices, seen = self.recording, self.choices, self._observation
        now = {"work": self._working.name, "paused": self._working.paused, "display": has_display()}
        if recording is None:
            return {"events": [], **now}
        return {
            "title": str(recording.head.get("title") or ""),
            "url": recording.url,
            "events": [event_view(event, i in self.pictures) for i, event in enumerate(recording.trace, 1)],
            "observed": None if seen is None else observation_view(seen, self._numbers(), *self._rate),
            "resumable": self._result is None and bool(choices.failure) and self._workspace.can_resume(),
            "logs": len(self._logs),
            "choices": vars(choices),
            "result": None if self._result is None else self._result[1],
            **now,
        }

    def mark(self, number: int, mark: str) -> None:
        """Pin an event, leave it out, or neither."""
        self._working.require_rest()
        if not 0 <= number < len(self._session().trace) or mark not in ("pin", "drop", ""):
            raise UsageError("unknown event or mark")
        choices, dropped = self.choices, list(self.choices.dropped)
        for marked in (choices.pinned, choices.dropped):
            if number in marked:
                marked.remove(number)
        if mark:
            (choices.pinned if mark == "pin" else choices.dropped).append(number)
        if choices.dropped != dropped:  # what was seen was seen in another session
            self._forget()
        self._workspace.forget_journals()
        self._forget_result()
        self._workspace.keep_choices(choices)

    def observe(self, predicate: str = "", times: int = 1) -> None:
        """Replay the session once, with a picture after each event, and tell all that goes wrong, and how often."""
        self._session()
        self._working.require_rest()
        self.choices.predicate = predicate.strip()
        self._workspace.keep_choices(self.choices)
        self._working.begin("observe", lambda: self._observe(max(1, min(times, MOST_TIMES))))

    def add_log(self, text: str) -> int:
        """Take in the log of a session, to learn rules from; return how many there are."""
        self._session()
        if len(self._logs) >= MOST_LOGS:
            raise UsageError(f"at most {MOST_LOGS} logs can be loaded")
        self._logs.append(self._workspace.keep_log(text))
        return len(self._logs)

    def rules(self, confidence: float, without: list[str]) -> dict[str, Any]:
        """Return the rules that the logs give, and what those that are wanted would leave of the session."""
        self.choices.confidence, self.choices.without = confidence, without
        rules, numbers = self._learnt(), self._numbers()
        trace = self._active().trace
        used = [rule for rule in rules if str(rule) not in without]
        rewriting = rewrite(map(as_rules_see, trace), used, protected={len(trace) - 1})
        removed = {
            numbers[event.position or 0]: str(step.rule) for step in rewriting.applications for event in step.removed
        }
        table = [
            {"rule": str(rule), "kind": rule.kind.value, "for": rule.evidence.positive,
             "confidence": rule.evidence.confidence, "used": str(rule) not in without}
            for rule in rules
        ]  # fmt: skip
        return {"rules": table, "before": len(trace), "after": len(rewriting.kept), "removed": removed}

    def reduce(self, failure: str, part: str = "") -> None:
        """Reduce the session to the shortest that shows a failure which was observed, or a part of its signature."""
        seen = self._observation
        if seen is None or self._replayer is None:
            raise UsageError("replay the recording first to see its failures")
        if not any(one.signature == failure and part in failure for one in seen.failures):
            raise UsageError("this failure was not seen")
        self._working.require_rest()
        self.choices.failure, self.choices.part = failure, part
        self._workspace.keep_choices(self.choices)
        self._forget_result()
        self._working.begin("reduce", lambda: self._reduce(resume=False))

    def resume(self) -> None:
        """Go on with a reduction that was cut short: the session is replayed once, then nothing that is known."""
        self._session()

        def work() -> None:
            self._observe(1)
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

    def play(self, which: str, until: int) -> dict[str, Any]:
        """Go on to an event of the session, or of its result, and return what the page then shows."""
        self._working.require_rest()
        recording = self._session()
        trace = self._result[0].trace if which == "result" and self._result is not None else recording.trace
        if self._stepper is None or self._stepper.trace != trace:
            self._close_stepper()
            self._stepper = Stepper(self._replayer or self._new_replayer(recording), trace)
        seen, picture = self._stepper.to(until, lambda fired: self.news.tell("played", number=fired))
        told = {"picture": base64.b64encode(picture).decode()} if picture else {}
        failures = [{"number": number, "signature": failure.signature} for number, failure in seen.seen]
        return {"fired": seen.fired, "impossible": seen.impossible, "failures": failures, **told}

    def export(self, to: str) -> str:
        """Return the result, or the session while there is none, in another form."""
        return export(self._result[0] if self._result is not None else self._session(), to)

    def close(self) -> None:
        """End all work and the browser."""
        self.stop()
        self.news.close()
        self._working.join()
        self._close_stepper()
        if self._chromium is not None:
            self._chromium.close()

    def _take(self, recording: Recording) -> None:
        addresses = [step["url"] for step in recording.steps() if step["type"] == "navigate"]
        if not all(address.lower().startswith(("http://", "https://")) for address in addresses):
            raise InputError("only http:// and https:// pages can be opened here")
        if not recording.trace:
            raise InputError("the recording has no events after opening its page")
        self._forget()
        if self._chromium is not None:  # its pages may reach another host
            self._chromium.close()
            self._chromium = None
        self._workspace.begin(recording)
        self.recording, self.choices, self._logs, self._result = recording, Choices(), [], None
        self.news.tell("opened")

    def _observe(self, times: int) -> None:
        self._forget()
        recording, numbers = self._active(), self._numbers()
        replayer = self._replayer = self._new_replayer(recording)
        replayer.manners.timer = 0.1

        async def after(number: int, event: Event | None, tab: ReplayPage) -> None:
            if number < PICTURES and (picture := await tab.picture()) is not None:
                self.pictures[numbers[number - 1] + 1 if number else 0] = picture
            self.news.tell("fired", number=number)

        seen = replayer.observe(recording.trace, after=after)
        shown = Counter({one.signature for one in seen.failures})
        for run in range(1, times):
            self.news.tell("measured", run=run, times=times)
            shown.update({one.signature for one in replayer.observe(recording.trace).failures})
        self._rate = times, dict(shown)
        self._observation = seen
        self.news.tell("observed")

    def _reduce(self, resume: bool) -> None:
        seen, replayer, choices, numbers = self._observation, self._replayer, self.choices, self._numbers()
        assert seen is not None and replayer is not None
        failure = next((one for one in seen.failures if one.signature == choices.failure), None)
        if failure is None:
            raise UsageError(f"the recording no longer reproduces {choices.failure}")
        self._close_stepper()
        replayer.look_for(failure, seen, choices.part)
        replayer.tell_tried = lambda trace: self.news.tell("tried", kept=[numbers[i] for i in positions(trace)])
        rules = [rule for rule in self._learnt() if str(rule) not in choices.without]
        pinned = frozenset(i for i, number in enumerate(numbers) if number in choices.pinned)
        way = WebReduction(rules, pinned=pinned)
        repeat = 1 if self._rate[1].get(failure.signature, 1) == self._rate[0] else self._rate[0]
        history = HistorySettings(state=self._workspace.journals, resume=resume)
        settings = RunSettings(history=history)
        found = reduce_session(replayer, notify=self._listen, reduction=way, repeat=repeat, settings=settings)
        result, run = found.result, found.result.run
        assert isinstance(run, RunResult)
        tally = run.tally
        told: dict[str, Any] = {"tests": tally.tests, "saved": tally.remembered, "events": result.events_fired}
        told |= {"seconds": round(run.seconds, 1), "restored": run.reused, "why": run.why}
        told |= {"others": list(found.finds), "failure": replayer.signature, "confirmed": found.confirmed}
        told |= {"failed": found.failed, "replays": found.replays}
        told |= result_view(self._session().trace, result.trace, result.reasons, numbers)
        small = parse(replayer.recording.text(result.trace, **{FAILURE: replayer.signature}), "result")
        self._workspace.keep_result(small.text(), told)
        self._result = small, told
        self.news.tell("reduced")

    def _listen(self, notice: RunEvent) -> None:
        self._working.heed(notice)
        numbers = self._numbers()
        match notice:
            case Tested(verdict, size, label, remembered):
                fired = verdict.stopped_at or 0
                told = {"outcome": verdict.outcome.value, "reason": verdict.reason, "fired": fired, "size": size}
                self.news.tell("tested", label=label, saved=remembered, **told)
            case Accepted(case=trace, size=size, label=label):
                kept = [numbers[i] for i in positions(trace)]
                self.news.tell("accepted", kept=kept, size=size, rule=label == GUESSED)
            case Warned(text):
                self.news.tell("warned", text=text)

    def _session(self) -> Recording:
        if self.recording is None:
            raise UsageError("open a recording first")
        return self.recording

    def _numbers(self) -> list[int]:
        """Return the events that are not left out, by their places in the whole session."""
        return [i for i in range(len(self._session().trace)) if i not in self.choices.dropped]

    def _active(self) -> Recording:
        """Return the session without what the user left out."""
        recording = self._session()
        trace: Trace = tuple(replace(recording.trace[number], position=i) for i, number in enumerate(self._numbers()))
        if not trace:
            raise UsageError("every event is excluded, so there is nothing to replay")
        return replace(recording, trace=trace)

    def _forget(self) -> None:
        """Forget what was seen of the session."""
        self.pictures.clear()
        self._observation = None
        self._close_stepper()
        if self._replayer is not None:
            self._replayer.close()
            self._replayer = None

    def _forget_result(self) -> None:
        self._result = None
        self._workspace.forget_result()

    def _close_stepper(self) -> None:
        if self._stepper is not None:
            self._stepper.close()
            self._stepper = None

    def _new_replayer(self, recording: Recording) -> Replayer:
        if self._chromium is None:
            hosts = None if self._allow_network else [host_of(recording.url)]
            self._chromium = Chromium(self._browser, hosts=hosts)
        predicate = self.choices.predicate or None
        return Replayer(self._chromium, recording, reset_command=self._reset_command, predicate=predicate)

    def _learnt(self) -> tuple[Rule, ...]:
        logs = [log.seen(as_rules_see) for log in self._logs]
        return learn_rules(logs, confidence=self.choices.confidence) if logs else ()
