"""Tests that end in other threads: which are under way, how they ended, and the wait for the first of them."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from queue import Empty, SimpleQueue

from minrepro.core.protocols import Job
from minrepro.core.verdicts import Verdict

End = Verdict | BaseException
"""How a test ended: with a verdict, or with an error, which is raised where the test is waited for."""


class Collecting:
    """What an executor knows of its tests; all but `end` is called in the thread of who waits."""

    def __init__(self, heard: Callable[[Verdict], None] = lambda verdict: None) -> None:
        """`heard` is told of each verdict that somebody still wants."""
        self._heard = heard
        self._under_way: set[Job] = set()
        self._ended: SimpleQueue[tuple[Job, End]] = SimpleQueue()
        self._finished: dict[Job, End] = {}

    @property
    def under_way(self) -> list[Job]:
        """The tests whose end was not heard of yet."""
        return list(self._under_way)

    def begin(self, job: Job) -> None:
        """Note that a test is under way."""
        self._under_way.add(job)

    def end(self, job: Job, end: End) -> None:
        """Note how a test has ended; may be called in any thread."""
        self._ended.put((job, end))

    def abandon(self, job: Job) -> None:
        """Forget a test, however it ends."""
        self._under_way.discard(job)
        self._finished.pop(job, None)

    def abandon_all(self) -> None:
        """Forget all tests."""
        self._under_way.clear()
        self._finished.clear()

    def wait(
        self,
        jobs: Iterable[Job],
        timeout: float | None,
        *,
        pause: float | None = None,
        meanwhile: Callable[[], None] = lambda: None,
    ) -> Mapping[Job, Verdict]:
        """Return the verdicts of all that are finished, at least one unless the timeout passes first.

        `meanwhile` is called at the beginning and whenever something has ended, with no more than a `pause` in between.
        """
        wanted = list(jobs)
        deadline = None if timeout is None else time.monotonic() + timeout
        while True:
            self._collect(0.0)
            meanwhile()
            finished = {job: _verdict(self._finished.pop(job)) for job in wanted if job in self._finished}
            if finished or self._under_way.isdisjoint(wanted):
                return finished
            remaining = None if deadline is None else deadline - time.monotonic()
            if remaining is not None and remaining <= 0:
                return {}
            self._collect(min((each for each in (remaining, pause) if each is not None), default=None))

    def _collect(self, timeout: float | None) -> None:
        """Take in what has ended, waiting for the first unless something is there."""
        try:
            job, end = self._ended.get(timeout != 0, timeout or None)
            while True:
                if job in self._under_way:
                    self._under_way.discard(job)
                    self._finished[job] = end
                    if isinstance(end, Verdict):
                        self._heard(end)
                job, end = self._ended.get_nowait()
        except Empty:
            return


def _verdict(end: End) -> Verdict:
    if isinstance(end, BaseException):
        raise end
    return end
