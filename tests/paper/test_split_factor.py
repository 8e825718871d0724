"""Kiss, *Generalizing the split factor of the minimizing delta debugging algorithm* (2020)."""

from __future__ import annotations

import math
import shutil

import pytest
from benchmarks.papers.split_factor import PROBLEMS, TABLE_2, mean_tests, row

from minrepro.algorithms.lists.ddmin import ddmin, onemin
from minrepro.core.search import solve
from minrepro.core.verdicts import Outcome


@pytest.mark.processes
@pytest.mark.skipif(shutil.which("gcc") is None, reason="needs gcc")
def test_table_2_all_22_cells_for_bug_c_are_those_of_the_document() -> None:
    assert {factor: row(factor) for factor in TABLE_2} == TABLE_2


def test_algorithm_2_is_algorithm_3_with_an_infinite_factor_and_complements_only() -> None:
    def test(config: tuple[int, ...]) -> Outcome:
        return Outcome.FAIL if {2, 7, 8} <= set(config) else Outcome.PASS

    by_factor = ddmin(range(20), factor=math.inf, reduce="complements only", resume_behind=False)
    assert solve(onemin(range(20)), test) == solve(by_factor, test) == (2, 7, 8)


@pytest.mark.parametrize("name", PROBLEMS)
def test_the_advised_factor_never_takes_many_more_tests_than_two(name: str) -> None:
    assert mean_tests(PROBLEMS[name], "auto") <= 1.15 * mean_tests(PROBLEMS[name], 2)
