"""What the events of a run so far add up to."""

from __future__ import annotations

import time

from minrepro.core.events import Accepted, Resized, RunEvent, Started, Tally, Tested
from minrepro.core.verdicts import Outcome

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
