"""ddmin and its variants, driven by hand."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from minrepro.algorithms.lists.ddmin import (
    advised_factor,
    balanced_split,
    ddmin,
    ddmin_star,
    onemin,
    weighted_split,
    zeller_split,
)
from minrepro.core.search import Reduction, solve
from minrepro.core.verdicts import Outcome
from minrepro.settings import Loops, PartOrder
from minrepro.testing import fails_if, needs

Case = tuple[int, ...]


def asked(reduction: Reduction[Case], needed: set[int]) -> list[Case]:
    """Return every configuration that is tried, in order."""
    tried: list[Case] = []

    def test(config: Case) -> Outcome:
        tried.append(config)
        return needs(*needed)(config)

    solve(reduction, test)
    return tried


def test_the_smaller_parts_come_first_as_in_zellers_split() -> None:
    assert zeller_split(range(10), 4) == [range(2), range(2, 4), range(4, 7), range(7, 10)]


def test_the_balanced_split_mixes_the_sizes() -> None:
    assert [len(part) for part in balanced_split(range(10), 4)] == [2, 3, 2, 3]


@pytest.mark.parametrize("split", [zeller_split, balanced_split, weighted_split(float)])
@pytest.mark.parametrize("size", [1, 2, 7, 30])
def test_every_split_cuts_into_parts_none_of_which_is_empty(split: object, size: int) -> None:
    assert callable(split)
    for n in range(1, size + 1):
        parts: list[Sequence[int]] = split(range(size), n)
        assert len(parts) == n
        assert all(parts)
        assert [unit for part in parts for unit in part] == list(range(size))


def test_a_weighted_split_cuts_where_half_the_weight_is() -> None:
    assert weighted_split(lambda unit: 9.0 if unit == 0 else 1.0)(range(10), 2) == [range(1), range(1, 10)]


def test_subsets_are_tried_first_and_then_complements() -> None:
    assert asked(ddmin(range(4)), {0, 3})[:6] == [(0, 1), (2, 3), (2, 3), (0, 1), (0,), (1,)]


def test_complements_only_tries_no_subsets() -> None:
    assert asked(ddmin(range(3), reduce="complements only"), {0, 1, 2}) == [(1, 2), (0,), (1, 2), (0, 2), (0, 1)]


@pytest.mark.parametrize(
    ("order", "tried"), [("forward", [(1, 2), (0, 2), (0, 1)]), ("backward", [(0, 1), (0, 2), (1, 2)])]
)
def test_complements_are_tried_in_the_order_that_was_asked_for(order: PartOrder, tried: list[Case]) -> None:
    assert asked(onemin(range(3), complement_order=order), {0, 1, 2}) == tried


def test_a_random_order_depends_on_the_seed_alone() -> None:
    def order(seed: int) -> list[Case]:
        return asked(onemin(range(30), complement_order="random", rng=random.Random(seed)), set(range(30)))

    assert order(1) == order(1)
    assert order(1) != order(2)
    assert sorted(order(1)) == sorted(order(2))


def test_after_a_removal_it_goes_on_behind_the_part_that_went() -> None:
    behind = asked(ddmin(range(4), factor=math.inf, reduce="complements only"), {0, 2, 3})
    restarted = asked(ddmin(range(4), factor=math.inf, reduce="complements only", resume_behind=False), {0, 2, 3})
    assert behind == [(1, 2, 3), (0, 2, 3), (0, 3), (0, 2), (2, 3)]
    assert restarted == [(1, 2, 3), (0, 2, 3), (2, 3), (0, 3), (0, 2)]


def test_the_split_factor_says_how_fast_the_parts_become_finer() -> None:
    sizes = [len(config) for config in asked(ddmin(range(27), factor=3, reduce="complements only"), set(range(27)))]
    assert sizes == [18] * 3 + [24] * 9 + [26] * 27


@pytest.mark.parametrize("loops", ["ahead", "combined", "separate"])
def test_where_searches_end_makes_no_difference_to_one_worker(loops: Loops) -> None:
    assert asked(ddmin(range(20), loops=loops), {3, 4, 11}) == asked(ddmin(range(20)), {3, 4, 11})


@pytest.mark.parametrize(("loops", "searches"), [("ahead", 1), ("combined", 3), ("separate", 6)])
def test_loops_say_how_many_searches_a_step_takes(loops: Loops, searches: int) -> None:
    reduction = ddmin(range(8), loops=loops)
    next(reduction)
    count = 1
    with pytest.raises(StopIteration):
        while True:
            reduction.send(None)
            count += 1
    assert count == searches


def test_ddmin_star_runs_again_until_nothing_changes() -> None:
    runs: list[int] = []

    def drops_one(config: Sequence[int]) -> Reduction[Case]:
        runs.append(len(config))
        yield from ()
        return tuple(config)[1:] if len(config) > 3 else tuple(config)

    assert solve(ddmin_star(range(6), drops_one), needs()) == (3, 4, 5)
    assert runs == [6, 5, 4, 3]


@pytest.mark.parametrize("size", [0, 1])
def test_nothing_is_asked_about_a_configuration_of_one_unit_or_none(size: int) -> None:
    assert asked(ddmin(range(size)), set()) == []
    assert solve(onemin(range(size)), fails_if(bool)) == tuple(range(size))


def test_the_advised_factor_tries_single_units_at_once_where_there_are_few() -> None:
    assert [advised_factor(size) for size in (1, 12, 13, 1000)] == [math.inf, math.inf, 4, 4]
    for size in (5, 40):
        by_number = ddmin(range(size), factor=advised_factor(size))
        assert asked(ddmin(range(size), factor="auto"), {1, 3}) == asked(by_number, {1, 3})


def picire_like(units: int, test: Callable[[Sequence[int]], bool], split: Any) -> list[Case]:
    """Return all that the loop of Picire asks for, its parts kept after a removal, and cut more finely otherwise."""
    tried: list[Case] = []

    def fails(case: list[int]) -> bool:
        tried.append(tuple(case))
        return test(case)

    parts: list[list[int]] = [list(range(units))]
    offset = 0
    while sum(map(len, parts)) > 1:
        if len(parts) < 2:
            parts, offset = _cut(parts, split), 0
        number = len(parts)
        subset = next((part for part in parts if fails(part)), None)
        if subset is not None:
            parts, offset = [subset], 0
            continue
        for i in ((k + offset) % number for k in range(number)):
            rest = parts[:i] + parts[i + 1 :]
            if fails([unit for part in rest for unit in part]):
                parts, offset = rest, i
                break
        else:
            if number == sum(map(len, parts)):
                break
            parts = _cut(parts, split)
            offset = offset * len(parts) // number
    return tried


def _cut(parts: list[list[int]], split: Any) -> list[list[int]]:
    whole = [unit for part in parts for unit in part]
    return list(map(list, split(whole, min(len(whole), 2 * len(parts)))))


@pytest.mark.parametrize("split", [zeller_split, balanced_split])
def test_after_a_removal_the_other_parts_stay_as_they_are_as_in_picire(split: Any) -> None:
    for seed in range(60):
        random_source = random.Random(seed)
        needed = set(random_source.sample(range(50), random_source.randint(1, 12)))
        assert asked(ddmin(range(50), split=split), needed) == picire_like(50, needed.issubset, split)
