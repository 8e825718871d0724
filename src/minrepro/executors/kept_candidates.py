"""Keeps every candidate that was checked in a folder, with its outcome in its name, for whoever wants to look."""

from __future__ import annotations

import contextlib
import re
import shutil
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from minrepro.core.protocols import Executor, Job
from minrepro.core.verdicts import Outcome, Verdict
from minrepro.executors.wrapper import ExecutorWrapper

MOST = 10_000
"""So many candidates are kept; then the oldest go."""
MOST_BYTES = 1 << 30
_WORDS = {Outcome.FAIL: "reproduces", Outcome.PASS: "does-not-reproduce", Outcome.UNRESOLVED: "unresolved"}


class KeptCandidates(ExecutorWrapper):
    """Stands before an executor and keeps what it is given."""

    def __init__(
        self,
        executor: Executor,
        folder: Path,
        suffix: str,
        write: Callable[[Path, Any], int],
        most: int = MOST,
        most_bytes: int = MOST_BYTES,
    ) -> None:
        """The folder is there; `write` puts a candidate at a path and returns how many bytes it has."""
        super().__init__(executor)
        self._folder, self._suffix, self._write = folder, suffix, write
        self._most, self._most_bytes = most, most_bytes
        self._cases: dict[Job, Any] = {}
        self._kept: deque[tuple[Path, int]] = deque()
        self._bytes = 0
        # What an earlier run has kept stays as it is.
        numbers = (re.match(r"(\d+)-", path.name) for path in folder.iterdir())
        self._number = max((int(match[1]) for match in numbers if match), default=0)

    def start(self, case: Any) -> Job:
        """Begin the test of a case."""
        job = super().start(case)
        self._cases[job] = getattr(case, "case", case)  # one that is tested from nothing has the case in it
        return job

    def wait(self, jobs: Iterable[Job], timeout: float | None = None) -> Mapping[Job, Verdict]:
        """Return the verdicts of all that are finished, after keeping their cases."""
        done = super().wait(jobs, timeout)
        for job, verdict in done.items():
            self._keep(self._cases.pop(job), verdict)
        return done

    def cancel(self, job: Job) -> None:
        """End a test; its case is not kept, for it has no outcome."""
        self._cases.pop(job, None)
        super().cancel(job)

    def _keep(self, case: Any, verdict: Verdict) -> None:
        self._number += 1
        path = self._folder / f"{self._number:06}-{_WORDS[verdict.outcome]}{self._suffix}"
        size = self._write(path, case)
        self._kept.append((path, size))
        self._bytes += size
        while len(self._kept) > self._most or (self._bytes > self._most_bytes and len(self._kept) > 1):
            oldest, size = self._kept.popleft()
            self._bytes -= size
            with contextlib.suppress(OSError):
                shutil.rmtree(oldest) if oldest.is_dir() else oldest.unlink()
