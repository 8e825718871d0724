"""Units that go only together: found while that stays below what ddmin takes, and what that is."""

from __future__ import annotations

import math

from hypothesis import given
from hypothesis import strategies as st

from minrepro.algorithms.lists.sequences import sequences
from minrepro.algorithms.lists.together import Spending, ddmin_spending, together
from minrepro.core.search import Candidate, first, solve
from minrepro.core.verdicts import Outcome

Units = tuple[int, ...]


def ddmin(size: int, needed: set[int]) -> Spending:
    """Play complements-only ddmin through, test by test."""
    left, parts, spent = list(range(size)), 2, Spending(tests=1, units=size)
    while len(left) >= 2:
        step = math.ceil(len(left) / parts)
        for begin in range(0, len(left), step):
            rest = left[:begin] + left[begin + step :]
            spent.tests += 1
            missing = sorted(needed - set(rest))
            # A replay stops at the next unit that is needed after one that is missing.
            stop = next(
                (i + 1 for i, unit in enumerate(rest) if missing and unit in needed and unit > missing[-1]), None
            )
            spent.units += len(rest) if stop is None else stop
            if not missing:
                left, parts = rest, max(parts - 1, 2)
                break
        else:
            if parts >= len(left):
                break
            parts = min(len(left), 2 * parts)
    return spent


@given(st.integers(2, 60), st.sets(st.integers(0, 59), max_size=6))
def test_what_ddmin_takes_is_what_it_takes_where_all_of_the_result_is_needed(size: int, some: set[int]) -> None:
    needed = {place for place in some if place < size} | {size - 1}
    assert ddmin_spending(size, sorted(needed)) == ddmin(size, needed)


def test_what_undoes_something_goes_with_it() -> None:
    def fails(config: Units) -> Outcome:
        return Outcome.FAIL if config[-1:] == (9,) and sum(config) == 9 else Outcome.PASS

    def places(unit: int) -> int:
        return 300 + units.index(unit)

    units = (1, -1, 2, -2, 9)
    assert solve(together(units, 305, places, lambda config: config, lambda one, other: False, Spending()), fails) == (
        9,
    )


@given(st.integers(20, 200), st.sets(st.integers(0, 199), min_size=8, max_size=16))
def test_no_more_is_spent_than_ddmin_would(size: int, some: set[int]) -> None:
    needed = {place for place in some if place < size} | {size - 1}
    tested: list[Units] = []

    def fails(config: Units) -> Outcome:
        tested.append(config)
        return Outcome.FAIL if needed <= set(config) else Outcome.PASS

    spent = Spending()
    left = solve(spent.of(sequences(tuple(range(size)))), fails)
    before = len(tested)
    assert left == tuple(sorted(needed))
    assert solve(together(left, size, int, lambda config: config, lambda one, other: True, spent), fails) == left
    most = ddmin_spending(size, sorted(needed))
    assert len(tested) == before or len(tested) <= most.tests
    assert len(tested) == before or sum(map(len, tested)) <= most.units


def test_a_search_that_may_spend_no_more_ends() -> None:
    spent, tested = Spending(), list[Units]()

    def passes(config: Units) -> Outcome:
        tested.append(config)
        return Outcome.PASS

    search = first(Candidate(tuple(range(10))) for _ in range(1000))
    assert solve(spent.of(search, Spending(tests=5, units=1000)), passes) is None
    assert len(tested) == 5


def test_what_is_known_costs_nothing() -> None:
    spent = Spending(known=lambda config: config == (1,))
    search = first(map(Candidate, [(1,), (2, 3)]))
    assert solve(spent.of(search), lambda config: Outcome.PASS) is None
    assert (spent.tests, spent.units) == (1, 2)
