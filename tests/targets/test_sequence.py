"""Candidates of a sequence are the units they should be, however they are made."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from minrepro.algorithms.lists.ddmin import ddmin
from minrepro.algorithms.lists.group_testing import grouping
from minrepro.core.search import solve
from minrepro.core.verdicts import Outcome
from minrepro.errors import UsageError
from minrepro.targets.sequence import SequenceCase, SequenceReduction, part_of


def rows_of(positions: tuple[int, ...]) -> tuple[int, ...]:
    bounds: list[int] = []
    for position in positions:
        if bounds and bounds[-1] == position:
            bounds[-1] += 1
        else:
            bounds += [position, position + 1]
    return tuple(bounds)


@given(st.data())
def test_a_case_has_the_units_of_its_positions(data: st.DataObject) -> None:
    case = SequenceCase.whole(f"unit {i}" for i in range(data.draw(st.integers(0, 40))))
    names = list(case.units)
    while len(case):
        mine = tuple(case.positions)
        start = data.draw(st.integers(0, len(mine)))
        end = data.draw(st.integers(start, len(mine)))
        match data.draw(st.sampled_from(["without", "only", "any"])):
            case "without":
                positions = mine[:start] + mine[end:]
            case "only":
                positions = mine[start:end]
            case _:
                chosen = data.draw(st.sets(st.sampled_from(mine)))
                positions = tuple(sorted(chosen))
        before, case = case, case.of(positions)
        assert case.positions == positions
        assert case.units == tuple(names[i] for i in positions)
        assert tuple(case.rows) == rows_of(positions)
        assert case.memory_key == SequenceCase.whole(names)._scattered(positions).memory_key if positions else True
        assert (case == before) == (positions == mine)
        if len(positions) == len(mine):
            break


@pytest.mark.parametrize("minimize", [grouping, ddmin])
def test_units_that_cannot_be_hashed_are_reduced_to_what_is_needed(minimize: Any) -> None:
    units = [{"n": n % 10} for n in range(100)]
    reduction = SequenceReduction(units, minimize)
    result = solve(
        reduction(reduction.original),
        lambda case: Outcome.FAIL if sum(unit["n"] == 3 for unit in case.units) > 4 else Outcome.PASS,
    )
    assert result.units == ({"n": 3},) * 5


def test_a_case_is_known_by_what_is_in_it_however_it_came_about() -> None:
    case = SequenceCase.whole(list(range(1000)))
    even = case.of(tuple(range(0, 1000, 2)))
    without = case.of((*range(100), *range(200, 1000)))
    assert without.of((*range(50), *range(300, 1000))) == case.of((*range(50), *range(300, 1000)))
    assert len({case.memory_key, even.memory_key, without.memory_key, case.of(()).memory_key}) == 4


def test_a_passing_part_is_found_in_the_whole() -> None:
    whole = SequenceCase.whole(list("abcabc"))
    assert part_of(whole, "bb").positions == (1, 4)
    with pytest.raises(UsageError, match="lacks 'a'"):
        part_of(whole, "cca")
