"""A memory of replays that is also on disk, so that a reduction which was cut short goes on where it was.

The algorithm sees nothing but verdicts: begun anew with the same ones it comes to the same place without a replay.
"""

from __future__ import annotations

import json
from collections.abc import Hashable
from pathlib import Path

from minrepro.errors import OutputError
from minrepro.search import Outcome, Verdict
from minrepro.traces.events import Trace
from minrepro.traces.memory import PrefixMemory


class KeptMemory(PrefixMemory):
    """Remembers verdicts by prefix, and writes each into a file."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self._path = path
        self.restored = 0
        """How many verdicts came from the file."""

    def restore(self, trace: Trace) -> None:
        """Take in the verdicts in the file, as far as they are about events of this trace."""
        known = {event.key: event for event in trace}
        try:
            lines = self._path.read_text(encoding="utf-8").splitlines()
        except OSError:
            return
        for line in lines:
            try:
                keys, outcome, reason, fired = json.loads(line)
                verdict = Verdict(Outcome(outcome), reason, stopped_at=fired)
                events = tuple(known[key] for key in keys)
            except (ValueError, KeyError, TypeError):
                continue  # the end of a file that was cut short, or a trace whose arguments had been made smaller
            super().remember(events, verdict)
            self.restored += 1

    def remember(self, key: Hashable, verdict: Verdict) -> None:
        """Keep a verdict, here and in the file."""
        super().remember(key, verdict)
        if not isinstance(key, tuple):
            return
        fired = verdict.stopped_at
        line = json.dumps([[event.key for event in key], verdict.outcome.value, verdict.reason, fired])
        try:
            with self._path.open("a", encoding="utf-8") as file:
                file.write(line + "\n")
        except OSError as error:
            raise OutputError(f"cannot write {self._path}: {error.strerror}") from None

    def forget(self) -> None:
        """Forget everything, on disk too."""
        super().forget()
        self._path.unlink(missing_ok=True)
