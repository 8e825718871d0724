"""The time limit that adapts."""

from __future__ import annotations

import pytest

from minrepro.core.verdicts import Outcome, Verdict
from minrepro.executors.adaptive_timeout import LONGEST, SHORTEST, AdaptiveTimeout


def ran(seconds: float, outcome: Outcome = Outcome.PASS, limit: float | None = None) -> Verdict:
    return Verdict(outcome, seconds=seconds, limit=limit)


def test_the_first_run_gets_the_cap() -> None:
    assert AdaptiveTimeout().limit == LONGEST
    assert AdaptiveTimeout(cap=20).limit == 20


def test_a_fixed_limit_never_changes() -> None:
    patience = AdaptiveTimeout(fixed=7)
    for _ in range(50):
        patience.learn(ran(0.01, Outcome.FAIL))
    assert patience.limit == 7


def test_quick_checks_still_get_a_whole_second() -> None:
    patience = AdaptiveTimeout()
    patience.learn(ran(0.002, Outcome.FAIL))
    assert patience.limit == SHORTEST


def test_the_limit_is_ten_times_what_nine_of_ten_runs_need() -> None:
    patience = AdaptiveTimeout()
    for tenths in range(1, 11):
        patience.learn(ran(tenths / 10))
    assert patience.limit == pytest.approx(9)


def test_a_slow_failure_keeps_the_limit_up() -> None:
    patience = AdaptiveTimeout()
    patience.learn(ran(8, Outcome.FAIL))
    for _ in range(150):
        patience.learn(ran(0.01))
    assert patience.limit == pytest.approx(40)


def test_only_the_last_twenty_failures_count() -> None:
    patience = AdaptiveTimeout()
    patience.learn(ran(8, Outcome.FAIL))
    for _ in range(20):
        patience.learn(ran(0.3, Outcome.FAIL))
    assert patience.limit == pytest.approx(3)


def test_only_the_last_two_hundred_runs_count() -> None:
    patience = AdaptiveTimeout()
    for _ in range(200):
        patience.learn(ran(5))
    assert patience.limit == pytest.approx(50)
    for _ in range(200):
        patience.learn(ran(0.5))
    assert patience.limit == pytest.approx(5)


def test_runs_that_were_cut_short_teach_nothing() -> None:
    patience = AdaptiveTimeout()
    patience.learn(ran(0.2, Outcome.FAIL))
    before = patience.limit
    for _ in range(100):
        patience.learn(ran(before, Outcome.UNRESOLVED, limit=before))
    assert patience.limit == before


def test_the_limit_never_passes_the_cap() -> None:
    patience = AdaptiveTimeout(cap=60)
    patience.learn(ran(59, Outcome.FAIL))
    assert patience.limit == 60
