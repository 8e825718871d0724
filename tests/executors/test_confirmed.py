"""What is accepted after a quick test is confirmed from nothing beside the search, and taken back if refuted."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from minrepro.core.best import Best
from minrepro.core.verdicts import Outcome, Verdict
from minrepro.errors import CheckError, Retracted
from minrepro.executors.confirmed import DOUBTS, ConfirmedRuns, Fresh, Unsteady
from minrepro.executors.threads import Threads

WHOLE = tuple("abcd")


class Oracle:
    """Fails in every quick test, and from nothing where it is told to; notes what it was asked from nothing."""

    def __init__(self, fails_fresh: Callable[[tuple[str, ...]], bool]) -> None:
        self._fails_fresh = fails_fresh
        self.asked: list[int] = []
        self.only_fresh = False

    def __call__(self, case: tuple[str, ...] | Fresh) -> Verdict:
        if not isinstance(case, Fresh):
            return Verdict(Outcome.FAIL, stopped_at=len(case), fresh=self.only_fresh)
        self.asked.append(len(case))
        outcome = Outcome.FAIL if self._fails_fresh(case.case) else Outcome.PASS
        return Verdict(outcome, stopped_at=len(case), fresh=True)

    def trust_fresh_only(self) -> None:
        self.only_fresh = True


def confirming(oracle: Oracle, told: list[str] | None = None) -> ConfirmedRuns:
    best: Best[tuple[str, ...]] = Best(confirmed=WHOLE)
    return ConfirmedRuns(Threads(oracle, 2), best, oracle, (lambda text: None) if told is None else told.append)


def accept(executor: ConfirmedRuns, *lengths: int, phase: str = "") -> None:
    """Accept cases, each in a phase of its own, or all in one."""
    for length in lengths:
        executor(executor.best.accept(WHOLE[:length], phase or f"phase {length}", Verdict(Outcome.FAIL)))


def test_all_that_is_accepted_is_confirmed_in_its_order() -> None:
    oracle = Oracle(lambda case: True)
    executor = confirming(oracle)
    for length in (4, 3, 2):
        accept(executor, length)
        executor.confirm(WHOLE[:length])
    assert oracle.asked == [3, 2]  # the input is known to fail
    assert (executor.best.confirmed, executor.confirmed) == (WHOLE[:2], 2)
    executor.close()


def test_what_is_replaced_before_its_turn_comes_is_confirmed_all_the_same() -> None:
    oracle = Oracle(lambda case: True)
    executor = confirming(oracle)
    accept(executor, 3, 2, 1)
    executor.confirm(WHOLE[:1])
    assert (oracle.asked, executor.best.confirmed, executor.confirmed) == ([3, 2, 1], WHOLE[:1], 3)
    executor.close()


def test_of_the_cases_of_one_phase_only_the_last_is_confirmed() -> None:
    oracle = Oracle(lambda case: True)
    executor = confirming(oracle)
    accept(executor, 3, 2, phase="one")
    accept(executor, 1, phase="another")
    executor.confirm(WHOLE[:1])
    assert (oracle.asked, executor.best.confirmed, executor.confirmed) == ([2, 1], WHOLE[:1], 2)
    executor.close()


def test_what_came_of_a_refuted_case_is_neither_confirmed_nor_kept_and_tests_are_from_nothing_then() -> None:
    oracle, told = Oracle(lambda case: len(case) != 2), list[str]()
    executor = confirming(oracle, told)
    accept(executor, 3, 2, 1)
    with pytest.raises(Retracted) as back:
        executor.confirm(WHOLE[:1])
    assert (oracle.asked, back.value.case) == ([3] + [2] * (1 + DOUBTS), WHOLE[:3])
    assert oracle.only_fresh and "fresh context" in told[0]
    accept(executor, 3)
    executor.confirm(WHOLE[:3])
    assert len(oracle.asked) == 2 + DOUBTS
    executor.close()


def test_a_run_that_ends_is_taken_back_to_the_last_that_was_confirmed() -> None:
    executor = confirming(Oracle(lambda case: len(case) > 2))
    accept(executor, 3)
    executor.confirm(WHOLE[:3])
    accept(executor, 2)
    executor.settle()
    assert executor.best.result == WHOLE[:3]
    executor.close()


def test_confirmations_go_on_beside_the_tests_that_a_search_waits_for() -> None:
    oracle = Oracle(lambda case: True)
    executor = confirming(oracle)
    accept(executor, 3)
    job = executor.start(WHOLE[:2])
    while not (done := executor.wait([job])):
        pass
    assert done[job].outcome is Outcome.FAIL
    executor.confirm(WHOLE[:3])
    assert oracle.asked == [3]
    executor.close()


def test_what_was_seen_from_nothing_already_or_begins_with_that_is_not_tested_again() -> None:
    oracle = Oracle(lambda case: True)
    oracle.only_fresh = True
    executor = confirming(oracle)
    job = executor.start(WHOLE[:2])
    while not executor.wait([job]):
        pass
    accept(executor, 3, 2)
    executor.confirm(WHOLE[:2])
    assert (oracle.asked, executor.confirmed) == ([], 2)
    executor.close()


def test_a_case_that_fails_from_nothing_now_and_then_is_unsteady() -> None:
    oracle = Oracle(lambda case: len(oracle.asked) == 3)
    executor = confirming(oracle)
    accept(executor, 2)
    with pytest.raises(Unsteady):
        executor.confirm(WHOLE[:2])
    assert len(oracle.asked) == 3
    executor.close()


def test_what_goes_wrong_in_a_confirmation_reaches_the_run() -> None:
    def fails(case: tuple[str, ...]) -> bool:
        raise CheckError("no browser")

    executor = confirming(Oracle(fails))
    accept(executor, 3)
    with pytest.raises(CheckError, match="no browser"):
        executor.confirm(WHOLE[:3])
    executor.close()
