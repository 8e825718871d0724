"""Starts tests, remembers their verdicts and tells of them: what every scheduler does with an executor."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from copy import copy
from typing import Any

from minrepro.core.events import Listener, Tested, ignore
from minrepro.core.keys import Key, key_of
from minrepro.core.protocols import Executor, Job
from minrepro.core.verdicts import Verdict
from minrepro.engine.memory import Memory


class Tester:
    """An executor with a memory and a budget."""

    def __init__(
        self,
        executor: Executor,
        *,
        memory: Memory | None = None,
        notify: Listener = ignore,
        permit_test: Callable[[], None] = lambda: None,
        permit_wait: Callable[[], float | None] = lambda: None,
        size_of: Callable[[Any], int] = len,
        count: Callable[[Verdict, bool], None] | None = None,
    ) -> None:
        """Both permits may raise to end everything; the second returns for how many seconds it need not be asked.

        Where nobody listens, verdicts found at once are only counted.
        """
        self._executor = executor
        self._memory = memory if memory is not None else Memory()
        self._notify = notify
        self._count = count
        self._permit_test = permit_test
        self._permit_wait = permit_wait
        self.size_of = size_of
        self._running: dict[Job, tuple[Key, int, str]] = {}
        self._aside: dict[Job, Callable[[Verdict], None]] = {}
        self._seconds = 0.0
        self._tests = 0
        self._convert: Callable[[Any], Any] | None = None
        self._form = ""
        self.answers_at_once: Callable[[Any], Verdict] | None = getattr(executor, "answer", None)
        """What tests a case in this very thread, for an executor that does nothing else."""

    def through(self, convert: Callable[[Any], Any], form: str) -> Tester:
        """Return the same tester for cases in another form, each of which is converted before it is tested."""
        view = copy(self)
        view._convert, view._form = convert, form
        return view

    @property
    def capacity(self) -> int:
        """How many tests may be under way now, beside those that are carried out aside."""
        return max(1, self._executor.capacity - len(self._aside))

    @property
    def running(self) -> int:
        """How many tests are under way now, beside those that are carried out aside."""
        return len(self._running) - len(self._aside)

    @property
    def tests(self) -> int:
        """How many tests have ended."""
        return self._tests

    def under_way(self) -> list[tuple[str, int]]:
        """Return for each test that is under way its label and the size of its case; from any thread."""
        return [(label, size) for _, size, label in list(self._running.values())]

    def seconds_per_test(self) -> float:
        """Return how long a test has taken on the average."""
        return self._seconds / max(1, self._tests)

    def recall(self, key: Key) -> Verdict | None:
        """Return the verdict of a case that was tested before, if it still counts."""
        return self._memory.recall((self._form, key) if self._form else key, self._executor.limit)

    def verdict_at_once(self, case: Any, label: str) -> Verdict:
        """Return the verdict of a case, tested in this thread unless it is remembered."""
        key = key_of(case)
        known = self._memory.recall(key)
        if known is not None:
            self._tell(known, case, label, True)
            return known
        self._permit_test()
        self._permit_wait()
        assert self.answers_at_once is not None
        verdict = self.answers_at_once(case)
        self._memory.remember(key, verdict)
        self._seconds += verdict.seconds
        self._tests += 1
        self._tell(verdict, case, label, False)
        return verdict

    def _tell(self, verdict: Verdict, case: Any, label: str, remembered: bool) -> None:
        if self._count is not None:
            self._count(verdict, remembered)
        else:
            self._notify(Tested(verdict, self.size_of(case), label, remembered))

    def tell_remembered(self, verdict: Verdict, size: int, label: str) -> None:
        """Tell that a test was saved."""
        self._notify(Tested(verdict, size, label, remembered=True))

    def start(self, case: Any, key: Key, label: str) -> Job:
        """Begin a test."""
        self._permit_test()
        if self._convert is not None:
            case, key = self._convert(case), (self._form, key)
        job = self._executor.start(case)
        self._running[job] = (key, self.size_of(case), label)
        return job

    def start_aside(self, case: Any, key: Key, label: str, tell: Callable[[Verdict], None]) -> Job:
        """Begin a test of which nobody who waits for tests hears; its verdict is told while they wait."""
        job = self.start(case, key, label)
        self._aside[job] = tell
        return job

    def wait(self) -> dict[Job, Verdict]:
        """Return the verdicts of the tests that have ended, after waiting a while for one."""
        done = dict(self._executor.wait(list(self._running), self._permit_wait()))
        ended = [(verdict, *self._running.pop(job)) for job, verdict in done.items()]  # also if a listener raises
        for verdict, key, size, label in ended:
            self._memory.remember(key, verdict)
            self._seconds += verdict.seconds
            self._tests += 1
            self._notify(Tested(verdict, size, label))
        for job in [job for job in done if job in self._aside]:
            self._aside.pop(job)(done.pop(job))
        return done

    def cancel(self, jobs: Iterable[Job]) -> None:
        """End tests without a verdict."""
        for job in list(jobs):
            self._aside.pop(job, None)
            if self._running.pop(job, None) is not None:
                self._executor.cancel(job)
