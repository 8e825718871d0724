"""What an executor offers: it runs tests in this thread, in processes, on a cluster. No algorithm knows where."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from typing import Any, Protocol

from minrepro.core.verdicts import Verdict

Job = Hashable
"""A test under way; only its executor knows what is behind it."""


class Executor(Protocol):
    """Starts tests of cases, waits for their verdicts, and cancels them."""

    @property
    def capacity(self) -> int:
        """How many tests may be under way now; at least 1."""
        ...

    @property
    def limit(self) -> float | None:
        """The seconds that a test which starts now may take; None without a limit."""
        ...

    def learn(self, verdict: Verdict) -> None:
        """Take notice of a verdict that was found elsewhere, such as in a journal."""
        ...

    def start(self, case: Any) -> Job:
        """Begin the test of a case."""
        ...

    def wait(self, jobs: Iterable[Job], timeout: float | None = None) -> Mapping[Job, Verdict]:
        """Return the verdicts of all that are finished, at least one unless the timeout passes first."""
        ...

    def cancel(self, job: Job) -> None:
        """End a test with its whole process tree; its verdict is lost."""
        ...

    def close(self) -> None:
        """End all that is still under way and free everything."""
        ...
