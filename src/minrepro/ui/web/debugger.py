"""What the page shows and does: one session that is opened, observed, reduced, replayed and exported.

Knows nothing of HTTP. Long work goes on in a thread, one at a time, and tells of itself by news.
"""

from __future__ import annotations

import base64
import json
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from minrepro.errors import InputError, MinreproError, UsageError
from minrepro.executors import Lost
from minrepro.notices import Accepted, Notice, Tested, Warned
from minrepro.run import Stopped
from minrepro.traces import formats
from minrepro.traces.events import Event, Log, Trace, positions
from minrepro.traces.library import learn_rules
from minrepro.traces.reduction import Reason
from minrepro.traces.rewrite import rewrite
from minrepro.traces.rules import Rule
from minrepro.ui.web.news import News
from minrepro.web.browser import Chromium, host_of
from minrepro.web.exports import FAILURE, export
from minrepro.web.kept import KeptMemory
from minrepro.web.recording import Recording, parse
from minrepro.web.reduction import WebReduction, reduce_session
from minrepro.web.replay import Observation, Replayer
from minrepro.web.tab import Tab
from minrepro.web.units import steps_of
from minrepro.web.words import described

PICTURES = 300


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
        self._workspace = workspace
        self._browser = browser
        self._allow_network = allow_network
        self._reset_command = reset_command
        self._chromium: Chromium | None = None
        self._work: threading.Thread | None = None
        self._going = threading.Event()
        self._going.set()
        self._stopping = False
        self.news = News()
        self.recording: Recording | None = None
        self.pictures: dict[int, bytes] = {}
        self._observation: Observation | None = None
        self._replayer: Replayer | None = None
        self._logs: list[Log] = []
        self._result: tuple[Trace, list[Reason], dict[str, Any]] | None = None
        workspace.mkdir(parents=True, exist_ok=True)
        self._restore()

    def open(self, text: str) -> None:
        """Take a recording as the session to work on."""
        self._require_rest()
        recording = parse(text, "the recording")
        if not recording.url.startswith(("http://", "https://")):
            raise InputError("only pages at http:// and https:// addresses are opened from here")
        if not recording.trace:
            raise InputError("the recording holds no event behind the opening of its page")
        self._forget()
        self._verdicts.unlink(missing_ok=True)
        formats.write(self._workspace / "recording.json", recording.text())
        self.recording = recording
        self.news.tell("opened")

    def view(self) -> dict[str, Any]:
        """Return all that the page shows."""
        recording = self.recording
        if recording is None:
            return {"events": [], "work": self._work_name()}
        seen = self._observation
        return {
            "title": str(recording.head.get("title") or ""),
            "url": recording.url,
            "events": [_event_view(event, i in self.pictures) for i, event in enumerate(recording.trace, 1)],
            "observed": None if seen is None else {
                "fired": seen.fired,
                "impossible": seen.impossible,
                "failures": [{"number": number, "signature": failure.signature} for number, failure in seen.seen],
            },
            "resumable": self._verdicts.exists() and self._result is None,
            "logs": len(self._logs),
            "work": self._work_name(),
            "paused": not self._going.is_set(),
            "result": self._result_view(),
        }  # fmt: skip

    def observe(self) -> None:
        """Replay the session once, with a picture after each event, and tell all that goes wrong."""
        recording = self._session()

        def work() -> None:
            self.pictures.clear()
            replayer = self._new_replayer(recording)
            replayer.manners.timer = 0.1

            async def after(number: int, event: Event | None, tab: Tab) -> None:
                if number < PICTURES:
                    self.pictures[number] = await tab.picture()
                self.news.tell("fired", number=number)

            self._observation = replayer.observe(recording.trace, after=after)
            self._replayer = replayer
            self.news.tell("observed")

        self._begin("observe", work)

    def add_log(self, text: str) -> int:
        """Take in the log of a session, to learn rules from; return how many there are."""
        self._logs.append(formats.parse(text, f"log {len(self._logs) + 1}")[0])
        return len(self._logs)

    def rules(self, confidence: float) -> dict[str, Any]:
        """Return the rules that the logs give, and what they would leave of the session."""
        rules = self._learnt(confidence)
        trace = self._session().trace
        rewriting = rewrite(trace, rules, protected={len(trace) - 1})
        removed = {event.position: str(step.rule) for step in rewriting.applications for event in step.removed}
        table = [
            {"rule": str(rule), "for": rule.evidence.positive, "confidence": rule.evidence.confidence} for rule in rules
        ]
        return {"rules": table, "before": len(trace), "after": len(rewriting.kept), "removed": removed}

    def reduce(self, signature: str, confidence: float = 0.9) -> None:
        """Reduce the session to the shortest that shows a failure which was observed."""
        recording, seen, replayer = self._session(), self._observation, self._replayer
        if seen is None or replayer is None:
            raise UsageError("replay the session once first: only then is it known what can be looked for")
        failure = next((one for one in seen.failures if one.signature == signature), None)
        if failure is None:
            raise UsageError("this failure was not observed")
        rules = self._learnt(confidence) if self._logs else ()

        def work() -> None:
            replayer.look_for(failure, seen)
            replayer.tell_tried = lambda trace: self.news.tell("tried", kept=positions(trace))
            memory = KeptMemory(self._verdicts)
            memory.restore(recording.trace)
            self._stopping = False
            reduction = WebReduction(rules, memory=memory)
            found = reduce_session(replayer, notify=self._listen, reduction=reduction)
            tally, result = found.result.run.tally, found.result
            counts: dict[str, Any] = {"tests": tally.tests, "saved": tally.remembered, "events": result.events_fired}
            counts |= {"seconds": round(result.run.seconds, 1), "restored": memory.restored, "why": result.run.why}
            text = recording.text(result.trace, **{FAILURE: signature})
            formats.write(self._workspace / "result.json", text)
            self._result = (result.trace, result.reasons, {**counts, "others": list(found.finds), "failure": signature})
            if result.run.finished:
                self._verdicts.unlink(missing_ok=True)
            self.news.tell("reduced")

        self._begin("reduce", work)

    def pause(self, paused: bool) -> None:
        """Hold a reduction after the test that is under way, or let it go on."""
        (self._going.clear if paused else self._going.set)()
        self.news.tell("paused" if paused else "going")

    def stop(self) -> None:
        """End a reduction and keep the best so far."""
        self._stopping = True
        self._going.set()

    def play(self, which: str, until: int) -> dict[str, Any]:
        """Replay the session, or its result, up to an event, and return what the page then shows."""
        recording = self._session()
        self._require_rest()
        whole = self._result[0] if which == "result" and self._result is not None else recording.trace
        trace = whole[: max(0, until)]
        shot: dict[str, str] = {}

        async def after(number: int, event: Event | None, tab: Tab) -> None:
            if number == len(trace):
                shot["picture"] = base64.b64encode(await tab.picture()).decode()

        replayer = self._replayer or self._new_replayer(recording)
        seen = replayer.observe(trace, after=after)
        failures = [failure.signature for failure in seen.failures]
        return {"fired": seen.fired, "impossible": seen.impossible, "failures": failures, **shot}

    def export(self, to: str) -> str:
        """Return the result, or the session while there is none, in another form."""
        recording = self._session()
        if self._result is None:
            return export(recording, to)
        trace, _, more = self._result
        return export(parse(recording.text(trace, **{FAILURE: more["failure"]}), "result"), to)

    def close(self) -> None:
        """End all work and the browser."""
        self.stop()
        self.news.close()
        if self._work is not None:
            self._work.join()
        if self._chromium is not None:
            self._chromium.close()

    @property
    def _verdicts(self) -> Path:
        return self._workspace / "verdicts.jsonl"

    def _restore(self) -> None:
        """Open what an earlier server left in the workspace."""
        path = self._workspace / "recording.json"
        if path.exists():
            try:
                self.recording = parse(path.read_text(encoding="utf-8"), path.name)
            except (OSError, InputError):
                self.recording = None

    def _session(self) -> Recording:
        if self.recording is None:
            raise UsageError("open a recording first")
        return self.recording

    def _forget(self) -> None:
        self.pictures.clear()
        self._observation = self._result = None
        if self._replayer is not None:
            self._replayer.close()
        if self._chromium is not None:
            self._chromium.close()
        self._chromium = self._replayer = None

    def _new_replayer(self, recording: Recording) -> Replayer:
        if self._replayer is not None:
            self._replayer.close()
        if self._chromium is None:
            hosts = None if self._allow_network else [host_of(recording.url)]
            self._chromium = Chromium(self._browser, hosts=hosts)
        return Replayer(self._chromium, recording, reset_command=self._reset_command)

    def _learnt(self, confidence: float) -> tuple[Rule, ...]:
        return learn_rules(self._logs, confidence=confidence) if self._logs else ()

    def _work_name(self) -> str:
        return self._work.name if self._work is not None and self._work.is_alive() else ""

    def _require_rest(self) -> None:
        if self._work_name():
            raise UsageError("something is still under way: stop it first")

    def _begin(self, name: str, work: Callable[[], None]) -> None:
        self._require_rest()

        def guarded() -> None:
            try:
                work()
            except (MinreproError, Lost) as error:
                self.news.tell("failed", text=str(error))
            finally:
                self.news.tell("ended", work=name)

        self._work = threading.Thread(target=guarded, name=name, daemon=True)
        self._work.start()

    def _listen(self, notice: Notice) -> None:
        self._going.wait()
        if self._stopping and isinstance(notice, Tested):
            raise Stopped("stopped")
        match notice:
            case Tested(verdict, size, label, remembered):
                self.news.tell("tested", outcome=verdict.outcome.value, label=label, saved=remembered)
            case Accepted(case=trace, size=size, label=label):
                self.news.tell("accepted", kept=positions(trace), size=size, rule=label == "rules")
            case Warned(text):
                self.news.tell("warned", text=text)

    def _result_view(self) -> dict[str, Any] | None:
        if self._result is None:
            return None
        trace, reasons, more = self._result
        why = [{"kept": reason.kept, "text": reason.text, "rule": reason.rule is not None} for reason in reasons]
        kept = [{"number": (event.position or 0) + 1, "text": described(event)} for event in trace]
        return {**more, "trace": kept, "reasons": why}


def _event_view(event: Event, pictured: bool) -> dict[str, Any]:
    selectors = [alternative for step in steps_of(event) for alternative in step.get("selectors") or []]
    plain = [" >>> ".join(one) if isinstance(one, list) else one for one in selectors]
    return {"text": described(event), "selectors": plain, "picture": pictured, "key": json.dumps(event.key)}
