"""One reduction, from input to result."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import pytest

from minrepro.algorithms.lists.dd import dd
from minrepro.algorithms.lists.ddmin import ddmin
from minrepro.core.events import Accepted, End, Ended, RunEvent, Started, StepKind, Tested, Warned
from minrepro.core.search import Reduction
from minrepro.core.verdicts import Outcome, Verdict
from minrepro.engine.run import Run
from minrepro.errors import ExecutorLost, NotFailing, Retracted, Stopped
from minrepro.executors.inline import Inline
from minrepro.settings import Budget
from minrepro.testing import SimulatedExecutor, fails_if, needs

Case = tuple[int, ...]
UNITS: Case = tuple(range(20))


def reduction(case: Case) -> Reduction[Case]:
    return ddmin(case)


def test_the_input_is_tested_first_and_one_that_does_not_fail_is_refused() -> None:
    heard: list[RunEvent] = []
    run: Run[Case] = Run(SimulatedExecutor(needs(99)), notify=heard.append)
    with pytest.raises(NotFailing, match="does not reproduce the failure: pass") as caught:
        run.reduce(UNITS, reduction)
    assert caught.value.verdict is not None
    assert [type(notice) for notice in heard] == [Started, Tested]


def test_the_result_is_what_the_algorithm_finds() -> None:
    executor = SimulatedExecutor(needs(3, 17), 4)
    result = Run[Case](executor).reduce(UNITS, reduction, empty=())
    assert result.case == (3, 17)
    assert result.finished
    assert result.tally.tests == executor.started - executor.cancelled
    assert not executor.running


def test_an_oracle_that_accepts_the_empty_case_is_warned_of_and_gives_it() -> None:
    heard: list[RunEvent] = []
    result = Run[Case](SimulatedExecutor(fails_if(lambda case: True)), notify=heard.append).reduce(
        UNITS, reduction, empty=()
    )
    assert result.case == ()
    assert any(isinstance(notice, Warned) for notice in heard)
    assert result.tally.tests == 2


def slow_when_empty(case: Case) -> float:
    return 1.0 if case else 100.0


def test_several_workers_do_not_wait_for_the_empty_case_before_they_begin() -> None:
    executors = [SimulatedExecutor(needs(3, 17), workers, slow_when_empty) for workers in (1, 4)]
    results = [Run[Case](executor).reduce(UNITS, reduction, empty=()) for executor in executors]
    assert {result.case for result in results} == {(3, 17)}
    assert executors[0].now == results[0].tally.tests - 1 + 100
    # The input comes first, then the empty case takes longer than all the rest.
    assert executors[1].now == 1 + 100
    assert not executors[1].running


def test_an_empty_case_that_fails_late_ends_the_work_and_is_the_result() -> None:
    heard: list[RunEvent] = []
    executor = SimulatedExecutor(fails_if(lambda case: not case or {3, 17} <= set(case)), 4, slow_when_empty)
    result = Run[Case](executor, notify=heard.append).reduce(UNITS, reduction, empty=())
    assert (result.case, result.why) == ((), "finished")
    assert any(isinstance(notice, Warned) for notice in heard)
    assert not executor.running


@pytest.mark.parametrize("workers", [1, 5])
@pytest.mark.parametrize("tests", [1, 2, 3, 7, 20])
def test_a_budget_of_tests_is_kept_to_the_test(workers: int, tests: int) -> None:
    executor = SimulatedExecutor(needs(3, 17), workers)
    result = Run[Case](executor, budget=Budget(tests=tests)).reduce(UNITS, reduction)
    assert executor.started == tests
    assert (result.end, result.finished) == (End.TESTS_SPENT, False)
    assert str(tests) in result.why
    assert needs(3, 17)(result.case) is Outcome.FAIL


def test_a_budget_of_seconds_ends_the_run_while_a_test_is_under_way() -> None:
    executor = SimulatedExecutor(needs(3, 17))
    run: Run[Case] = Run(executor, budget=Budget(seconds=5), clock=lambda: executor.now)
    result = run.reduce(UNITS, reduction)
    assert "--max-time 5" in result.why
    assert result.end is End.SECONDS_SPENT
    assert executor.now == 5
    assert not executor.running


def test_what_was_spent_before_the_run_counts_and_the_input_is_still_checked() -> None:
    executor = SimulatedExecutor(needs(3, 17))
    run: Run[Case] = Run(executor, budget=Budget(seconds=5, since=-3), clock=lambda: executor.now)
    assert run.reduce(UNITS, reduction).end is End.SECONDS_SPENT
    assert executor.now == 2
    run = Run(executor, budget=Budget(seconds=5, since=-30), clock=lambda: executor.now)
    result = run.reduce(UNITS, reduction)
    assert (result.case, result.end, run.tally.tests) == (UNITS, End.SECONDS_SPENT, 1)


def test_a_budget_that_is_spent_before_the_input_was_seen_failing_gives_no_result() -> None:
    executor = SimulatedExecutor(needs(3, 17))
    run: Run[Case] = Run(executor, budget=Budget(seconds=5), clock=lambda: 10 * executor.started)
    with pytest.raises(Stopped, match="--max-time 5"):
        run.reduce(UNITS, reduction)
    assert not executor.running


def test_a_run_can_be_stopped_by_a_listener() -> None:
    def stop_at(notice: RunEvent) -> None:
        if isinstance(notice, Accepted) and notice.size < 12:
            run.stop("that is enough")

    executor = SimulatedExecutor(needs(3, 17), 3)
    run: Run[Case] = Run(executor, notify=stop_at)
    result = run.reduce(UNITS, reduction)
    assert (result.why, result.end) == ("that is enough", End.STOPPED)
    assert 2 < len(result.case) < 12
    assert not executor.running


def test_an_interrupt_gives_the_best_so_far() -> None:
    def interrupt(case: Case) -> Outcome:
        if len(case) < 8:
            raise KeyboardInterrupt
        return needs(3, 17)(case)

    result = Run[Case](SimulatedExecutor(interrupt)).reduce(UNITS, reduction)
    assert (result.why, result.end) == ("interrupted", End.INTERRUPTED)
    assert 8 <= len(result.case) <= 20


def test_the_best_so_far_is_told_with_every_step_and_never_grows() -> None:
    heard: list[RunEvent] = []
    result = Run[Case](SimulatedExecutor(needs(3, 17)), notify=heard.append).reduce(UNITS, reduction)
    sizes = [notice.size for notice in heard if isinstance(notice, Accepted) and notice.smallest]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[0] == 20
    assert sizes[-1] == 2
    assert heard[-1] == Ended("finished", len(result.case), End.FINISHED)


def test_a_result_that_was_never_seen_failing_is_tested_before_it_is_believed() -> None:
    def liar(case: Case) -> Reduction[Case]:
        yield from ()
        return (1,)

    assert Run[Case](SimulatedExecutor(needs(3, 17))).reduce(UNITS, liar).case == UNITS
    assert Run[Case](SimulatedExecutor(needs(1))).reduce(UNITS, liar).case == (1,)


def isolated(executor: SimulatedExecutor, passing: Case = (), budget: Budget | None = None) -> tuple[Case, Case]:
    result = Run[Case](executor, budget=budget).isolate(passing, UNITS, dd(UNITS, passing))
    assert result.passing is not None
    return result.passing, result.case


def test_isolation_gives_two_sides_that_differ_in_one_unit() -> None:
    passing, failing = isolated(SimulatedExecutor(needs(3, 17), 2))
    assert needs(3, 17)(passing) is Outcome.PASS
    assert needs(3, 17)(failing) is Outcome.FAIL
    assert len(set(failing) - set(passing)) == 1
    assert set(passing) < set(failing)


def test_isolation_that_is_ended_early_gives_two_sides_that_are_true() -> None:
    passing, failing = isolated(SimulatedExecutor(needs(3, 17)), budget=Budget(tests=4))
    assert needs(3, 17)(passing) is Outcome.PASS
    assert needs(3, 17)(failing) is Outcome.FAIL


@pytest.mark.parametrize(("oracle", "wanted"), [(needs(99), Outcome.FAIL), (fails_if(bool), Outcome.PASS)])
def test_isolation_refuses_sides_that_are_not_what_they_should_be(
    oracle: partial[Outcome] | Sequence[Outcome], wanted: Outcome
) -> None:
    with pytest.raises(NotFailing) as caught:
        isolated(SimulatedExecutor(oracle), passing=(1,))  # type: ignore[arg-type]
    assert caught.value.wanted is wanted


def test_a_listener_that_breaks_hears_no_more() -> None:
    heard: list[RunEvent] = []

    def listen(notice: RunEvent) -> None:
        heard.append(notice)
        if isinstance(notice, Accepted) and notice.kind is not StepKind.INPUT:
            raise RuntimeError("broken")

    with pytest.raises(RuntimeError, match="broken"):
        Run[Case](SimulatedExecutor(needs(3)), notify=listen).reduce((1, 2, 3, 4), ddmin)
    assert isinstance(heard[-1], Accepted)


def signed(case: Case) -> Verdict:
    fails = {3, 17} <= {*case} or not case
    return Verdict(Outcome.FAIL, signature=f"of {len(case)}") if fails else Verdict(Outcome.PASS)


def test_whatever_is_accepted_comes_with_what_its_failure_looks_like() -> None:
    heard: list[RunEvent] = []
    luck = [Retracted(UNITS[:18], Verdict(Outcome.FAIL, signature="of 18"))]

    def confirm(case: Case) -> None:
        if luck:
            raise luck.pop()

    run: Run[Case] = Run(Inline(signed), notify=heard.append, confirm=confirm, tidy=lambda case: (0, *case))
    run.reduce(UNITS, reduction)
    run.reduce(UNITS, reduction, empty=())
    accepted = [notice for notice in heard if isinstance(notice, Accepted)]
    assert {notice.kind for notice in accepted} == {*StepKind} - {StepKind.RESULT}
    assert [notice.signature for notice in accepted] == [f"of {notice.size}" for notice in accepted]


def test_a_run_that_was_stopped_is_not_one_that_was_lost() -> None:
    def lost(case: Case) -> Outcome:
        if len(case) < 8:
            raise ExecutorLost("the workers have gone home")
        return Outcome.FAIL if {3, 17} <= {*case} else Outcome.PASS

    result = Run[Case](SimulatedExecutor(lost)).reduce(UNITS, reduction)
    assert (result.why, result.lost, result.finished) == ("the workers have gone home", True, False)
    assert result.end is End.EXECUTOR_LOST
    assert {3, 17} <= {*result.case}
    stopped = Run[Case](SimulatedExecutor(needs(3, 17)), budget=Budget(tests=5)).reduce(UNITS, reduction)
    assert (stopped.lost, stopped.finished) == (False, False)
    assert not Run[Case](SimulatedExecutor(needs(3, 17))).reduce(UNITS, reduction).lost


def test_the_words_of_an_end_decide_nothing() -> None:
    def stop_at_once(notice: RunEvent) -> None:
        if isinstance(notice, Accepted):
            run.stop("finished")

    run: Run[Case] = Run(SimulatedExecutor(needs(3, 17)), notify=stop_at_once)
    assert not run.reduce(UNITS, reduction).finished
