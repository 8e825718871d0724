"""What happens in a run, as records: the progress display, the summary and the result on disk all live on them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Protocol

from minrepro.core.verdicts import Outcome, Verdict


class End(Enum):
    """Why a run is over; the values stand in journals."""

    FINISHED = "finished"
    """There is nothing left to do."""
    TESTS_SPENT = "tests spent"
    SECONDS_SPENT = "seconds spent"
    INTERRUPTED = "interrupted"
    """By Ctrl-C."""
    TERMINATED = "terminated"
    """By SIGTERM."""
    HUNG_UP = "hung up"
    """By SIGHUP."""
    EXECUTOR_LOST = "executor lost"
    """Nobody stopped it, but no test could be run any more."""
    STOPPED = "stopped"
    """By the person who watches it, or a program that had begun it."""

    @property
    def budget_spent(self) -> bool:
        """Whether it would have gone on with a larger budget."""
        return self in (End.TESTS_SPENT, End.SECONDS_SPENT)


class StepKind(Enum):
    """What an accepted case is to its run."""

    INPUT = "input"
    """What the run began with."""
    STEP = "step"
    """What a search has found."""
    EMPTY = "empty"
    """Nothing at all, which fails as well."""
    RESULT = "result"
    """An algorithm's last word, where it had not been tested."""
    RETRACTED = "retracted"
    """An earlier case, to which the run has gone back because what came after it was luck."""
    FORMATTED = "formatted"
    """The result as a formatter has it, whatever its size."""


class RunControl(Protocol):
    """What may be asked of a run while it goes on, from any thread."""

    def under_way(self) -> list[tuple[str, int]]:
        """Return for each test that is under way what it belongs to and the size of its case."""
        ...

    def pause(self, paused: bool) -> None:
        """Begin no more tests, or begin them again."""
        ...

    def stop(self, why: str, end: End = End.STOPPED) -> None:
        """End the run at the next moment; what was found is kept."""
        ...


@dataclass(frozen=True, slots=True)
class Started:
    """A run begins with a case of this size."""

    size: int
    control: RunControl | None = field(default=None, compare=False)
    containment: str = ""
    """In words, what keeps checks from all that is not theirs; empty where they are no processes."""


@dataclass(frozen=True, slots=True)
class Tested:
    """A candidate's verdict is known; `remembered` when no test had to be run for it."""

    verdict: Verdict
    size: int
    label: str
    remembered: bool = False


@dataclass(frozen=True, slots=True)
class Accepted:
    """A candidate had the outcome that was wanted, and the run goes on from it."""

    case: Any
    size: int
    label: str
    outcome: Outcome = Outcome.FAIL
    smallest: bool = True
    """Whether it is the smallest failing case so far, which is what a run that is stopped now gives back."""
    signature: str = ""
    """What its failure looks like, where failures can be told from each other."""
    kind: StepKind = StepKind.STEP


@dataclass(frozen=True, slots=True)
class Warned:
    """Something that the user should know, but that does not end the run."""

    text: str


@dataclass(frozen=True, slots=True)
class Noted:
    """Something about how the run goes on that is good to know."""

    text: str


@dataclass(frozen=True, slots=True)
class Resized:
    """Workers have come or gone: how many there are, and how many tests they can run at a time."""

    workers: int
    slots: int


@dataclass(frozen=True, slots=True)
class Ended:
    """The run is over, for this reason, as words and as one of a few."""

    why: str
    size: int
    end: End = End.FINISHED


RunEvent = Started | Tested | Accepted | Warned | Noted | Resized | Ended
Listener = Callable[[RunEvent], None]


def ignore(notice: RunEvent) -> None:
    """Listen to nothing."""


@dataclass
class Tally:
    """Counts what a run did; itself a listener."""

    tests: int = 0
    remembered: int = 0
    seconds_in_tests: float = 0.0
    outcomes: dict[Outcome, int] = field(default_factory=lambda: dict.fromkeys(Outcome, 0))
    accepted: int = 0
    iterations: int = 0
    """How often ddmin went through its parts; 0 for other algorithms."""
    warnings: list[str] = field(default_factory=list)

    def __call__(self, notice: RunEvent) -> None:
        if isinstance(notice, Tested):
            self.count(notice.verdict, notice.remembered)
        elif isinstance(notice, Accepted):
            self.accepted += 1
        elif isinstance(notice, Warned):
            self.warnings.append(notice.text)

    def count(self, verdict: Verdict, remembered: bool) -> None:
        """Count a verdict that was found, or remembered."""
        if remembered:
            self.remembered += 1
        else:
            self.tests += 1
            self.outcomes[verdict.outcome] += 1
            self.seconds_in_tests += verdict.seconds


def tell_each(*listeners: Listener) -> Listener:
    """Tell several listeners, one after the other."""

    def tell(notice: RunEvent) -> None:
        for listener in listeners:
            listener(notice)

    return tell
