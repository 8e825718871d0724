"""Replays sessions in Chromium and judges them: which failure there is, and whether a shorter one still shows it."""

from __future__ import annotations

import queue
import shlex
import subprocess
import threading
import time
from collections.abc import Awaitable, Callable, Mapping
from contextlib import nullcontext, suppress
from dataclasses import dataclass, field
from typing import Any

from minrepro.browser.chromium import BrowserContext, Chromium
from minrepro.browser.page_failures import HARD, PageFailure, chosen, first_watched, printable
from minrepro.browser.recording import Recording
from minrepro.browser.replay_page import PageGone, PageNotOpened, ReplayPage
from minrepro.browser.waiting import LONG_TIMER, Waits
from minrepro.core.verdicts import Outcome, Verdict
from minrepro.errors import ExecutorLost, InputError, NotFailing
from minrepro.traces.app_replay import CannotFire, ReplayEnd, ReplayOracle
from minrepro.traces.user_events import Event, Trace, canonical

TIMERS = (0.015, 0.1, LONG_TIMER)
"""Timers up to these lengths are waited for after each event; the shortest with which the failure shows will do."""

_LATEST = 30.0
"""Seconds for which a timer of the page is waited for after the last event, if there is no failure before."""

_SHOWN = "`${location.href} shows: ${(document.body?.innerText || '').replace(/\\s+/g, ' ').trim().slice(0, 200)}`"

AfterEvent = Callable[[int, Event | None, ReplayPage], Awaitable[None]]
"""Is told, with the page still there, of each event that was fired, and with no event of the page's start."""


async def _nothing(number: int, event: Event | None, tab: ReplayPage) -> None:
    """Look at nothing after an event."""


@dataclass
class Observation:
    """All that one replay showed."""

    fired: int = 0
    seen: list[tuple[int, PageFailure]] = field(default_factory=list)
    """Each failure with the number of the event after which it showed; 0 while the page was opened."""
    impossible: str = ""
    """Why the last event could not be fired."""
    instead: str = ""
    """What the page showed where the last event could not be fired: its address and its text."""
    picture: bytes | None = None
    """What it looked like then."""
    fresh: bool = False
    """Whether it was in a context in which nothing had happened before."""
    skipped: list[int] = field(default_factory=list)
    """The places of units that could not be done and were left out."""
    pending: float = 0.0
    """How long the longest timer was, in seconds, that had not run out in the end."""

    @property
    def over(self) -> bool:
        """Whether nothing more can be done in the page."""
        return bool(self.impossible) or any(failure.kind in ("crash", "hang") for _, failure in self.seen)

    @property
    def failures(self) -> list[PageFailure]:
        """The failures alone, in their order."""
        return [failure for _, failure in self.seen]


PAUSES = (0.0, 0.0, 0.5, 1.0, 2.0, 4.0)
"""Seconds before each attempt at a replay while its browser ends, or a page that could be opened cannot be any more."""


class Replayer:
    """Replays traces of one recording, several at a time, each in a page of its own."""

    def __init__(
        self,
        chromium: Chromium,
        recording: Recording,
        *,
        predicate: str | None = None,
        reset_command: str | None = None,
        always_fresh: bool = False,
        frames: int = 1,
        hang: float = 20.0,
        stored: Mapping[str, Any] | None = None,
    ) -> None:
        """`stored` is what a context has in it from the start, as Playwright's storageState says it."""
        self.stored = stored
        self.chromium = chromium
        self.recording = recording
        self.manners = Waits(element=recording.timeout, hang=max(hang, recording.timeout + 5))
        self.failure: PageFailure | None = None
        self.signature = ""
        """What every failing replay must show: the failure's signature, or the part of it that a user wants."""
        self.showed_at = 0
        """The number of the event at which the whole session failed."""
        self.ignored: set[str] = set()
        self.finds: dict[str, Trace] = {}
        """Other failures that came up meanwhile, each with the first session that showed it."""
        self.always_fresh = always_fresh or stored is not None
        self.skipping = False
        """Whether a test goes on without what cannot be done; what is confirmed in a fresh context never does."""
        self.needed: frozenset[Event] = frozenset()
        """What is never left out, nor what is equal to it: outcomes are remembered without where an event stood."""
        self.replays = self.events = 0
        """How many replays there were of any kind, and how many units they tried to do."""
        self.followers: list[Callable[[BrowserContext], None]] = []
        """Hear of each context in which something is replayed, before its page is opened."""
        self._tabs: list[ReplayPage] = []
        self.tell_tried: Callable[[Trace], None] = lambda trace: None
        """Hears of each trace that is about to be tested."""
        self._predicate = predicate
        self._reset_command = shlex.split(reset_command) if reset_command else None
        self._frames = frames
        # A page that is used again and again has warm caches: it is not given away for a replay that begins afresh.
        self._idle: dict[bool, queue.SimpleQueue[ReplayPage]] = {False: queue.SimpleQueue(), True: queue.SimpleQueue()}
        self._lock = threading.Lock()
        self._has_opened = False
        self._opens_ahead = False

    @property
    def choices(self) -> dict[str, str]:
        """What decides beside the failure how replays end, by option."""
        asked = {"--expect-js": self._predicate or "", "--before-each": shlex.join(self._reset_command or [])}
        before = [list(self.recording.before), self.stored]
        asked["--before"] = canonical(before) if any(before) else ""
        return {name: value for name, value in asked.items() if value}

    @property
    def watched(self) -> tuple[str, ...]:
        """The kinds of failures that count."""
        chosen_kind = () if self.failure is None else (self.failure.kind,)
        return tuple(dict.fromkeys((*HARD, *chosen_kind)))

    def observe(self, trace: Trace, *, after: AfterEvent = _nothing, stop_at_failure: bool = False) -> Observation:
        """Return all that a replay in a fresh context shows."""
        return self._with_tab(True, lambda tab: self._played(tab, trace, True, after, stop_at_failure))

    def observed_late(self) -> Observation:
        """Return all that a replay of the whole session shows; without a failure, its timers are waited for."""
        whole = self.observe(self.recording.trace)
        if not whole.failures and not whole.impossible and 0 < whole.pending <= _LATEST:
            self.manners.late = whole.pending
            whole = self.observe(self.recording.trace)
        return whole

    def choose(self, wanted: str | None = None, tries: int = 1) -> PageFailure:
        """Settle which failure it is about, by replaying the whole session, and learn how long to wait for the page.

        What shows in some replays only may take more tries to be seen at all.
        """
        for self.manners.timer in (*TIMERS, *[LONG_TIMER] * (tries - len(TIMERS))):
            whole = self.observe(self.recording.trace)
            failure = _chosen(whole, wanted)
            if failure is not None and (wanted is not None or failure.kind in HARD):
                break
        if failure is None and 0 < whole.pending <= _LATEST:
            self.manners.late = whole.pending
            whole = self.observe(self.recording.trace)
            failure = _chosen(whole, wanted)
        if failure is None:
            raise NotFailing(_why_not(whole, wanted, len(self.recording.trace)))
        self.look_for(failure, whole)
        return failure

    def look_for(self, failure: PageFailure, whole: Observation, part: str = "") -> None:
        """Look for a failure that one replay of the whole session showed; what came before it does not count.

        With a part of its signature, all that has the part in it is the same failure.
        """
        before = whole.failures[: whole.failures.index(failure)]
        opened = [other for number, other in whole.seen if number == 0]
        self.ignored = {other.signature for other in (*before, *opened)} - {failure.signature}
        self.failure, self.signature = failure, part or failure.signature
        self.showed_at = next(number for number, other in whole.seen if other == failure)
        tab = self._tab(True)
        self.manners.trust_rest = not tab.came_late
        self.manners.element = min(self.manners.element, max(0.5, 5 * tab.slowest))
        self._idle[True].put(tab)

    def rate(self, runs: int, fresh: bool = False) -> int:
        """Return in how many of so many replays of the whole session the failure shows."""
        return sum(self.judge(self.recording.trace, fresh).outcome is Outcome.FAIL for _ in range(runs))

    def judge(self, trace: Trace, fresh: bool = False) -> Verdict:
        """Return the verdict on a trace."""
        assert self.failure is not None
        verdict = ReplayOracle(lambda given: self.ending(given, fresh), self.signature)(trace)
        seen = verdict.reason.partition(": ")[2]
        if verdict.outcome is Outcome.UNRESOLVED and not seen.startswith("CannotFire"):
            self.finds.setdefault(seen, trace[: verdict.stopped_at])
        return verdict

    def tried(self, trace: Trace) -> Verdict:
        """Return the verdict on a trace, in the quickest way that can be trusted, and tell of it."""
        self.tell_tried(trace)
        return self.judge(trace, self.always_fresh)

    def ending(self, trace: Trace, fresh: bool) -> ReplayEnd:
        """Replay a trace up to the first failure that counts."""
        seen = self._with_tab(fresh, lambda tab: self._played(tab, trace, fresh, _nothing, True))
        failure = self._counting(seen)
        if failure is not None:
            return ReplayEnd(seen.fired, failure.signature, fresh=seen.fresh, skipped=tuple(seen.skipped))
        why = f"CannotFire: {seen.impossible}" if seen.impossible else ""
        return ReplayEnd(seen.fired, why, bool(why), seen.fresh, tuple(seen.skipped))

    def close(self) -> None:
        """Close all pages."""
        for idle in self._idle.values():
            while not idle.empty():
                self.chromium.run(idle.get().drop())

    def _counting(self, seen: Observation) -> PageFailure | None:
        news = [failure for failure in seen.failures if failure.signature not in self.ignored]
        return first_watched(news, self.watched)

    def new_tab(self) -> ReplayPage:
        """Return a page for whoever needs one for longer than a replay, and closes it."""
        opening = (*self.recording.before, *self.recording.opening)
        tab = ReplayPage(self.chromium, opening, self.manners, self._frames, self.stored)
        tab.followers = self.followers
        self._tabs.append(tab)
        return tab

    @property
    def pages_opened(self) -> int:
        """How often the page was opened, also in advance and for nothing."""
        return sum(tab.opened for tab in self._tabs)

    def _tab(self, fresh: bool) -> ReplayPage:
        for idle in (self._idle[True],) if fresh else (self._idle[False], self._idle[True]):
            with suppress(queue.Empty):
                return idle.get_nowait()
        return self.new_tab()

    def _with_tab(self, fresh: bool, work: Callable[[ReplayPage], Awaitable[Observation]]) -> Observation:
        tab = self._tab(fresh)
        # There is one server: where it has state, one replay must end before another begins.
        turn = self._lock if self._reset_command is not None else nullcontext()
        try:
            for pause in PAUSES:
                time.sleep(pause)
                try:
                    with turn:
                        self.reset_server()
                        seen = self.chromium.run(self._worked(work, tab, fresh))
                    self._has_opened = True
                    self.replays, self.events = self.replays + 1, self.events + seen.fired
                    return seen
                except PageGone as error:
                    why = f"the browser keeps exiting ({error})"
                except PageNotOpened as error:
                    if not self._has_opened:
                        raise InputError(str(error)) from None
                    why = str(error)
            raise ExecutorLost(why)
        finally:
            self.always_fresh |= bool(tab.needs_fresh)
            self._idle[fresh].put(tab)

    async def _worked(
        self, work: Callable[[ReplayPage], Awaitable[Observation]], tab: ReplayPage, fresh: bool
    ) -> Observation:
        seen = await work(tab)
        if not fresh and self._opens_ahead and not tab.needs_fresh:
            tab.prepare()
        return seen

    def open_ahead(self, pages: int) -> None:
        """Open pages before they are needed, so many at a time, while others are replayed in."""
        self._opens_ahead = self._reset_command is None and not self.always_fresh
        for _ in range(pages if self._opens_ahead else 0):
            tab = self.new_tab()
            self.chromium.run(_prepared(tab))
            self._idle[False].put(tab)

    def reset_server(self) -> None:
        """Run the command that brings a server's state back, if there is one."""
        if self._reset_command is None:
            return
        try:
            done = subprocess.run(self._reset_command, capture_output=True, timeout=120, check=False)
        except (OSError, subprocess.TimeoutExpired) as error:
            raise InputError(f"--before-each failed: {error}") from None
        if done.returncode:
            said = done.stderr.decode(errors="replace").strip().splitlines()[-1:]
            raise InputError(f"--before-each exited with status {done.returncode}: {' '.join(said)}")

    async def _played(self, tab: ReplayPage, trace: Trace, fresh: bool, after: AfterEvent, stop: bool) -> Observation:
        skipping = self.skipping and stop and (not fresh or self.always_fresh)
        seen = await self.begun(tab, fresh)
        await after(0, None, tab)
        for number, event in enumerate(trace, 1):
            if seen.over or (stop and self._counting(seen) is not None):
                break
            await self.stepped(tab, seen, event, number == len(trace))
            if skipping and seen.impossible and tab.untouched and event not in self.needed:
                seen.skipped.append(number - 1)
                seen.impossible = seen.impossible if number == len(trace) else ""
            if seen.impossible and not stop:
                seen.instead, seen.picture = str(await tab.ask(_SHOWN) or ""), await tab.picture()
            if seen.over:
                break
            await after(number, event, tab)
        return seen

    async def begun(self, tab: ReplayPage, fresh: bool) -> Observation:
        """Open the page in a tab, and return what is seen so far."""
        seen = Observation(fresh=await tab.reset(fresh))
        await self._take(tab, seen, 0)
        return seen

    async def stepped(self, tab: ReplayPage, seen: Observation, event: Event, last: bool) -> None:
        """Fire the next event in a tab, and add what is then seen."""
        seen.fired += 1
        try:
            await tab.fire(event)
            if last:
                await tab.come_to_rest()
                seen.pending = await tab.wait_for_timers(self.manners.late)
        except CannotFire as error:
            seen.impossible = str(error)
        await self._take(tab, seen, seen.fired)

    async def _take(self, tab: ReplayPage, seen: Observation, number: int) -> None:
        """Move what was seen in the page into the observation."""
        if self._predicate is not None and await tab.ask(self._predicate):
            tab.failures.append(PageFailure("predicate", self._predicate))
        known = set(seen.failures) if tab.failures else set()
        for failure in tab.failures:
            if failure not in known:
                known.add(failure)
                seen.seen.append((number, failure))
        tab.failures.clear()


async def _prepared(tab: ReplayPage) -> None:
    tab.prepare()


def _chosen(whole: Observation, wanted: str | None) -> PageFailure | None:
    """Return what a session is about: not what the page shows as soon as it is opened, unless there is nothing else."""
    later = [failure for number, failure in whole.seen if number]
    return chosen(later, wanted) or chosen(whole.failures, wanted)


def _why_not(whole: Observation, wanted: str | None, events: int) -> str:
    if whole.impossible:
        instead = f"\n{printable(whole.instead)}" if whole.instead else ""
        return f"cannot replay event {whole.fired} of {events}: {whole.impossible}{instead}"
    if wanted is not None and whole.failures:
        seen = "\n".join(f"  {failure.signature}" for failure in whole.failures)
        return f"no failure contains {wanted!r}; seen:\n{seen}"
    if whole.pending:
        waited = "; it was waited for" if whole.pending <= _LATEST else f", longer than {_LATEST:g} s are waited"
        late = f"\na timer of {whole.pending:g} s was pending in the end{waited}"
    else:
        late = ""
    whole_session = "the 1 event" if events == 1 else f"all {events} events"
    hint = "hint: if the page shows the failure, describe it with --expect-js 'JavaScript'"
    rare = "hint: if it is flaky, replay more often with --initial-runs 20"
    return f"no failure in a replay of {whole_session}{late}\n{hint}\n{rare}"
