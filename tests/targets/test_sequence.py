"""Candidates of a sequence are the units they should be, however they are made."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from minrepro.algorithms.ddmin import ddmin
from minrepro.algorithms.grouping import grouping
from minrepro.errors import UsageError
from minrepro.search import Outcome, solve
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
        assert case.rows == rows_of(positions)
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


def test_many_rows_are_remembered_by_a_digest() -> None:
    case = SequenceCase.whole(list(range(1000)))
    scattered = case.of(tuple(range(0, 1000, 2)))
    assert isinstance(scattered.memory_key, bytes)
    assert case.memory_key == (0, 1000)


def test_a_passing_part_is_found_in_the_whole() -> None:
    whole = SequenceCase.whole(list("abcabc"))
    assert part_of(whole, "bb").positions == (1, 4)
    with pytest.raises(UsageError, match="lacks 'a'"):
        part_of(whole, "cca")
