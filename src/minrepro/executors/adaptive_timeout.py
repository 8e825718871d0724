"""How long a check may take: learnt from how long the checks before it took.

Most candidates behave like those before them, so one that takes many times as long is most likely in an endless loop.
The limit is ten times what nine of ten recent runs need, and at least five times the slowest recent run that showed the
failure, since those are the runs that must not be lost.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections import deque

from minrepro.core.verdicts import Outcome, Verdict

SHORTEST = 1.0
LONGEST = 300.0
RUNS = 200
FAILURES = 20


class AdaptiveTimeout:
    """The time limit for the next check, in seconds; knows no clock."""

    def __init__(self, fixed: float | None = None, cap: float = LONGEST) -> None:
        self._fixed = fixed
        self._cap = cap
        self._runs: deque[float] = deque()
        self._sorted: list[float] = []
        self._failures: deque[float] = deque(maxlen=FAILURES)

    @property
    def limit(self) -> float:
        """The seconds that a check which starts now may take."""
        if self._fixed is not None:
            return self._fixed
        if not self._sorted:
            return self._cap
        usual = self._sorted[(len(self._sorted) * 9 - 1) // 10]
        slowest = max(self._failures, default=0.0)
        return min(max(10 * usual, 5 * slowest, SHORTEST), self._cap)

    def learn(self, verdict: Verdict) -> None:
        """Take a run into account; one that was cut short tells nothing about how long it would have taken."""
        if self._fixed is not None or verdict.limit is not None:
            return
        if len(self._runs) == RUNS:
            del self._sorted[bisect_left(self._sorted, self._runs.popleft())]
        self._runs.append(verdict.seconds)
        insort(self._sorted, verdict.seconds)
        if verdict.outcome is Outcome.FAIL:
            self._failures.append(verdict.seconds)
