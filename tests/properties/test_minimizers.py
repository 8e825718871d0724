"""What every list minimiser promises, for every oracle that always answers alike."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from minrepro.algorithms.lists.ddmin import ddmin
from minrepro.core.search import solve
from minrepro.core.verdicts import Outcome
from minrepro.engine.scheduler import Scheduler
from minrepro.settings import Mode
from minrepro.testing import SimulatedExecutor
from tests.properties.strategies import MINIMIZERS, Minimizer, minimizers, oracles

Oracle = Callable[[Sequence[int]], Outcome]


def is_subsequence(part: Sequence[int], whole: Sequence[int]) -> bool:
    rest = iter(whole)
    return all(unit in rest for unit in part)


def assert_minimal(result: tuple[int, ...], units: range, test: Oracle) -> None:
    assert test(result) is Outcome.FAIL
    assert is_subsequence(result, units)
    for i in range(len(result)):
        assert test(result[:i] + result[i + 1 :]) is not Outcome.FAIL


@given(oracles(), minimizers)
@settings(max_examples=600)
def test_the_result_fails_is_a_subsequence_and_is_1_minimal(problem: tuple[range, Oracle], minimize: Minimizer) -> None:
    units, test = problem
    assert_minimal(solve(minimize(units), test), units, test)


@pytest.mark.parametrize("name", sorted(MINIMIZERS))
def test_every_minimizer_finds_two_needed_units_among_many(name: str) -> None:
    def test(config: Sequence[int]) -> Outcome:
        return Outcome.FAIL if {3, 17} <= set(config) else Outcome.PASS

    assert solve(MINIMIZERS[name](range(30)), test) == (3, 17)


def run(units: range, test: Oracle, minimize: Minimizer, workers: int, mode: Mode, salt: int) -> tuple[int, ...]:
    executor = SimulatedExecutor(test, workers, lambda case: 1 + hash((salt, *case)) % 7)
    result = Scheduler(executor, mode=mode).run(minimize(units), lambda candidate, label, verdict: None)
    assert executor.most_running <= workers
    assert not executor.running
    return result


@given(oracles(), minimizers, st.integers(2, 40), st.integers(0, 99))
@settings(max_examples=400)
def test_in_order_the_result_does_not_depend_on_the_number_of_workers(
    problem: tuple[range, Oracle], minimize: Minimizer, workers: int, salt: int
) -> None:
    units, test = problem
    assert run(units, test, minimize, workers, "in order", salt) == run(units, test, minimize, 1, "in order", 0)


@given(oracles(), minimizers, st.integers(2, 40), st.integers(0, 99))
@settings(max_examples=300)
def test_a_race_is_1_minimal_too(problem: tuple[range, Oracle], minimize: Minimizer, workers: int, salt: int) -> None:
    units, test = problem
    assert_minimal(run(units, test, minimize, workers, "race", salt), units, test)


@given(oracles(largest=16), st.sampled_from([2, 3, 4, 7]))
@settings(max_examples=300)
def test_ddmin_keeps_to_the_worst_case_bound_of_its_split_factor(problem: tuple[range, Oracle], factor: int) -> None:
    units, test = problem
    asked: set[tuple[int, ...]] = set()

    def counted(config: tuple[int, ...]) -> Outcome:
        asked.add(config)
        return test(config)

    solve(ddmin(units, factor=factor), counted)
    size = len(units)
    assert len(asked) <= size**2 + (factor + 1) / (factor - 1) * size
    if factor == 2:
        assert len(asked) <= size**2 + 3 * size


@given(st.integers(1, 4000), st.sampled_from([2, 3, 5, 10]))
def test_the_best_case_of_ddmin_takes_the_logarithm_of_its_split_factor(size: int, factor: int) -> None:
    asked = 0

    def first_is_enough(config: tuple[int, ...]) -> Outcome:
        nonlocal asked
        asked += 1
        return Outcome.FAIL if 0 in config else Outcome.PASS

    assert solve(ddmin(range(size), factor=factor), first_is_enough) == (0,)
    assert asked <= math.ceil(math.log(size, factor) - 1e-9)  # the paper divides as if every part came out even
