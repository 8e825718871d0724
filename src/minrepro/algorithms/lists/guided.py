"""Group testing with a guess at what is not needed: the guess is doubted piece by piece, never as a whole.

Somebody (rules mined from logs, say) proposes steps, each of which removes some units. All steps together are tested
once. If the failure is lost, a step that loses it is found by bisection and left out, and the rest is tried again: a
wrong step costs a logarithm of tests, where `rddmin` starts over. What is left is as likely needed as not, and is
minimised with that in mind. The result is 1-minimal for any oracle that always answers alike, however bad the guess.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, TypeVar

from minrepro.algorithms.lists.group_testing import Density, grouping
from minrepro.algorithms.lists.scans import run_scan
from minrepro.core.search import Reduction

U = TypeVar("U")

GUESSED = "rules"
"""The label of the tests that decide about the guess."""
EVEN = Density(begun=1.0, seen=2.0)
"""Of what a guess has left, about every other unit is needed."""

grouping_survivors = partial(grouping, density=EVEN)
"""Group testing of what a guess has left."""


def guided(
    config: Sequence[U],
    steps: Sequence[frozenset[int]],
    *,
    minimize: Callable[[Sequence[U]], Reduction[tuple[U, ...]]] = grouping_survivors,
) -> Reduction[tuple[U, ...]]:
    """Return a minimal failing subset, after steps that each remove units at these positions of `config`.

    The steps are given with the most trusted first.
    """
    whole = tuple(config)
    taken = yield from steps_taken(whole, steps)
    return (yield from minimize(left_by(whole, [steps[i] for i in taken])))


def steps_taken(
    config: Sequence[U], steps: Sequence[frozenset[int]], doubts: float = math.inf
) -> Reduction[tuple[int, ...]]:
    """Return which of the steps can be taken together: with them the failure shows, with one more of the others not.

    When steps have lost the failure as often as there may be doubts, the others are not tried.
    """
    scan = yield from run_scan(_Doubt(tuple(config), tuple(steps), untried=len(steps), doubts=doubts), GUESSED)
    return scan.taken


def left_by(config: tuple[U, ...], steps: Sequence[frozenset[int]]) -> tuple[U, ...]:
    """Return what steps leave of a configuration."""
    gone = frozenset().union(*steps)
    return tuple(unit for i, unit in enumerate(config) if i not in gone)


@dataclass(frozen=True)
class _Doubt:
    """The steps before `settled` are decided; those up to `untried` are proposed next, and are refused together when
    `refuted` is where they end."""

    whole: tuple[Any, ...]
    steps: tuple[frozenset[int], ...]
    untried: int
    settled: int = 0
    refuted: int = 0
    taken: tuple[int, ...] = ()
    doubts: float = math.inf

    @property
    def config(self) -> tuple[Any, ...]:
        return self._with(self.settled)

    def proposal(self) -> tuple[Any, ...] | None:
        return None if self.settled == len(self.steps) or self.doubts <= 0 else self._with(self.untried)

    def refused(self) -> _Doubt:
        doubts = self.doubts - 1
        if self.untried == self.settled + 1:  # this one loses the failure: leave it out, and try all that follow
            return replace(self, settled=self.untried, untried=len(self.steps), refuted=0, doubts=doubts)
        return replace(self, refuted=self.untried, untried=(self.settled + self.untried) // 2, doubts=doubts)

    def accepted(self) -> _Doubt:
        taken = (*self.taken, *range(self.settled, self.untried))
        end = self.refuted or len(self.steps)
        if self.refuted == self.untried + 1:  # what was refused together is refused by its last step
            return replace(self, taken=taken, settled=end, untried=len(self.steps), refuted=0)
        middle = (self.untried + end + 1) // 2 if self.refuted else end
        return replace(self, taken=taken, settled=self.untried, untried=middle)

    def _with(self, end: int) -> tuple[Any, ...]:
        """Return what is left when the steps from `settled` to `end` are taken too."""
        steps = [self.steps[i] for i in (*self.taken, *range(self.settled, end))]
        return left_by(self.whole, steps)
