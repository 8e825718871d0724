"""Tests that end in other threads are waited for, heard of once, and forgotten when nobody wants them."""

from __future__ import annotations

import threading

import pytest

from minrepro.core.verdicts import Outcome, Verdict
from minrepro.executors.collecting import Collecting

FAILED, PASSED = Verdict(Outcome.FAIL), Verdict(Outcome.PASS)


def test_the_first_that_ends_is_returned_with_all_that_have_ended_by_then() -> None:
    tests = Collecting()
    for job in ("one", "two", "three"):
        tests.begin(job)
    tests.end("two", FAILED)
    tests.end("three", PASSED)
    assert tests.wait(["one", "two", "three"], None) == {"two": FAILED, "three": PASSED}
    assert tests.under_way == ["one"]


def test_an_end_in_another_thread_is_waited_for() -> None:
    tests = Collecting()
    tests.begin("job")
    thread = threading.Thread(target=tests.end, args=("job", FAILED))
    thread.start()
    assert tests.wait(["job"], None) == {"job": FAILED}
    thread.join()


def test_an_error_is_raised_where_its_test_is_waited_for() -> None:
    tests = Collecting()
    tests.begin("job")
    tests.begin("other")
    tests.end("job", ValueError("broken"))
    tests.end("other", PASSED)
    assert tests.wait(["other"], None) == {"other": PASSED}
    with pytest.raises(ValueError, match="broken"):
        tests.wait(["job"], None)


def test_what_was_abandoned_is_neither_heard_nor_waited_for() -> None:
    heard: list[Verdict] = []
    tests = Collecting(heard.append)
    tests.begin("job")
    tests.abandon("job")
    tests.end("job", FAILED)
    assert tests.wait(["job"], None) == {}
    assert heard == []


def test_while_nothing_ends_something_else_is_done_again_and_again() -> None:
    tests = Collecting()
    tests.begin("job")
    calls: list[int] = []

    def meanwhile() -> None:
        calls.append(1)
        if len(calls) == 3:
            tests.end("job", FAILED)

    assert tests.wait(["job"], None, pause=0.001, meanwhile=meanwhile) == {"job": FAILED}


def test_a_timeout_ends_the_wait_with_nothing() -> None:
    tests = Collecting()
    tests.begin("job")
    assert tests.wait(["job"], 0.0) == {}
    assert tests.under_way == ["job"]
