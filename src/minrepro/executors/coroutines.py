"""Tests by a coroutine function, several at a time in one event loop, which runs in a thread of its own."""

from __future__ import annotations

import asyncio
import contextvars
import threading
from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Any

from minrepro.core.protocols import Job
from minrepro.core.verdicts import Outcome, Verdict
from minrepro.executors.collecting import Collecting, End

_LEAVING = 5.0
"""Seconds after which nobody waits any longer for a coroutine that does not end when it is cancelled."""


class _Await:
    """A case whose verdict is being awaited."""

    def __init__(self, case: Any) -> None:
        self.case = case
        self.task: asyncio.Task[None] | None = None
        self.cancelled = False


class Coroutines:
    """Awaits a function for several cases at once; one that takes longer than the limit is cancelled, and unresolved.

    The function runs in an event loop that belongs to this executor, never in that of the caller.
    """

    def __init__(self, judge: Callable[[Any], Awaitable[Verdict]], jobs: int, limit: float | None = None) -> None:
        self.capacity = jobs
        self.limit = limit
        self._judge = judge
        self._tests = Collecting()
        self._context = contextvars.copy_context()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="minrepro coroutines", daemon=True)
        self._thread.start()

    def learn(self, verdict: Verdict) -> None:
        """Learn nothing: the time limit is the one that was given."""

    def start(self, case: Any) -> Job:
        """Begin the test of a case."""
        test = _Await(case)
        self._tests.begin(test)
        self._loop.call_soon_threadsafe(self._begin, test)
        return test

    def wait(self, jobs: Iterable[Job], timeout: float | None = None) -> Mapping[Job, Verdict]:
        """Return the verdicts of all that are finished, at least one unless the timeout passes first."""
        return self._tests.wait(jobs, timeout)

    def cancel(self, job: Job) -> None:
        """Cancel the coroutine of a test."""
        self._tests.abandon(job)
        if isinstance(job, _Await):
            job.cancelled = True
            self._loop.call_soon_threadsafe(self._end, job)

    def close(self) -> None:
        """Cancel all coroutines, let them clean up, and end the event loop with its thread."""
        if self._loop.is_closed():
            return
        self._tests.abandon_all()
        leaving = asyncio.run_coroutine_threadsafe(self._leave(), self._loop)
        try:
            leaving.result()
        finally:
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join()
            self._loop.close()

    def _begin(self, test: _Await) -> None:
        if not test.cancelled:
            test.task = self._loop.create_task(self._test(test), context=self._context.copy())

    @staticmethod
    def _end(test: _Await) -> None:
        if test.task is not None:
            test.task.cancel()

    async def _test(self, test: _Await) -> None:
        end: End
        try:
            async with asyncio.timeout(self.limit) as clock:
                end = await self._judge(test.case)
        except BaseException as error:  # handed to whoever waits, whatever it is
            if isinstance(error, TimeoutError) and clock.expired():
                assert self.limit is not None
                end = Verdict(Outcome.UNRESOLVED, f"timed out after {self.limit:g} s", self.limit, limit=self.limit)
            else:
                end = error
        self._tests.end(test, end)

    async def _leave(self) -> None:
        tasks = asyncio.all_tasks() - {asyncio.current_task()}
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks, timeout=_LEAVING)
        await self._loop.shutdown_asyncgens()
