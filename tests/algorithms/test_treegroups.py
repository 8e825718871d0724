"""Group testing on trees."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from minrepro.algorithms.hdd import hdd_star
from minrepro.algorithms.trees import TREE_ALGORITHMS, TreeMinimizer, reduce_tree, tree_minimizer
from minrepro.documents.opening import open_tree
from minrepro.errors import UsageError
from minrepro.search import Outcome, solve

PROGRAM = b"".join(
    b"int f%d(int a) {\n    int t = a + %d;\n    return f%d(t) * 2;\n}\n\n" % (i, i, max(i - 1, 0)) for i in range(60)
)


def counted(text: bytes, language: str, algorithm: TreeMinimizer, fails: Callable[[bytes], bool]) -> tuple[bytes, int]:
    cases: dict[bytes, Outcome] = {}

    def test(case: bytes) -> Outcome:
        return cases.setdefault(case, Outcome.FAIL if fails(case) else Outcome.PASS)

    return solve(reduce_tree(open_tree(text, language), algorithm), test), len(cases)


def keeps_sum(case: bytes) -> bool:
    return b"a + 41" in case


@pytest.mark.parametrize("name", TREE_ALGORITHMS)
def test_every_algorithm_finds_the_one_function_that_matters(name: str) -> None:
    result, _ = counted(PROGRAM, "c", TREE_ALGORITHMS[name], keeps_sum)
    assert keeps_sum(result)
    assert len(result) < 80


def test_a_1_tree_minimal_result_costs_fewer_tests_than_by_levels() -> None:
    def keeps_some(case: bytes) -> bool:
        return all(b"a + %d;" % i in case for i in (3, 17, 18, 30, 41, 55))

    _, groups = counted(PROGRAM, "c", TREE_ALGORITHMS["tree"], keeps_some)
    _, levels = counted(PROGRAM, "c", hdd_star, keeps_some)
    assert groups < levels


def test_names_save_tests_where_definitions_are_used() -> None:
    def compiles(case: bytes) -> bool:
        calls = {int(word[1:-1]) for word in re.findall(rb"f\d+\(", case.replace(b"int f", b""))}
        return b"f39(t)" in case and all(b"int f%d(" % call in case for call in calls)

    with_names, with_tests = counted(PROGRAM, "c", TREE_ALGORITHMS["tree"], compiles)
    without_names, without_tests = counted(PROGRAM, "c", TREE_ALGORITHMS["groups"], compiles)
    assert b"f39(t)" in with_names
    assert b"f39(t)" in without_names
    assert with_tests <= 2 * without_tests


def test_an_unknown_algorithm_is_refused_with_those_there_are() -> None:
    with pytest.raises(UsageError, match=r"hdd\*"):
        tree_minimizer("best")
