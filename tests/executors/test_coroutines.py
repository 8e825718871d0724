"""Tests by a coroutine function."""

from __future__ import annotations

import asyncio
import contextvars
import os
import threading
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

import pytest

from minrepro.core.protocols import Job
from minrepro.core.verdicts import Outcome, Verdict
from minrepro.errors import CheckError
from minrepro.executors.coroutines import Coroutines
from minrepro.oracles.function import FunctionOracle

SOON = 60.0
"""Seconds after which a test gives up instead of hanging."""

Make = Callable[..., Coroutines]


@pytest.fixture
def coroutines() -> Iterator[Make]:
    """Return what makes an executor that is closed at the end."""
    made: list[Coroutines] = []

    def make(function: Callable[[Any], Awaitable[object]], jobs: int = 2, limit: float | None = None) -> Coroutines:
        made.append(Coroutines(FunctionOracle(function).judge, jobs, limit))
        return made[-1]

    yield make
    for executor in made:
        executor.close()


def test_several_are_awaited_at_a_time(coroutines: Make) -> None:
    arrived = 0
    everybody = asyncio.Event()

    async def meets(case: int) -> bool:
        nonlocal arrived
        arrived += 1
        if arrived == 3:
            everybody.set()
        await everybody.wait()
        return case > 1

    executor = coroutines(meets, 3)
    jobs = {executor.start(number): number for number in range(3)}
    verdicts: dict[Job, Verdict] = {}
    while len(verdicts) < 3:
        verdicts |= executor.wait(set(jobs) - set(verdicts), SOON)
    assert {jobs[job] for job, verdict in verdicts.items() if verdict.outcome is Outcome.FAIL} == {2}


def test_one_that_takes_too_long_is_cancelled_and_unresolved(coroutines: Make) -> None:
    ended = threading.Event()

    async def forever(case: bytes) -> bool:
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()
        return True

    executor = coroutines(forever, 1, 0.05)
    [verdict] = executor.wait([executor.start(b"")], SOON).values()
    assert verdict.outcome is Outcome.UNRESOLVED
    assert verdict.reason == "timed out after 0.05 s"
    assert verdict.limit == 0.05
    assert ended.is_set()


def test_a_timeout_inside_the_check_is_an_exception_of_the_check(coroutines: Make) -> None:
    async def raises(case: bytes) -> bool:
        raise TimeoutError("of a socket")

    executor = coroutines(raises, 1, SOON)
    with pytest.raises(CheckError, match="TimeoutError: of a socket"):
        executor.wait([executor.start(b"")], SOON)


def test_a_test_that_nobody_wants_is_cancelled_and_cleans_up(coroutines: Make) -> None:
    begun, cleaned = threading.Event(), threading.Event()

    async def forever(case: bytes) -> bool:
        try:
            begun.set()
            await asyncio.Event().wait()
        finally:
            await asyncio.sleep(0)
            cleaned.set()
        return True

    executor = coroutines(forever, 1)
    job = executor.start(b"")
    begun.wait(SOON)
    executor.cancel(job)
    assert cleaned.wait(SOON)
    assert executor.wait([job], 0) == {}


def test_what_is_cancelled_before_it_began_never_begins(coroutines: Make) -> None:
    begun: list[bytes] = []

    async def notes(case: bytes) -> bool:
        begun.append(case)
        return True

    executor = coroutines(notes, 2)
    hold = threading.Event()
    executor._loop.call_soon_threadsafe(hold.wait, SOON)
    executor.cancel(executor.start(b"unwanted"))
    job = executor.start(b"wanted")
    hold.set()
    assert executor.wait([job], SOON)[job].outcome is Outcome.FAIL
    assert begun == [b"wanted"]


def test_waiting_ends_when_the_timeout_passes(coroutines: Make) -> None:
    async def forever(case: bytes) -> bool:
        await asyncio.Event().wait()
        return True

    executor = coroutines(forever, 1)
    assert executor.wait([executor.start(b"")], 0.01) == {}


def test_the_check_sees_the_context_of_the_caller(coroutines: Make) -> None:
    tenant = contextvars.ContextVar("tenant", default="nobody")
    tenant.set("somebody")

    async def asks(case: bytes) -> bool:
        return tenant.get() == "somebody"

    executor = coroutines(asks)
    job = executor.start(b"")
    assert executor.wait([job], SOON)[job].outcome is Outcome.FAIL


def test_nothing_is_left_when_it_is_closed() -> None:
    files, threads = len(os.listdir("/proc/self/fd")), threading.active_count()  # noqa: PTH208

    async def forever(case: bytes) -> bool:
        await asyncio.Event().wait()
        return True

    executor = Coroutines(FunctionOracle(forever).judge, 4)
    for number in range(4):
        executor.start(number)
    executor.close()
    executor.close()
    assert len(os.listdir("/proc/self/fd")) == files  # noqa: PTH208
    assert threading.active_count() == threads


def test_it_works_inside_a_running_event_loop(coroutines: Make) -> None:
    async def answers(case: bytes) -> bool:
        await asyncio.sleep(0)
        return True

    async def main() -> Verdict:
        executor = coroutines(answers)
        job = executor.start(b"")
        return executor.wait([job], SOON)[job]

    assert asyncio.run(main()).outcome is Outcome.FAIL
