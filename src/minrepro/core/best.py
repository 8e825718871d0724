"""The best so far: the one place that knows what a run would give back now, and what it can go back to."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar

from minrepro.core.events import Accepted, StepKind
from minrepro.core.verdicts import Outcome, Verdict

C = TypeVar("C")

LONGEST_TRAIL = 32


class Best(Generic[C]):
    """What a run has come to; whoever writes it, watches it or sends the run back asks here."""

    def __init__(
        self,
        former: C | None = None,
        *,
        confirmed: C | None = None,
        size_of: Callable[[Any], int] = len,
        replaying: Callable[[], bool] = lambda: False,
    ) -> None:
        """`former` is what an earlier session of the run had come to.

        While `replaying`, all that is accepted is what that session had accepted.
        """
        self.failing: C | None = None
        """The smallest failing case since the run was begun or resumed, from which it goes on."""
        self.passing: C | None = None
        """The passing side, when a difference is isolated."""
        self.confirmed = confirmed
        """The last case that also failed from nothing, where that is asked for."""
        self.trail: list[C] = []
        """What was the best at some time, the input first and the present best last; thinned out in between."""
        self.replaying = replaying
        self._former = former
        self._size_of = size_of
        self._is_formatted = False

    @property
    def result(self) -> C | None:
        """What a run that is stopped now gives back."""
        former, failing = self._former, self.failing
        if former is None or failing is None or self._is_formatted or self._size_of(failing) <= self._size_of(former):
            return failing
        return former

    def of(self, outcome: Outcome) -> C | None:
        """Return the result on the side of an outcome."""
        return self.passing if outcome is Outcome.PASS else self.result

    def accept(self, case: C, label: str, verdict: Verdict, kind: StepKind = StepKind.STEP) -> Accepted:
        """Go on from a failing case, which is the best if none is smaller; its verdict comes with it."""
        size = self._size_of(case)
        smallest = self.failing is None or kind is StepKind.FORMATTED or size <= self._size_of(self.failing)
        if smallest:
            self.failing = case
            self._is_formatted = kind is StepKind.FORMATTED
            self._leave_a_trace(case)
        return Accepted(case, size, label, smallest=smallest, signature=verdict.signature, kind=kind)

    def move(self, case: C, outcome: Outcome, label: str, kind: StepKind = StepKind.STEP) -> Accepted:
        """Go on from a case as one of the two sides of a difference."""
        if outcome is Outcome.FAIL:
            self.failing = case
        else:
            self.passing = case
        return Accepted(case, self._size_of(case), label, outcome, kind=kind)

    def retract(self, case: C, verdict: Verdict) -> Accepted:
        """Go back to an earlier case, because what came after it was luck."""
        if not self.replaying():
            self._former = None
        self.failing = None
        while self.trail and self.trail[-1] != case:
            self.trail.pop()
        return self.accept(case, "taken back", verdict, StepKind.RETRACTED)

    def settle(self, case: C) -> None:
        """Have as the best what a search made, in the end, of what the run gave back."""
        self.failing = case

    def start_over(self) -> None:
        """Go back to before the input was accepted."""
        self.failing = None
        self.trail.clear()

    def give_up_unconfirmed(self) -> None:
        """Have what was confirmed last as the result."""
        self.failing = self.confirmed

    def _leave_a_trace(self, case: C) -> None:
        if self.trail and self.trail[-1] == case:
            return
        self.trail.append(case)
        if len(self.trail) > LONGEST_TRAIL:
            del self.trail[1 : LONGEST_TRAIL // 2 : 2]
