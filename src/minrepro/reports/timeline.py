"""The course of a run, step by step: what the report is made of. Kept while a run goes on, or read from its journal."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from minrepro.core.events import Accepted, Ended, RunEvent, Tested
from minrepro.core.verdicts import Outcome
from minrepro.runs.history.journal import as_it_is
from minrepro.runs.history.recorded_run import AcceptedStep, RecordedRun


@dataclass(frozen=True, slots=True)
class TimelineStep:
    """Something smaller was accepted: after so many tests and seconds, and as what."""

    tests: int
    seconds: float
    step: AcceptedStep


@dataclass
class PassCost:
    """What a pass or an algorithm has cost and saved."""

    steps: int = 0
    saved: int = 0
    tests: int = 0
    seconds: float = 0.0


@dataclass
class Timeline:
    """The course of a run from its first content; a listener of the run."""

    original: bytes
    moments: list[TimelineStep] = field(default_factory=list)
    earnings: dict[str, PassCost] = field(default_factory=dict)
    tests: int = 0
    seconds: float = 0.0
    seconds_mean: str = "seconds"
    """What the seconds are: of a clock, or of the tests added up."""
    clock: Callable[[], float] = time.monotonic
    encode: Callable[[Any], bytes] = as_it_is
    """Gives the bytes that stand for a case."""
    measure: Callable[[bytes], int] = len
    """Gives the size of what bytes stand for."""

    def __post_init__(self) -> None:
        self._began = self.clock()
        self.last = self.original
        """The content accepted last."""

    def __call__(self, notice: RunEvent) -> None:
        if isinstance(notice, Tested) and not notice.remembered:
            self.tests += 1
            earned = self.earnings.setdefault(notice.label, PassCost())
            earned.tests += 1
            earned.seconds += notice.verdict.seconds
        elif isinstance(notice, Accepted) and notice.outcome is Outcome.FAIL and notice.smallest:
            self.seconds = self.clock() - self._began
            step = AcceptedStep.between(
                self.last, self.encode(notice.case), notice.label, notice.outcome, notice.smallest, notice.size
            )
            self.add(TimelineStep(self.tests, self.seconds, step))

        elif isinstance(notice, Ended):
            self.seconds = self.clock() - self._began

    def add(self, moment: TimelineStep) -> None:
        """Take the next accepted content into account."""
        before, self.last = self.last, moment.step.applied(self.last)
        if self.last != before or not self.moments:
            self.moments.append(moment)
            earned = self.earnings.setdefault(moment.step.label, PassCost())
            earned.steps += self.last != before
            earned.saved += self.measure(before) - self.measure(self.last)


def from_story(story: RecordedRun, original: bytes, measure: Callable[[bytes], int] = len) -> Timeline:
    """Return the course of a run as its journal tells it; journals know no clock, so the seconds of tests are added."""
    chronicle = Timeline(original, seconds_mean="seconds in checks", measure=measure)
    content = original
    for step in story.steps:
        if step.outcome is Outcome.FAIL:
            content = step.applied(content)
            if step.smallest:
                shown = AcceptedStep.between(
                    chronicle.last, content, step.label, step.outcome, step.smallest, step.size
                )
                chronicle.add(TimelineStep(step.tests, step.seconds, shown))
    chronicle.tests = story.tests if story.counts is None else story.counts.checks
    chronicle.seconds = story.seconds_in_tests
    return chronicle
