"""Remembers outcomes of traces by prefix, so that most candidates need no replay.

Replay is deterministic from a fresh start. Hence a prefix of a trace that passed passes; a trace that begins with one
that failed, or became unresolved, at its last event has that outcome, whatever follows; what preceded the event passes.
(Elyasov et al. 2014, section 3.1, where only passes and unresolved traces were kept.) A replay may also leave out an
event that cannot be fired: then the same beginning with the same event behind it is known to go on without it.

Traces are kept as texts with one character for each different event, in two sorted lists. In the list of passes a trace
is a prefix of one that is known exactly when it is a prefix of its successor. The list of stopped traces never holds a
prefix of another, so that only the predecessor of a trace can be its prefix. Both questions are one binary search over
texts, which stays cheap for a hundred thousand traces of a thousand events.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections.abc import Hashable
from dataclasses import replace

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
        text, skipped, stopped = self._fired(key)
        if stopped is not None:
            verdict = self._verdicts_at[stopped]
            if verdict.limit is not None and limit is not None and limit > 1.5 * verdict.limit:
                return None
            if not skipped:
                return verdict
            return replace(verdict, skipped=tuple(skipped), stopped_at=_place(len(stopped), skipped))
        at = bisect_left(self._passed, text)
        if at == len(self._passed) or not self._passed[at].startswith(text):
            return None
        if len(key) - 1 in skipped:
            told = self._verdicts_at[text + self._text(key[-1:])].reason
            return Verdict(Outcome.UNRESOLVED, told, stopped_at=len(key), skipped=tuple(skipped))
        reason = "a longer trace that starts with this one does not reproduce"
        return Verdict(Outcome.PASS, reason, stopped_at=len(key), skipped=tuple(skipped))

    def remember(self, key: Hashable, verdict: Verdict) -> None:
        """Keep the verdict of a trace, and where it says at which event it stopped, what that tells of others."""
        if not isinstance(key, tuple) or not self._by_prefix:
            super().remember(key, verdict)
            return
        text = self._text(key)
        fired = len(text) if verdict.stopped_at is None else min(verdict.stopped_at, len(text))
        if verdict.skipped and verdict.skipped[-1] >= fired:  # a check may say what it likes
            verdict = replace(verdict, skipped=tuple(place for place in verdict.skipped if place < fired))
        done = self._keep_skipped(text, verdict)
        if verdict.outcome is Outcome.PASS or fired - 1 in verdict.skipped:
            self._keep_passed(done)
        else:
            done = done[: fired - len(verdict.skipped)]
            self._keep_stopped(done, replace(verdict, skipped=()))
            # Only a replay that said where it stopped has shown that all before was well.
            if done and verdict.stopped_at is not None:
                self._keep_passed(done[:-1])

    def _keep_skipped(self, text: str, verdict: Verdict) -> str:
        """Keep which events a replay could not fire and after what; return the trace without them."""
        done, begin = "", 0
        for place in verdict.skipped:
            done, begin = done + text[begin:place], place + 1
            told = verdict.reason if begin == verdict.stopped_at else f"event {begin}: cannot be fired"
            self._keep_stopped(done + text[place], Verdict(Outcome.UNRESOLVED, told, skipped=(len(done),)))
        return done + text[begin:]

    def _fired(self, trace: Trace) -> tuple[str, list[int], str | None]:
        """Return what would be fired of a trace, the places of what would not be, and where it would stop, if known."""
        text, places, skipped = self._text(trace), list(range(len(trace))), list[int]()
        while (stopped := self._stopping(text)) is not None and self._verdicts_at[stopped].skipped:
            place = len(stopped) - 1
            skipped.append(places.pop(place))
            text = text[:place] + text[place + 1 :]
        return text, skipped, stopped

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
        """Return the trace without what was not fired, or came behind its failure, as far as that is known."""
        if not self._by_prefix:
            return trace
        _, skipped, stopped = self._fired(trace)
        if stopped is None or self._verdicts_at[stopped].outcome is not Outcome.FAIL:
            return trace
        left_out = set(skipped)
        return tuple(event for i, event in enumerate(trace) if i not in left_out)[: len(stopped)]

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


def _place(fired: int, skipped: list[int]) -> int:
    """Return how far in a trace the event is that was fired as the nth, beside those that were skipped."""
    for place in skipped:
        fired += place < fired
    return fired
