"""What the events of a run so far add up to."""

from __future__ import annotations

import time
from dataclasses import dataclass

from minrepro.core.events import Accepted, Resized, RunControl, RunEvent, Started, Tally, Tested
from minrepro.core.plurals import counted
from minrepro.core.verdicts import Outcome

OUTCOMES = {Outcome.FAIL: "reproduced", Outcome.PASS: "not reproduced", Outcome.UNRESOLVED: "unresolved"}
"""How outcomes are called when they are counted."""


@dataclass
class PassGain:
    """What a pass or an algorithm has cost and gained."""

    checks: int = 0
    removed: int = 0


class ProgressState:
    """What the notices so far add up to."""

    def __init__(self) -> None:
        self.began = time.monotonic()
        self.tally = Tally()
        self.before = self.now = 0
        self.label = ""
        self.points: list[tuple[int, int]] = []
        """From how many checks on the best so far had which size."""
        self.passes: dict[str, PassGain] = {}
        self.control: RunControl | None = None
        self.cluster = ""
        self.containment = ""

    def __call__(self, notice: RunEvent) -> None:
        self.tally(notice)
        match notice:
            case Started(size, control, containment):
                self.containment = containment
                self.before = self.now = size
                self.points = [(0, size)]
                self.control = control
            case Accepted(size=size, label=label, smallest=True, outcome=Outcome.FAIL):
                if size != self.now:
                    self.points.append((self.tally.tests, size))
                    self.passes.setdefault(label, PassGain()).removed += self.now - size
                self.now = size
            case Tested(label=label, remembered=remembered):
                self.label = label
                self.passes.setdefault(label, PassGain()).checks += not remembered
            case Resized(workers, slots):
                self.cluster = f"{counted(workers, 'workers')}, {counted(slots, 'checks')} in parallel"
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


def share(part: int, whole: int) -> str:
    """Return a part of a whole as a percentage."""
    percent = 100 * part / whole if whole else 100.0
    return f"{percent:.0f}%" if percent >= 10 else f"{percent:.1f}%" if percent >= 0.1 else f"{percent:.2g}%"
