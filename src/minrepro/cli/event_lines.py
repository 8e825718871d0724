"""What happens in a reduction, for programs: one JSON object per line, flushed at once."""

from __future__ import annotations

import json
from typing import TextIO

from minrepro.cli.progress_state import ProgressState
from minrepro.core.events import Accepted, Noted, Resized, RunEvent, Started, Tested, Warned

SCHEMA = 1
"""The version of the events and of the summary; it changes when a key is renamed or removed, not when one is added."""
_SECONDS_BETWEEN_LINES = 2.0


class EventLines:
    """Prints the start, every accepted candidate, every warning, and every few seconds where the reduction stands."""

    def __init__(self, stream: TextIO, unit: str = "bytes") -> None:
        self._state = ProgressState()
        self._stream = stream
        self._unit = unit
        self._last = 0.0

    def __call__(self, notice: RunEvent) -> None:
        state = self._state
        state(notice)
        match notice:
            case Started(size):
                self._print("started", schema=SCHEMA, unit=self._unit, size=size)
            case Warned(text):
                self._print("warning", text=text)
            case Noted(text):
                self._print("note", text=text)
            case Resized(workers, slots):
                self._print("workers", workers=workers, parallel_checks=slots)
            case Accepted(smallest=True, label=label):
                self._tell("accepted", label)
            case Tested() if state.seconds - self._last > _SECONDS_BETWEEN_LINES:
                self._tell("progress", state.label)
            case _:
                pass

    def _tell(self, event: str, step: str) -> None:
        state = self._state
        self._last = state.seconds
        counts = {"checks": state.tally.tests, "cache_hits": state.tally.remembered}
        self._print(event, size=state.now, **counts, seconds=round(state.seconds, 3), step=step)

    def _print(self, event: str, **facts: object) -> None:
        print(json.dumps({"event": event, **facts}), file=self._stream, flush=True)
