"""How progress is shown: a live display on a terminal, plain lines elsewhere. Listeners of a run."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO

from minrepro.core.events import Accepted, Listener, Resized, RunEvent, Started, Tally, Tested, Warned
from minrepro.core.verdicts import Outcome

_SECONDS_BETWEEN_LINES = 2.0
OUTCOMES = {Outcome.FAIL: "reproduced", Outcome.PASS: "not reproduced", Outcome.UNRESOLVED: "unresolved"}
"""How outcomes are called when they are counted."""


class ProgressState:
    """What the notices so far add up to."""

    def __init__(self) -> None:
        self.began = time.monotonic()
        self.tally = Tally()
        self.before = self.now = 0
        self.label = ""
        self.curve: list[int] = []
        self.cluster = ""

    def __call__(self, notice: RunEvent) -> None:
        self.tally(notice)
        match notice:
            case Started(size):
                self.before = self.now = size
                self.curve = [size]
            case Accepted(size=size, smallest=True, outcome=Outcome.FAIL):
                self.now = size
                if size != self.curve[-1]:
                    self.curve.append(size)
            case Tested(label=label):
                self.label = label
            case Resized(workers, slots):
                self.cluster = f"{workers:,} workers, {slots:,} checks in parallel"
            case _:
                pass

    @property
    def seconds(self) -> float:
        return time.monotonic() - self.began

    @property
    def share(self) -> str:
        return share(self.now, self.before)

    @property
    def outcomes(self) -> str:
        return ", ".join(f"{count} {OUTCOMES[outcome]}" for outcome, count in self.tally.outcomes.items())

    def sizes(self) -> str:
        """Return the sizes that were passed on the way, thinned out to a handful."""
        curve = self.curve
        step = max(1, len(curve) // 6)
        shown = curve[::step][:7]
        return " → ".join(f"{size:,}" for size in (shown if shown[-1:] == curve[-1:] else [*shown, curve[-1]]))


def share(part: int, whole: int) -> str:
    """Return a part of a whole as a percentage."""
    percent = 100 * part / whole if whole else 100.0
    return f"{percent:.0f}%" if percent >= 10 else f"{percent:.1f}%" if percent >= 0.1 else f"{percent:.2g}%"


class Lines:
    """Reports progress in plain lines, a few seconds apart."""

    def __init__(self, stream: TextIO, unit: str = "bytes") -> None:
        self._story = ProgressState()
        self._stream = stream
        self._unit = unit
        self._last = 0.0

    def __call__(self, notice: RunEvent) -> None:
        story = self._story
        story(notice)
        if isinstance(notice, Started):
            self._say(f"input: {story.before:,} {self._unit}")
        elif isinstance(notice, Warned):
            self._say(f"warning: {notice.text}")
        elif isinstance(notice, Resized):
            self._say(story.cluster)
        elif isinstance(notice, Accepted) and story.seconds - self._last > _SECONDS_BETWEEN_LINES:
            self._last = story.seconds
            self._say(
                f"{story.now:,} {self._unit} ({story.share}) after {story.seconds:.0f} s; "
                f"{story.tally.tests:,} checks, {story.tally.remembered:,} cache hits; {story.label}"
            )

    def _say(self, line: str) -> None:
        print(f"minrepro: {line}", file=self._stream, flush=True)


class Warnings:
    """Reports nothing but warnings."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def __call__(self, notice: RunEvent) -> None:
        if isinstance(notice, Warned):
            print(f"minrepro: warning: {notice.text}", file=self._stream, flush=True)


@contextmanager
def shown(quiet: bool, unit: str = "bytes", stream: TextIO | None = None) -> Iterator[Listener]:
    """Yield a listener that shows a run as the stream allows (standard error, unless another is given)."""
    stream = stream or sys.stderr
    if quiet:
        yield Warnings(stream)
    elif stream.isatty():
        from minrepro.cli.live_display import displayed  # what draws on terminals takes a while to load

        with displayed(ProgressState(), unit, stream) as display:
            yield display
    else:
        yield Lines(stream, unit)
