"""The list minimisers by name."""

from __future__ import annotations

import math

import pytest

from minrepro.algorithms.algorithm_names import TREE_NAMES
from minrepro.algorithms.algorithm_registry import LIST_ALGORITHMS, list_minimizer, split_factor
from minrepro.algorithms.trees.tree_registry import TREE_ALGORITHMS
from minrepro.core.search import solve
from minrepro.errors import UsageError
from minrepro.settings import DdminOptions
from minrepro.testing import needs


@pytest.mark.parametrize("name", LIST_ALGORITHMS)
def test_every_name_stands_for_a_minimizer(name: str) -> None:
    assert solve(list_minimizer(name)(range(20)), needs(2, 11)) == (2, 11)


@pytest.mark.parametrize("name", ["ddmin", "ddmin*", "onemin"])
def test_the_ddmin_family_takes_an_order_and_a_seed(name: str) -> None:
    options = DdminOptions(complement_order="random", restart=True, loops="combined", seed=5)
    assert solve(list_minimizer(name, options)(range(20)), needs(2, 11)) == (2, 11)


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("grouping", DdminOptions(factor=3)),
        ("cdd", DdminOptions(split="balanced")),
        ("onemin", DdminOptions(reduce="subsets first")),
        ("magic", DdminOptions()),
    ],
)
def test_what_has_no_meaning_is_refused(name: str, options: DdminOptions) -> None:
    with pytest.raises(UsageError):
        list_minimizer(name, options)


def test_a_split_factor_is_a_whole_number_from_2_on_or_infinite() -> None:
    assert (split_factor("2"), split_factor("10")) == (2, 10)
    assert (split_factor("inf"), split_factor("∞"), split_factor("auto")) == (math.inf, math.inf, "auto")
    for text in ("1", "0", "-3", "2.5", "many", ""):
        with pytest.raises(ValueError, match="whole number of at least 2"):
            split_factor(text)


def test_the_names_of_tree_algorithms_that_are_offered_are_those_that_are_there() -> None:
    assert tuple(TREE_ALGORITHMS) == TREE_NAMES
