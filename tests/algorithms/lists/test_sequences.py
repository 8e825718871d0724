"""The search for sequences: minimal whatever the oracle, and few tests where the failure needs what is at both ends."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from minrepro.algorithms.lists.sequences import sequences
from minrepro.core.search import solve
from minrepro.core.verdicts import Outcome


class Counting:
    """Fails when a condition holds, and keeps what was tested."""

    def __init__(self, fails: object) -> None:
        self._fails = fails
        self.tested: list[tuple[int, ...]] = []

    def __call__(self, config: tuple[int, ...]) -> Outcome:
        self.tested.append(config)
        return Outcome.FAIL if self._fails(config) else Outcome.PASS  # type: ignore[operator]


@given(st.sets(st.integers(0, 60)), st.sets(st.integers(0, 60), max_size=5))
def test_what_is_needed_is_found_and_nothing_else(units: set[int], needed: set[int]) -> None:
    test = Counting(lambda config: needed <= set(config))
    config = tuple(sorted(units | needed | {61}))
    left = solve(sequences(config), test)
    assert needed <= set(left)
    assert len(left) == max(1, len(needed))


@given(st.integers(0, 2**20), st.integers(4, 12))
def test_the_result_is_minimal_for_any_oracle_that_always_answers_alike(seed: int, size: int) -> None:
    units = tuple(range(size))

    def fails(config: tuple[int, ...]) -> bool:
        return config == units or (bool(config) and hash((seed, config)) % 3 == 0)

    left = solve(sequences(units), Counting(fails))
    assert fails(left)
    assert len(left) == 1 or not any(fails(left[:i] + left[i + 1 :]) for i in range(len(left)))


def test_both_ends_are_tried_alone_first() -> None:
    test = Counting(lambda config: {0, 997, 999} <= set(config))
    assert solve(sequences(tuple(range(1000))), test) == (0, 997, 999)
    assert sum(map(len, test.tested)) < 100


def test_what_was_not_carried_out_is_not_searched() -> None:
    # Odd units are possible only behind the even one before them.
    def carried_out(config: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(unit for unit in config if unit % 2 == 0 or unit - 1 in config)

    test = Counting(lambda config: {10, 11, 99} <= set(carried_out(config)))
    assert solve(sequences(tuple(range(100)), cut=carried_out), test) == (10, 11, 98, 99)


def test_what_is_joined_goes_as_a_whole_before_it_is_parted() -> None:
    units = tuple(object() for _ in range(9))
    word = units[2:7]
    tested: list[set[int]] = []

    def fails(config: tuple[object, ...]) -> Outcome:
        kept = {units.index(unit) for unit in config}
        tested.append(kept)
        return Outcome.FAIL if {4, 8} <= kept else Outcome.PASS

    left = solve(sequences(units, joined={id(unit) for unit in word[1:]}), fails)
    assert [units.index(unit) for unit in left] == [4, 8]
    inside = [kept & {2, 3, 4, 5, 6} for kept in tested if kept & {0, 1, 7}]
    assert all(len(part) in (0, 5) for part in inside)
