"""n-minimality, monotony, the smallest subset: around any list minimizer, and the counts that they save or cost."""

from __future__ import annotations

import random
from itertools import combinations
from typing import Any

import pytest

from minrepro import reduce
from minrepro.algorithms.algorithm_registry import LIST_ALGORITHMS, list_minimizer
from minrepro.algorithms.lists.refinements import Refinement, checks_for, n_minimal
from minrepro.core.search import solve
from minrepro.core.verdicts import Outcome


def fails_in_pairs(case: tuple[int, ...]) -> bool:
    """Unit 0 is needed, and units 2 and 3, or 5 and 6, ... only come together, or not at all."""
    return 0 in case and all((unit in case) == (unit + 1 in case) for unit in range(2, 20, 3))


@pytest.mark.parametrize("name", LIST_ALGORITHMS)
def test_a_2_minimal_result_has_no_pair_that_could_go(name: str) -> None:
    test = lambda case: Outcome.FAIL if fails_in_pairs(case) else Outcome.PASS  # noqa: E731
    told: list[str] = []
    result = solve(n_minimal(list_minimizer(name), 2, told.append)(range(21)), test)
    assert result == (0,)
    assert told == [] or "checks" in told[0]


def test_the_cost_that_is_told_is_what_a_proof_of_minimality_takes() -> None:
    asked: set[tuple[int, ...]] = set()

    def test(case: tuple[int, ...]) -> Outcome:
        asked.add(case)
        return Outcome.FAIL if len(case) == 7 else Outcome.PASS

    solve(n_minimal(lambda config: iter_of(tuple(config)), 3)(range(7)), test)
    assert len(asked) == checks_for(7, 3) == 21 + 35
    assert {7 - len(case) for case in asked} == {2, 3}


def iter_of(config: tuple[int, ...]) -> Any:
    """Return a minimizer's generator that asks for nothing."""
    return config
    yield


def test_what_is_in_a_candidate_that_passed_is_not_asked_again() -> None:
    def checks(seed: int, **more: Any) -> tuple[int, list[int]]:
        needed = set(random.Random(seed).sample(range(200), 12))
        done = reduce(list(range(200)), lambda case: needed <= set(case), algorithm="ddmin", **more)
        return done.stats.checks, done.reduced

    plain, monotone = [checks(seed) for seed in range(5)], [checks(seed, monotone=True) for seed in range(5)]
    assert [result for _, result in plain] == [result for _, result in monotone]
    assert sum(count for count, _ in monotone) < 0.9 * sum(count for count, _ in plain)


def test_a_check_that_is_not_monotone_is_noticed_and_the_result_is_1_minimal() -> None:
    def fails(case: list[int]) -> bool:
        return 7 in case and (len(case) % 3 != 0 or len(case) < 3)

    for name in LIST_ALGORITHMS:
        result = reduce(list(range(31)), fails, algorithm=name, monotone=True).reduced
        assert fails(result)
        assert not any(fails([each for each in result if each != unit]) for unit in result)


def test_what_could_not_be_decided_says_nothing_about_its_parts() -> None:
    def check(case: list[int]) -> Outcome:
        if 3 in case and 5 in case:
            return Outcome.FAIL
        return Outcome.UNRESOLVED

    plain = reduce(list(range(40)), check, algorithm="ddmin")
    monotone = reduce(list(range(40)), check, algorithm="ddmin", monotone=True)
    assert plain.reduced == monotone.reduced == [3, 5]


def test_of_several_failing_subsets_the_smallest_goes_on() -> None:
    text = "x" * 60 + "!\n" + "y" * 60 + "\n" + "!\n" + "z\n"
    first = reduce(text, lambda case: "!" in case, algorithm="ddmin", units="lines")
    smallest = reduce(text, lambda case: "!" in case, algorithm="ddmin", units="lines", smallest=True)
    assert first.reduced == "x" * 60 + "!\n"
    assert smallest.reduced == "!\n"


@pytest.mark.parametrize("workers", [1, 4])
def test_all_refinements_together_keep_a_result_that_no_two_units_can_leave(workers: int) -> None:
    def fails(case: list[int]) -> bool:
        return {3, 17, 18} <= set(case) or {4, 9} <= set(case)

    how: dict[str, Any] = {"monotone": True, "smallest": True, "minimality": 2, "workers": workers}
    result = reduce(list(range(32)), fails, **how).reduced
    assert fails(result)
    assert not any(fails([each for each in result if each not in gone]) for gone in combinations(result, 2))


def test_nothing_is_wrapped_where_nothing_is_asked() -> None:
    minimize = list_minimizer("grouping")
    assert Refinement().of(minimize, tuple) is minimize
