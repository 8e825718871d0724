"""All causes of a failure: each result is minimal, and differs from all others."""

from __future__ import annotations

import pytest

from minrepro import reduce_all
from minrepro.algorithms.algorithm_registry import LIST_ALGORITHMS, list_minimizer
from minrepro.algorithms.lists.causes import all_minimal
from minrepro.core.search import solve
from minrepro.testing import fails_if

CAUSES = ({3, 4}, {10}, {12, 17, 19}, {4, 30})


def fails(case: tuple[int, ...]) -> bool:
    return any(cause <= set(case) for cause in CAUSES)


@pytest.mark.parametrize("name", LIST_ALGORITHMS)
def test_every_cause_is_found_once(name: str) -> None:
    found = solve(all_minimal(range(40), list_minimizer(name)), fails_if(fails))
    assert {frozenset(cause) for cause in found} == set(map(frozenset, CAUSES))
    assert len(found) == len(CAUSES)


def test_text_is_cut_into_lines() -> None:
    assert reduce_all("one\ntwo!\nthree\nfour!\n", lambda text: "!" in text) == ["two!\n", "four!\n"]


@pytest.mark.parametrize("workers", [1, 3])
def test_a_list_gives_lists(workers: int) -> None:
    found = reduce_all(list(range(40)), lambda case: fails(tuple(case)), workers=workers)
    assert sorted(map(sorted, found)) == [[3, 4], [4, 30], [10], [12, 17, 19]]
