"""Has the failure turned into another one? A listener that compares what was accepted with the input.

A check that only asks for *a* crash is content with any, so a reduction may slip from one bug to another without
anybody noticing (bug slippage: Chen et al. 2013). Whatever a check prints on standard error while the failure shows
serves to notice it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from minrepro.core.events import Accepted, RunEvent
from minrepro.core.verdicts import Outcome


class SlippageWatch:
    """Tells when what was accepted fails in another way than the input, and keeps the last that fails in the same."""

    def __init__(self, warn: Callable[[str], None], keep: Callable[[Any], str]) -> None:
        """`keep` saves a case beside the result and returns where; it is called once there are two failures."""
        self._warn = warn
        self._keep = keep
        self._original: str | None = None
        self._same: Any = None
        self._kept: Any = None
        self.slipped_to = ""
        """What the failure of the best so far looks like, when it is not that of the input."""

    def __call__(self, notice: RunEvent) -> None:
        if not (isinstance(notice, Accepted) and notice.outcome is Outcome.FAIL and notice.smallest):
            return
        if self._original is None:
            self._original = notice.signature
        if notice.signature == self._original:
            self._same, self.slipped_to = notice.case, ""
            return
        first, self.slipped_to = not self.slipped_to, notice.signature or "a failure without a message"
        if first and self._kept != self._same:
            self._kept = self._same
            where = self._keep(self._same)
            self._warn(
                f"the failure changed from “{self._original or 'silent'}” to “{self.slipped_to}”; "
                f"smallest candidate with the original failure: {where}; use --same-failure to reject others"
            )
