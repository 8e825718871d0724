"""ProbDD and CDD."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

import pytest

from minrepro.algorithms.lists.probabilistic import cdd, probdd
from minrepro.core.search import Reduction, solve
from minrepro.core.verdicts import Outcome
from minrepro.testing import needs

Minimizer = Callable[[Sequence[int]], Reduction[tuple[int, ...]]]


def tried(minimize: Minimizer, size: int, needed: set[int]) -> list[tuple[int, ...]]:
    asked: list[tuple[int, ...]] = []

    def test(config: tuple[int, ...]) -> Outcome:
        asked.append(config)
        return needs(*needed)(config)

    assert solve(minimize(range(size)), test) == tuple(sorted(needed))
    return asked


def test_probdd_first_removes_as_many_units_as_promise_the_largest_gain() -> None:
    # With a chance of 0.1 that a unit is needed, s·0.9^s is largest for nine or ten units.
    assert len(tried(probdd, 100, {50})[0]) in (90, 91)


def test_probdd_does_not_ask_again_about_a_unit_that_was_refused_alone() -> None:
    asked = tried(probdd, 6, set(range(6)))
    singles = [config for config in asked if len(config) == 5]
    assert len(set(singles)) == 6


def test_probdd_by_weight_prefers_to_remove_what_is_heavy() -> None:
    def weight(unit: int) -> float:
        return 100.0 if unit in (4, 7) else 1.0

    asked = tried(lambda config: probdd(config, weight=weight), 20, {0})
    assert all(4 not in config for config in asked[-2:])


def test_cdd_removes_smaller_and_smaller_groups_of_neighbours() -> None:
    removed = [100 - len(config) for config in tried(cdd, 100, set(range(100)))]
    rounds = [size for n, size in enumerate(removed) if n == 0 or size != removed[n - 1]]
    assert removed[0] == 9
    assert rounds[-1] == 1
    assert [size for size in rounds if size > 3] == sorted((size for size in rounds if size > 3), reverse=True)


@pytest.mark.parametrize("minimize", [probdd, cdd])
def test_many_needed_units_cost_a_few_tests_each(minimize: Minimizer) -> None:
    needed = set(random.Random(3).sample(range(400), 40))
    assert len(set(tried(minimize, 400, needed))) < 8 * 40


@pytest.mark.parametrize("minimize", [probdd, cdd])
@pytest.mark.parametrize("size", [1, 2, 3])
def test_the_empty_configuration_is_never_tried(minimize: Minimizer, size: int) -> None:
    assert () not in tried(minimize, size, {0})
