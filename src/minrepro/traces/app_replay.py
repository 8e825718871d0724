"""Replays traces on an application: all that is needed is an object with `reset()` and `fire(event)`.

What goes wrong is told apart by its signature: the exception, the death or the hang of the application, as text. The
failure is what the first trace ended with, unless it is given; anything else that goes wrong is unresolved.
"""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Callable
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import NamedTuple, Protocol

from minrepro.core.verdicts import Outcome, Verdict
from minrepro.traces.user_events import Event, Trace


class Replay(Protocol):
    """An application that can be brought to a fresh start and be sent events."""

    def reset(self) -> None:
        """Begin afresh: nothing of what happened before may show."""
        ...

    def fire(self, event: Event) -> None:
        """Do what the event says; raise what goes wrong, and CannotFire when the event is not possible now."""
        ...


class CannotFire(Exception):
    """An event that is not possible in the state that the application is in, or not known to it at all."""


class ReplayEnd(NamedTuple):
    """How a replay ended: how many events were fired, and what went wrong at the last of them."""

    fired: int
    signature: str = ""
    """Empty when all went well."""
    impossible: bool = False
    """Whether the last event could not be fired at all."""
    fresh: bool = False
    """Whether nothing had happened before it, not even in an earlier replay."""
    skipped: tuple[int, ...] = ()
    """The places of events that could not be fired and were left out."""


Player = Callable[[Trace], ReplayEnd]


def played(
    replay: Replay, trace: Trace, tell: Callable[[int], None] = lambda fired: None, skipping: bool = False
) -> ReplayEnd:
    """Replay a trace from a fresh start up to the first thing that goes wrong; `tell` hears before each event.

    When skipping, what cannot be fired is left out, and only where that is the last event does it decide.
    """
    replay.reset()
    skipped: list[int] = []
    for number, event in enumerate(trace, 1):
        tell(number)
        try:
            replay.fire(event)
        except CannotFire as error:
            if skipping:
                skipped.append(number - 1)
            if not skipping or number == len(trace):
                return ReplayEnd(number, _signature(error), impossible=True, skipped=tuple(skipped))
        except Exception as error:
            return ReplayEnd(number, _signature(error), skipped=tuple(skipped))
    return ReplayEnd(len(trace), skipped=tuple(skipped))


def _signature(error: Exception) -> str:
    text = " ".join(str(error).split())
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


class ReplayOracle:
    """Judges a trace by replaying it."""

    def __init__(self, player: Player, failure: str | None = None) -> None:
        """The failure is a part of its signature; None: whatever the first trace ends with."""
        self._player = player
        self.failure = failure

    @classmethod
    def of(cls, replay: Replay, failure: str | None = None, skipping: bool = False) -> ReplayOracle:
        """Return the oracle that replays in this process; when skipping, without what cannot be fired."""
        return cls(lambda trace: played(replay, trace, skipping=skipping), failure)

    def __call__(self, trace: Trace) -> Verdict:
        """Return the verdict on a trace."""
        begin = time.perf_counter()
        ending = self._player(trace)
        seconds = time.perf_counter() - begin
        if self.failure is None and ending.signature and not ending.impossible:
            self.failure = ending.signature
        if not ending.signature:
            outcome, reason = Outcome.PASS, "no failure"
        else:
            same = not ending.impossible and self.failure is not None and self.failure in ending.signature
            outcome = Outcome.FAIL if same else Outcome.UNRESOLVED
            reason = f"event {ending.fired}: {ending.signature}"
        return Verdict(outcome, reason, seconds, stopped_at=ending.fired, fresh=ending.fresh, skipped=ending.skipped)


class IsolatedReplay:
    """Replays in a process of its own, which may hang or die without taking this one with it."""

    def __init__(self, make: Callable[[], Replay], limit: float = 60.0) -> None:
        """`make` must be importable in another process; an event may take so many seconds."""
        self._make = make
        self._limit = limit
        self._process: BaseProcess | None = None
        self._line: Connection | None = None

    def __call__(self, trace: Trace) -> ReplayEnd:
        """Replay a trace, and start a new process for the next one if this does not survive it."""
        line = self._ready()
        reached = 0
        try:
            line.send(trace)
            while True:
                if not line.poll(self._limit):
                    self.close()
                    return ReplayEnd(max(reached, 1), f"hung for {self._limit:g} s")
                message = line.recv()
                if isinstance(message, ReplayEnd):
                    return message
                reached = message
        except (EOFError, ConnectionError):
            process = self._process
            if process is not None:
                process.join()
            status = process.exitcode if process is not None else None
            self.close()
            return ReplayEnd(max(reached, 1), f"died with exit status {status}")

    def close(self) -> None:
        """End the process."""
        if self._process is not None:
            self._process.kill()
            self._process.join()
            self._process.close()
        if self._line is not None:
            self._line.close()
        self._process = self._line = None

    def _ready(self) -> Connection:
        if self._line is None:
            # Spawned, not forked: a copy of this process could hold locks that nobody will open.
            context = multiprocessing.get_context("spawn")
            here, there = context.Pipe()
            self._process = context.Process(target=_serve, args=(there, self._make), daemon=True)
            self._process.start()
            there.close()
            self._line = here
        return self._line


def _serve(line: Connection, make: Callable[[], Replay]) -> None:
    replay = make()
    while True:
        try:
            trace = line.recv()
        except EOFError:
            return
        line.send(played(replay, trace, line.send))
