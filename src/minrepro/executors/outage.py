"""When nothing reproduces for a while: a server restarts, a disk is full, a license is lost.

What was accepted is asked again, after a second first and then after twice as long each time; nothing else is tested
meanwhile. Rejections that look like none before are what makes somebody ask early.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from minrepro.core.verdicts import Outcome, Verdict
from minrepro.errors import ExecutorLost

FIRST_PAUSE = 1.0
LONGEST_PAUSE = 300.0
GIVEN_UP_AFTER = 8 * 3600.0
"""Seconds: a night."""
STRANGE = 4
"""So many rejections in a row for the same new reason are strange."""


class Reasons:
    """Knows for which reasons candidates are rejected while the check works."""

    def __init__(self) -> None:
        self._usual: set[str] = set()
        self._row: tuple[str, int] = ("", 0)

    def is_strange(self, verdict: Verdict) -> bool:
        """Take a verdict on a candidate into account, and tell whether it is time to ask for what was accepted."""
        if verdict.outcome is Outcome.FAIL:
            self._row = ("", 0)
            return False
        reason = "a timeout" if verdict.limit is not None else verdict.reason
        if not self._usual:
            self._usual.add(reason)
        if reason in self._usual:
            self._row = ("", 0)
            return False
        self._row = (reason, self._row[1] + 1 if self._row[0] == reason else 1)
        return self._row[1] >= STRANGE

    def works(self) -> None:
        """Take what was seen last for usual: what was accepted has just reproduced."""
        if self._row[0]:
            self._usual.add(self._row[0])
            self._row = ("", 0)


class Outage:
    """A pause that grows until what was accepted reproduces again, if it does not now."""

    def __init__(
        self,
        warn: Callable[[str], None],
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._warn = warn
        self._clock = clock
        self._sleep = sleep
        self._began = clock()
        self._pause = FIRST_PAUSE
        self._until = self._began + self._pause
        self.misses = 0
        """How often what was accepted did not reproduce, as far as it counts."""
        self.begun = False
        """Whether there is one: nothing reproduced when it was looked at."""

    def begins(self) -> None:
        """Say that there is one."""
        self.begun = True
        self._warn(
            "nothing reproduces anymore, not even the input; paused, and trying again until it does "
            "(is a server down, a disk full, a license lost?)"
        )

    def is_due(self, timeout: float | None) -> bool:
        """Sleep, not longer than the timeout, and tell whether it is time to ask again."""
        left = self._until - self._clock()
        if left > 0:
            self._sleep(left if timeout is None else min(left, timeout))
        return self._clock() >= self._until

    def goes_on(self) -> None:
        """Wait longer the next time; raise when the patience of the most patient is over."""
        now = self._clock()
        if now - self._began > GIVEN_UP_AFTER:
            raise ExecutorLost("stopped: nothing has reproduced for hours, not even the input")
        self._pause = min(2 * self._pause, LONGEST_PAUSE)
        self._until = now + self._pause

    def ends(self) -> None:
        """Say that it is over."""
        seconds = self._clock() - self._began
        began = f"it reproduces again after {seconds:.0f} s" if self.begun else "for a moment nothing reproduced"
        self._warn(f"{began}; continuing from the best so far, without the outcomes seen before")
