"""The group-testing minimiser."""

from __future__ import annotations

import math
import random

import pytest

from minrepro.algorithms.lists.group_testing import Density, grouping
from minrepro.core.search import solve
from minrepro.core.verdicts import Outcome
from minrepro.testing import needs


class Counted:
    """An oracle that counts how often it is asked about different configurations."""

    def __init__(self, needed: set[int]) -> None:
        self._test = needs(*needed)
        self.asked: list[tuple[int, ...]] = []

    def __call__(self, config: tuple[int, ...]) -> Outcome:
        self.asked.append(config)
        return self._test(config)


def test_what_follows_from_two_answers_is_not_asked() -> None:
    oracle = Counted({0, 1})
    assert solve(grouping(range(2)), oracle) == (0, 1)
    assert len(set(oracle.asked)) == 2


@pytest.mark.parametrize(("size", "needed"), [(2000, 5), (2000, 100), (10_000, 1)])
def test_it_stays_near_the_information_theoretic_bound(size: int, needed: int) -> None:
    chosen = set(random.Random(7).sample(range(size), needed))
    oracle = Counted(chosen)
    assert solve(grouping(range(size)), oracle) == tuple(sorted(chosen))
    bound = math.log2(math.comb(size, needed)) + needed
    assert len(set(oracle.asked)) <= 1.5 * bound + 10


def test_when_all_is_needed_little_more_than_one_question_a_unit_is_asked() -> None:
    oracle = Counted(set(range(200)))
    assert solve(grouping(range(200)), oracle) == tuple(range(200))
    assert len(set(oracle.asked)) <= 220


def test_weights_make_heavy_units_go_alone() -> None:
    weights = [1.0] * 50 + [1000.0]
    oracle = Counted({3})
    assert solve(grouping(range(51), weight=weights.__getitem__), oracle) == (3,)
    assert oracle.asked[0] == tuple(range(50))


def test_a_group_has_an_even_chance_to_go() -> None:
    rare, common = Density(begun=1, seen=1000), Density(begun=300, seen=1000)
    assert rare.group(behind_needed=False) == pytest.approx(math.log(2) * 1000, rel=0.01)
    assert common.group(behind_needed=False) == pytest.approx(2, abs=0.2)
    assert Density(gone_on=9, followed=10).group(behind_needed=True) == 1


def test_the_density_learns_from_what_was_needed_and_what_was_not() -> None:
    start = Density()
    assert start.after(True, 1, False).group(False) < start.group(False) < start.after(False, 50, False).group(False)


def test_units_that_become_free_later_are_found_by_looking_again() -> None:
    def chain(config: tuple[int, ...]) -> Outcome:  # a unit may go only when all before it are gone
        return Outcome.FAIL if config and config == tuple(range(config[0], 12)) else Outcome.PASS

    assert solve(grouping(range(12)), chain) == (11,)
