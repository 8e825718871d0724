"""What happens in a run, as records: the progress display, the summary and the result on disk all live on them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from minrepro.core.verdicts import Outcome, Verdict


@dataclass(frozen=True, slots=True)
class Started:
    """A run begins with a case of this size."""

    size: int


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


@dataclass(frozen=True, slots=True)
class Warned:
    """Something that the user should know, but that does not end the run."""

    text: str


@dataclass(frozen=True, slots=True)
class Resized:
    """Workers have come or gone: how many there are, and how many tests they can run at a time."""

    workers: int
    slots: int


@dataclass(frozen=True, slots=True)
class Ended:
    """The run is over, for this reason."""

    why: str
    size: int


RunEvent = Started | Tested | Accepted | Warned | Resized | Ended
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
    warnings: list[str] = field(default_factory=list)

    def __call__(self, notice: RunEvent) -> None:
        if isinstance(notice, Tested):
            if notice.remembered:
                self.remembered += 1
            else:
                self.tests += 1
                self.outcomes[notice.verdict.outcome] += 1
                self.seconds_in_tests += notice.verdict.seconds
        elif isinstance(notice, Accepted):
            self.accepted += 1
        elif isinstance(notice, Warned):
            self.warnings.append(notice.text)


def tell_each(*listeners: Listener) -> Listener:
    """Tell several listeners, one after the other."""

    def tell(notice: RunEvent) -> None:
        for listener in listeners:
            listener(notice)

    return tell
