"""dd: the smallest difference between a passing and a failing configuration."""

from __future__ import annotations

import math
from collections.abc import Sequence

from hypothesis import given, settings
from hypothesis import strategies as st

from minrepro.algorithms.lists.dd import dd
from minrepro.core.search import solve
from minrepro.core.verdicts import Outcome
from minrepro.testing import needs


def test_one_cause_among_many_takes_about_twice_the_logarithm() -> None:
    asked: set[tuple[int, ...]] = set()

    def test(config: tuple[int, ...]) -> Outcome:
        asked.add(config)
        return needs(700)(config)

    passing, failing = solve(dd(range(1024)), test)
    assert set(failing) - set(passing) == {700}
    assert len(asked) <= 2 * math.log2(1024)


def test_the_passing_side_may_hold_units_from_the_beginning() -> None:
    passing, failing = solve(dd("abcde", "bd"), lambda config: needs("a", "b")(config))
    assert set(failing) - set(passing) == {"a"}
    assert set("bd") <= set(passing)


def test_units_that_only_work_together_stay_together() -> None:
    def test(config: Sequence[int]) -> Outcome:
        if (2 in config) != (5 in config):
            return Outcome.UNRESOLVED
        return Outcome.FAIL if 2 in config else Outcome.PASS

    passing, failing = solve(dd(range(8)), test)
    assert set(failing) - set(passing) == {2, 5}


@st.composite
def oracles(draw: st.DrawFn) -> dict[frozenset[int], Outcome]:
    """Draw any answers at all about the subsets of a few units, the empty one passing and the whole failing."""
    size = draw(st.integers(1, 5))
    subsets = [frozenset(i for i in range(size) if bits >> i & 1) for bits in range(1 << size)]
    answers = {subset: draw(st.sampled_from(list(Outcome))) for subset in subsets}
    return answers | {frozenset(): Outcome.PASS, frozenset(range(size)): Outcome.FAIL}


@given(oracles())
@settings(max_examples=400)
def test_whatever_the_oracle_answers_the_difference_is_1_minimal(oracle: dict[frozenset[int], Outcome]) -> None:
    size = max(map(len, oracle))
    less, more = map(frozenset, solve(dd(range(size)), lambda config: oracle[frozenset(config)]))
    assert less < more
    assert oracle[less] is Outcome.PASS
    assert oracle[more] is Outcome.FAIL
    difference = more - less
    if len(difference) > 1:
        for unit in difference:
            assert oracle[less | {unit}] is Outcome.UNRESOLVED
            assert oracle[more - {unit}] is Outcome.UNRESOLVED
