"""Remembers outcomes of traces by prefix, so that most candidates need no replay.

Replay is deterministic from a fresh start. Hence a prefix of a trace that passed passes; a trace that begins with one
that failed, or became unresolved, at its last event has that outcome, whatever follows; what preceded the event passes.
(Elyasov et al. 2014, section 3.1, where only passes and unresolved traces were kept.)

Traces are kept as texts with one character for each different event, in two sorted lists. In the list of passes a trace
is a prefix of one that is known exactly when it is a prefix of its successor. The list of stopped traces never holds a
prefix of another, so that only the predecessor of a trace can be its prefix. Both questions are one binary search over
texts, which stays cheap for a hundred thousand traces of a thousand events.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections.abc import Hashable

from minrepro.core.verdicts import Outcome, Verdict
from minrepro.engine.memory import Memory
from minrepro.traces.user_events import Trace


class PrefixMemory(Memory):
    """Knows the verdict of every trace that was replayed, and of all that follow from them."""

    def __init__(self) -> None:
        super().__init__()
        self._characters: dict[str, str] = {}
        self._passed: list[str] = []
        self._stopped: list[str] = []
        self._verdicts_at: dict[str, Verdict] = {}
        self._by_prefix = True

    def recall(self, key: Hashable, limit: float | None = None) -> Verdict | None:
        """Return the verdict of a trace, if it was seen or follows from what was seen."""
        if not isinstance(key, tuple) or not self._by_prefix:
            return super().recall(key, limit)
        text = self._text(key)
        at = bisect_left(self._passed, text)
        if at < len(self._passed) and self._passed[at].startswith(text):
            return Verdict(
                Outcome.PASS, "a longer trace that starts with this one does not reproduce", stopped_at=len(text)
            )
        stopped = self._stopping(text)
        if stopped is None:
            return None
        verdict = self._verdicts_at[stopped]
        if verdict.limit is not None and limit is not None and limit > 1.5 * verdict.limit:
            return None
        return verdict

    def remember(self, key: Hashable, verdict: Verdict) -> None:
        """Keep the verdict of a trace, and where it says at which event it stopped, what that tells of others."""
        if not isinstance(key, tuple) or not self._by_prefix:
            super().remember(key, verdict)
            return
        text = self._text(key)
        fired = len(text) if verdict.stopped_at is None else verdict.stopped_at
        if verdict.outcome is Outcome.PASS:
            self._keep_passed(text)
        else:
            fired = min(fired, len(text))
            self._keep_stopped(text[:fired], verdict)
            # Only a replay that said where it stopped has shown that all before was well.
            if fired and verdict.stopped_at is not None:
                self._keep_passed(text[: fired - 1])

    def forget(self) -> None:
        """Forget everything, because it was not to be relied on."""
        super().forget()
        self._passed.clear()
        self._stopped.clear()
        self._verdicts_at.clear()

    def distrust(self) -> None:
        """Remember whole traces only from now on."""
        self.forget()
        self._by_prefix = False

    def shortest_failing(self, trace: Trace) -> Trace:
        """Return the trace without the events behind its failure, as far as that is known."""
        stopped = self._stopping(self._text(trace))
        if stopped is None or self._verdicts_at[stopped].outcome is not Outcome.FAIL:
            return trace
        return trace[: len(stopped)]

    def __len__(self) -> int:
        return super().__len__() + len(self._passed) + len(self._stopped)

    def _text(self, events: Trace) -> str:
        try:
            return "".join([self._characters[event.key] for event in events])
        except KeyError:
            for event in events:
                if event.key not in self._characters:
                    number = len(self._characters)
                    # The surrogates are left out: they may not stand in a text.
                    self._characters[event.key] = chr(number if number < 0xD800 else number + 0x800)
            return "".join([self._characters[event.key] for event in events])

    def _stopping(self, text: str) -> str | None:
        """Return the stopped trace that a trace begins with."""
        at = bisect_right(self._stopped, text) - 1
        return self._stopped[at] if at >= 0 and text.startswith(self._stopped[at]) else None

    def _keep_passed(self, text: str) -> None:
        at = bisect_left(self._passed, text)
        if at < len(self._passed) and self._passed[at].startswith(text):
            return
        # A prefix of a new trace stands directly before it, and is not needed beside it.
        if at and text.startswith(self._passed[at - 1]):
            self._passed[at - 1] = text
        else:
            self._passed.insert(at, text)

    def _keep_stopped(self, text: str, verdict: Verdict) -> None:
        if (known := self._stopping(text)) is not None and known != text:
            return
        if text not in self._verdicts_at:
            begin = bisect_left(self._stopped, text)
            end = begin
            while end < len(self._stopped) and self._stopped[end].startswith(text):
                del self._verdicts_at[self._stopped[end]]
                end += 1
            del self._stopped[begin:end]
            insort(self._stopped, text)
        self._verdicts_at[text] = verdict
