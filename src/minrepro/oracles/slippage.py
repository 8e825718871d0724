"""Has the failure turned into another one? Oracles that sign what they see, and a listener that compares.

A check that only asks for *a* crash is content with any, so a reduction may slip from one bug to another without
anybody noticing (bug slippage: Chen et al. 2013). Whatever a check prints on standard error while the failure shows
serves to notice it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from minrepro.errors import CheckError
from minrepro.invocations import Ending, Invocation, ProcessOracle
from minrepro.notices import Accepted, Notice
from minrepro.oracles.signature import signature_of
from minrepro.search import Outcome, Verdict


class Signed:
    """An oracle that notes what a failure looks like, and if asked takes another failure for none."""

    def __init__(
        self, oracle: ProcessOracle, look: int, same_failure: bool = False, seen: tuple[str, ...] = ()
    ) -> None:
        """The first `look` failures are those of the input; `seen` are those of them that were seen before."""
        self._oracle = oracle
        self._look = look
        self._same_failure = same_failure
        self._seen = list(seen[:look])

    def invocation(self, case: Any) -> Invocation:
        """Return what to run for a case."""
        return self._oracle.invocation(case)

    def judge(self, ending: Ending) -> Verdict:
        """Return what the end of that process means, signed if it shows a failure."""
        verdict = self._oracle.judge(ending)
        if verdict.outcome is not Outcome.FAIL:
            return verdict
        signature = verdict.signature or signature_of(ending)
        if len(self._seen) < self._look:
            self._seen.append(signature)
        if any(one != self._seen[0] for one in self._seen):
            if self._same_failure:
                raise CheckError(
                    "The failure of the input does not look the same from run to run "
                    f"({' | '.join(sorted(set(self._seen)))}),\nso --same-failure cannot be told. "
                    "Let the check print one line on standard error that names the failure."
                )
            return verdict  # it says something else each time: nothing to recognise it by
        if self._same_failure and signature != self._seen[0]:
            return replace(verdict, outcome=Outcome.UNRESOLVED, reason=f"another failure: {signature or 'silent'}")
        return verdict if signature == verdict.signature else replace(verdict, signature=signature)


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

    def __call__(self, notice: Notice) -> None:
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
                f"the failure has changed from “{self._original or 'silent'}” to “{self.slipped_to}”; "
                f"the smallest case with the original failure is in {where}; --same-failure accepts no other"
            )
