"""Where tests run: in this thread, in threads, in local processes, on a cluster. No algorithm knows which."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from typing import Any, Protocol

from minrepro.errors import MinreproError
from minrepro.search import Verdict

Job = Hashable
"""A test under way; only its executor knows what is behind it."""


class Lost(MinreproError):
    """No test can be run any more, for the reason given; a run then ends with the best so far."""


class TakenBack(MinreproError):
    """What was accepted was luck: a run goes on from this case and its verdict, and knows nothing else it has seen."""

    def __init__(self, case: Any, verdict: Verdict) -> None:
        super().__init__("the failure no longer reproduced often enough")
        self.case = case
        self.verdict = verdict


class Executor(Protocol):
    """Starts tests of cases, waits for their verdicts, and cancels them."""

    @property
    def capacity(self) -> int:
        """How many tests may be under way now; at least 1."""
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
