from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from minrepro.algorithms.lists.group_testing import grouping
from minrepro.algorithms.lists.rddmin import rddmin
from minrepro.core.search import solve
from minrepro.core.verdicts import Outcome


@given(st.integers(1, 14).flatmap(lambda n: st.tuples(st.just(n), *[st.sets(st.integers(0, n - 1), min_size=1)] * 2)))
def test_the_result_is_what_is_needed_whatever_the_guess(problem: tuple[int, set[int], set[int]]) -> None:
    size, needed, guess = problem

    def test(config: tuple[int, ...]) -> Outcome:
        return Outcome.FAIL if needed <= set(config) else Outcome.PASS

    for minimize in (None, grouping):
        options = {} if minimize is None else {"minimize": minimize}
        assert set(solve(rddmin(range(size), guess, **options), test)) == needed  # type: ignore[arg-type]


def test_equal_units_are_told_apart_by_their_positions() -> None:
    letters = "abab"

    def test(config: tuple[str, ...]) -> Outcome:
        return Outcome.FAIL if "".join(config).startswith("ba") or config == tuple(letters) else Outcome.PASS

    assert solve(rddmin(letters, [1, 2]), test) == ("b", "a")
