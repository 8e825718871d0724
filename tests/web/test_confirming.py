"""What is accepted after a quick reset is confirmed beside the search, and taken back where it was an illusion."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest

from minrepro.executors import TakenBack
from minrepro.executors.inline import Inline
from minrepro.notices import Accepted
from minrepro.search import Outcome, Verdict
from minrepro.traces.events import Event, Trace, numbered
from minrepro.web.confirming import Confirming

WHOLE = numbered(Event(name) for name in "abcd")


def confirming(confirm: Callable[[Trace], bool]) -> Confirming:
    return Confirming(Inline(lambda case: Verdict(Outcome.FAIL)), confirm, WHOLE)


def test_all_that_is_accepted_is_confirmed_in_its_order() -> None:
    asked: list[Trace] = []

    def confirm(trace: Trace) -> bool:
        asked.append(trace)
        return True

    executor = confirming(confirm)
    for length in (4, 3, 2):
        executor(Accepted(WHOLE[:length], length, "test"))
        executor.confirm(WHOLE[:length])
    assert asked == [WHOLE[:3], WHOLE[:2]]
    assert (executor.good, executor.confirmed) == (WHOLE[:2], 2)
    executor.close()


def test_what_is_replaced_before_its_turn_comes_is_confirmed_all_the_same() -> None:
    asked: list[int] = []
    go_on = threading.Event()

    def confirm(trace: Trace) -> bool:
        asked.append(len(trace))
        return go_on.wait()

    executor = confirming(confirm)
    for length in (3, 2, 1):
        executor(Accepted(WHOLE[:length], length, "test"))
    go_on.set()
    executor.confirm(WHOLE[:1])
    assert (asked, executor.good, executor.confirmed) == ([3, 2, 1], WHOLE[:1], 3)
    executor.close()


def test_what_came_of_a_refuted_session_is_neither_confirmed_nor_kept() -> None:
    asked: list[int] = []
    go_on = threading.Event()

    def confirm(trace: Trace) -> bool:
        go_on.wait()
        asked.append(len(trace))
        return len(trace) != 2

    executor = confirming(confirm)
    for length in (3, 2, 1):
        executor(Accepted(WHOLE[:length], length, "test"))
    go_on.set()
    with pytest.raises(TakenBack) as back:
        executor.confirm(WHOLE[:1])
    assert (asked, back.value.case) == ([3, 2], WHOLE[:3])
    executor(Accepted(WHOLE[:3], 3, "taken back"))
    executor.confirm(WHOLE[:3])
    assert asked == [3, 2]
    executor.close()


def test_a_run_is_taken_back_to_the_last_that_was_confirmed() -> None:
    executor = confirming(lambda trace: len(trace) > 2)
    executor(Accepted(WHOLE[:3], 3, "test"))
    executor.confirm(WHOLE[:3])
    executor(Accepted(WHOLE[:2], 2, "test"))
    assert executor.settled(WHOLE[:2]) == WHOLE[:3]
    with pytest.raises(TakenBack) as back:
        executor.wait([])
    assert back.value.case == WHOLE[:3]
    assert executor.wait([executor.start(WHOLE)])
    executor.close()


def test_what_goes_wrong_in_a_confirmation_reaches_the_run() -> None:
    def confirm(trace: Trace) -> bool:
        raise LookupError("no browser")

    executor = confirming(confirm)
    executor(Accepted(WHOLE[:3], 3, "test"))
    with pytest.raises(LookupError, match="no browser"):
        executor.confirm(WHOLE[:3])
    executor.close()
