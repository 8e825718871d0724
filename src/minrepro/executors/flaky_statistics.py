"""How often a failure shows: how many runs tell, when to believe it, and between which bounds the rate lies.

A candidate of a flaky check is decided by the sequential probability ratio test of Wald (1945): runs are made until one
of two rates, that of the case it shall replace or one too low to be of use, is so much more likely than the other that
the chances of a wrong decision are those wanted. Few runs decide clear cases, and most candidates are clear cases. The
bounds of a rate are those of Clopper and Pearson (1934), which hold the true rate at least as often as they promise.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import ceil, exp, lgamma, log, log1p

from minrepro.core.verdicts import Outcome, Verdict

CONFIDENCE = 0.95
_SURE = 0.98
"""A rate of 1 would make a single miss a proof; no check is trusted that far once it has contradicted itself."""


def runs_to_see(rate: float, confidence: float = CONFIDENCE) -> int:
    """Return in how many runs something that happens at this rate shows at least once, with this confidence."""
    return max(1, ceil(log1p(-confidence) / log1p(-rate) - 1e-9)) if rate < 1 else 1


FIRST_LOOK = runs_to_see(0.5)
"""So many runs of the input tell a check that misses the failure half the time, at 95 % confidence."""


def bounds(hits: int, runs: int, confidence: float = CONFIDENCE) -> tuple[float, float]:
    """Return the bounds between which a rate lies that gave so many hits in so many runs."""
    doubt = (1 - confidence) / 2
    low = 0.0 if hits == 0 else _solve(lambda rate: _at_least(hits, runs, rate), doubt)
    high = 1.0 if hits == runs else _solve(lambda rate: 1 - _at_least(hits + 1, runs, rate), doubt)
    return low, high


def _at_least(hits: int, runs: int, rate: float) -> float:
    """Return the chance of at least so many hits."""
    if not 0 < rate < 1:
        return 1.0 if rate >= 1 or hits == 0 else 0.0
    scale = lgamma(runs + 1)
    terms = (
        exp(scale - lgamma(k + 1) - lgamma(runs - k + 1) + k * log(rate) + (runs - k) * log1p(-rate))
        for k in range(hits, runs + 1)
    )
    return min(1.0, sum(terms))


def _solve(chance: Callable[[float], float], wanted: float) -> float:
    """Return the rate at which a chance that only rises or only falls is the one wanted."""
    low, high = 0.0, 1.0
    rising = chance(1.0) > chance(0.0)
    for _ in range(60):
        middle = (low + high) / 2
        if (chance(middle) < wanted) == rising:
            low = middle
        else:
            high = middle
    return (low + high) / 2


@dataclass(frozen=True)
class Trial:
    """Decides by hits and misses whether a candidate shows the failure as often as it must."""

    expected: float
    """The rate of what the candidate shall replace."""
    floor: float
    """The lowest rate that is of use."""
    lucky: float = 1e-3
    """The chance that a candidate at half the floor is accepted."""
    missed: float = 0.02
    """The chance that a candidate at the expected rate is refused."""

    @property
    def _step_up(self) -> float:
        return log(self._good / self._bad)

    @property
    def _step_down(self) -> float:
        return log1p(-self._good) - log1p(-self._bad)

    @property
    def _good(self) -> float:
        return min(max(self.expected, self.floor), _SURE)

    @property
    def _bad(self) -> float:
        return self.floor / 2

    @property
    def runs_to_accept(self) -> float:
        """How many runs accept a candidate at the expected rate, on average (Wald 1945)."""
        drift = self._good * self._step_up + (1 - self._good) * self._step_down
        return -log(self.lucky) / drift

    def decided(self, hits: int, misses: int) -> bool | None:
        """Return whether a candidate is accepted, or None while more runs are needed."""
        evidence = hits * self._step_up + misses * self._step_down
        if evidence >= -log(self.lucky):
            return True
        return False if evidence <= log(self.missed) else None

    def at_least(self, hits: int, misses: int) -> int:
        """Return how many more runs are needed even if all of them are alike."""
        evidence = hits * self._step_up + misses * self._step_down
        up = ceil((-log(self.lucky) - evidence) / self._step_up)
        down = ceil((log(self.missed) - evidence) / self._step_down)
        return max(1, min(up, down))


@dataclass(slots=True)
class Observations:
    """How often a case was run and failed."""

    hits: int = 0
    misses: int = 0
    hit: Verdict | None = None
    miss: Verdict | None = None

    @property
    def runs(self) -> int:
        """How many runs there were."""
        return self.hits + self.misses

    def add(self, verdict: Verdict) -> None:
        """Take a run into account."""
        if verdict.outcome is Outcome.FAIL:
            self.hits, self.hit = self.hits + 1, verdict
        else:
            self.misses, self.miss = self.misses + 1, verdict

    def verdict(self, fails: bool) -> Verdict:
        """Return the verdict that stands for all runs."""
        one = self.hit if fails else self.miss or self.hit
        assert one is not None
        if self.runs == 1:
            return one
        outcome = one.outcome if fails or self.miss else Outcome.UNRESOLVED
        return replace(
            one, outcome=outcome, reason=f"{one.reason}; reproduced in {self.hits} of {self.runs} check runs"
        )
