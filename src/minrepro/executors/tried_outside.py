"""An executor that tries the input outside the sandbox, too, and gives no verdict if it ends differently there.

A check that fails because it cannot write what it needs would reproduce with every candidate, or with none. The trial
runs beside the first test of the input and is not counted.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import PurePath
from typing import Any

from minrepro.core.keys import key_of
from minrepro.core.protocols import Executor, Job
from minrepro.core.verdicts import Verdict
from minrepro.errors import CheckError
from minrepro.executors.wrapper import ExecutorWrapper

AGAIN = 2
"""How often both are tried again when they differ: a flaky check differs from itself."""
_REFUSED = re.compile(r"(/[^\s:'\"‘’`]+)['\"’]?: Read-only file system|Read-only file system: ['\"](/[^'\"]+)['\"]")


class TriedOutside(ExecutorWrapper):
    """Stands before an executor whose checks run in a sandbox."""

    def __init__(
        self, executor: Executor, failing: Any, outside: Callable[[], Executor], printed: Callable[[], str]
    ) -> None:
        """`outside` makes an executor without a sandbox; `printed` is what the check prints inside, on the input."""
        super().__init__(executor)
        self._failing = failing
        self._make = outside
        self._printed = printed
        self._outside: Executor | None = None
        self._inside_job: Job = None
        self._outside_job: Job = None
        self._begun = False

    @property
    def containment(self) -> str:
        """In words, what keeps checks from all that is not theirs."""
        return str(getattr(self._executor, "containment", ""))

    def start(self, case: Any) -> Job:
        """Begin the test of a case, and with the first one, if it is that of the input, the trial outside."""
        job = super().start(case)
        if not self._begun:
            self._begun = True
            # A run that is resumed begins with something else: its input was tried long ago.
            if key_of(case) == key_of(self._failing) and not getattr(self._executor, "why_open", ""):
                self._inside_job = job
                self._outside = self._make()
                self._outside_job = self._outside.start(case)
        return job

    def wait(self, jobs: Iterable[Job], timeout: float | None = None) -> Mapping[Job, Verdict]:
        """Return the verdicts of all that are finished; raise if the input ends differently outside."""
        done = super().wait(jobs, timeout)
        if self._outside is not None and self._inside_job in done:
            try:
                self._compare(done[self._inside_job], _verdict(self._outside, self._outside_job), self._outside)
            finally:
                self._end_trial()
        return done

    def cancel(self, job: Job) -> None:
        """End a test."""
        if self._outside is not None and job == self._inside_job:
            self._end_trial()
        super().cancel(job)

    def close(self) -> None:
        """End all that is under way."""
        self._end_trial()
        super().close()

    def _end_trial(self) -> None:
        outside, self._outside = self._outside, None
        if outside is not None:
            outside.close()

    def _compare(self, inside: Verdict, outside: Verdict, executor: Executor) -> None:
        here, there = [inside], [outside]
        while not {each.outcome for each in here} & {each.outcome for each in there}:
            if len(here) > AGAIN:
                raise _different(inside, outside, self._printed())
            here.append(_verdict(self._executor, self._executor.start(self._failing)))
            there.append(_verdict(executor, executor.start(self._failing)))


def _verdict(executor: Executor, job: Job) -> Verdict:
    while not (done := executor.wait([job])):
        pass
    return done[job]


def _different(inside: Verdict, outside: Verdict, printed: str) -> CheckError:
    """Return what the user is told, with what the check could not write if it says so."""
    paths = dict.fromkeys(one or other for one, other in _REFUSED.findall(printed))
    wanted = f"; it cannot write {', '.join(paths)}" if paths else ""
    folders = " ".join(f"--writable {folder}" for folder in dict.fromkeys(str(PurePath(path).parent) for path in paths))
    hint = f"use {folders}" if folders else "allow what it must write with --writable PATH"
    return CheckError(
        f"the check ends differently in the sandbox: {inside.reason or inside.outcome.value}, but outside "
        f"{outside.reason or outside.outcome.value}{wanted}\n"
        f"hint: {hint}, or --sandbox off if you trust it with every candidate"
    )
