"""Runs processes to see how they end, without any verdict on it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from minrepro.core.containment import Containment
from minrepro.core.invocations import Invocation, ProcessEnd
from minrepro.core.verdicts import Outcome, Verdict
from minrepro.core.view import View
from minrepro.executors.local.process_pool import Processes


class _Watch:
    """Runs invocations as they are, and keeps how they ended."""

    def __init__(self) -> None:
        self.endings: list[ProcessEnd] = []

    def invocation(self, case: Invocation) -> Invocation:
        return case

    def judge(self, ending: ProcessEnd) -> Verdict:
        self.endings.append(ending)
        return Verdict(Outcome.UNRESOLVED, str(len(self.endings) - 1), ending.seconds)


class CheckOnce:
    """Runs invocations on some workers, and tells how each of them ended."""

    def __init__(
        self,
        timeout: float,
        jobs: int = 1,
        place: Path | None = None,
        view: View | None = None,
        containment: Containment = Containment(),  # noqa: B008 - it never changes
    ) -> None:
        """With a view they run in a private version of the user's folder."""
        self._watch = _Watch()
        self._jobs = jobs
        self._executor = Processes(self._watch, jobs, timeout, place, view=view, containment=containment)

    def run(self, invocation: Invocation) -> ProcessEnd:
        """Return how an invocation ended."""
        return self.run_all([invocation])[0]

    def run_all(self, invocations: Sequence[Invocation]) -> list[ProcessEnd]:
        """Return how each of several invocations ended."""
        found: dict[int, ProcessEnd] = {}
        waiting = list(enumerate(invocations))
        running: dict[Any, int] = {}
        while waiting or running:
            while waiting and len(running) < self._jobs:
                number, invocation = waiting.pop(0)
                running[self._executor.start(invocation)] = number
            for job, verdict in self._executor.wait(list(running), 1.0).items():
                found[running.pop(job)] = self._watch.endings[int(verdict.reason)]
        return [found[number] for number in range(len(invocations))]

    def __enter__(self) -> CheckOnce:
        return self

    def __exit__(self, *exception: object) -> None:
        self._executor.close()
