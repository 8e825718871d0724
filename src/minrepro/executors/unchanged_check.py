"""An executor that gives no verdict any more once the check is another one than it was."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from minrepro.core.protocols import Executor, Job
from minrepro.core.verdicts import Verdict
from minrepro.executors.wrapper import ExecutorWrapper


class UnchangedCheck(ExecutorWrapper):
    """Stands before an executor and looks at the check whenever there are verdicts."""

    def __init__(self, executor: Executor, require_unchanged: Callable[[], None]) -> None:
        """`require_unchanged` raises when the check has been edited."""
        super().__init__(executor)
        self._require_unchanged = require_unchanged

    def wait(self, jobs: Iterable[Job], timeout: float | None = None) -> Mapping[Job, Verdict]:
        """Return the verdicts of all that are finished, if the check is still the one that it was."""
        done = super().wait(jobs, timeout)
        if done:
            self._require_unchanged()
        return done
