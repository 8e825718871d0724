from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from minrepro.algorithms.lists.guided import guided, steps_taken
from minrepro.core.search import solve
from minrepro.core.verdicts import Outcome
from minrepro.engine.scheduler import Scheduler
from minrepro.testing import SimulatedExecutor


def taken(steps: list[set[int]], needed: set[int], size: int = 20) -> tuple[tuple[int, ...], int]:
    asked: list[tuple[int, ...]] = []

    def test(config: tuple[int, ...]) -> Outcome:
        asked.append(config)
        return Outcome.FAIL if needed <= set(config) else Outcome.PASS

    return solve(steps_taken(range(size), [frozenset(step) for step in steps]), test), len(asked)


def test_right_steps_cost_one_test() -> None:
    assert taken([{0, 1}, {5}, {7, 9}], {3, 10}) == ((0, 1, 2), 1)


def test_no_step_costs_no_test() -> None:
    assert taken([], {3}) == ((), 0)


def test_a_wrong_step_costs_a_logarithm_of_tests() -> None:
    steps = [{i} for i in range(64)]
    found, tests = taken(steps, {40, 70}, size=80)
    assert found == tuple(i for i in range(64) if i != 40)
    assert tests <= 9


def test_all_wrong_steps_are_left_out() -> None:
    found, _ = taken([{0}, {1, 2}, {3}], {0, 2, 3, 9})
    assert found == ()


@given(st.data())
def test_the_result_is_1_minimal_however_bad_the_steps_and_whatever_the_oracle(data: st.DataObject) -> None:
    size = data.draw(st.integers(1, 9))
    units = data.draw(st.permutations(range(size)))
    cut = data.draw(st.lists(st.integers(1, 3), max_size=4))
    steps, start = [], 0
    for length in cut:
        steps.append(frozenset(units[start : start + length]))
        start += length
    failing = {tuple(range(size)), *data.draw(st.sets(st.sets(st.integers(0, size - 1), min_size=1).map(_ordered)))}

    def test(config: tuple[int, ...]) -> Outcome:
        return Outcome.FAIL if config in failing else Outcome.PASS

    result = solve(guided(range(size), [step for step in steps if step]), test)
    assert result in failing
    assert all(result[:i] + result[i + 1 :] not in failing for i in range(len(result)))


def _ordered(units: set[int]) -> tuple[int, ...]:
    return tuple(sorted(units))


def test_testing_ahead_changes_nothing() -> None:
    steps = [frozenset({i}) for i in range(0, 40, 2)]
    needed = {6, 21, 30}

    def test(config: tuple[int, ...]) -> Outcome:
        return Outcome.FAIL if needed <= set(config) else Outcome.PASS

    for workers in (1, 3, 8):
        scheduler = Scheduler(SimulatedExecutor(test, workers))
        assert scheduler.run(guided(range(40), steps), lambda candidate, label, verdict: None) == (6, 21, 30)
