"""Single values become smaller, and keep their types."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest

from minrepro.algorithms.value_shrinking import is_leaf, keep_few, rank, shrink, simplest, size_of, smaller
from minrepro.core.search import solve
from minrepro.core.verdicts import Outcome


def shrunk(value: Any, fails: Callable[[Any], bool]) -> Any:
    return solve(shrink(value), lambda other: Outcome.FAIL if fails(other) else Outcome.PASS)


@pytest.mark.parametrize(
    "value",
    [
        True,
        17,
        -3,
        2.5,
        math.inf,
        math.nan,
        "text",
        b"data",
        bytearray(b"data"),
        pytest.param(10**5000, id="a long number"),
    ],
)
def test_a_value_that_does_not_matter_becomes_the_simplest_of_its_type(value: Any) -> None:
    result = shrunk(value, lambda other: True)
    assert result == simplest(value)
    assert type(result) is type(value)


@pytest.mark.parametrize(
    ("value", "fails", "smallest"),
    [
        (987654, lambda n: n > 4321, 4322),
        (987654, lambda n: n >= 900, 900),
        (-17, lambda n: n != 0, 1),
        (-17, lambda n: n < -4, -5),
        (10**400 + 7, lambda n: n > 10, 11),
        (3.14159, lambda n: n > 3, 3.1),
        (1e300, lambda n: n > 1.5, 2.0),
        (-math.inf, lambda n: math.isinf(n), math.inf),
        (math.nan, lambda n: n != 0, 1.0),
        ("GET /orders/1234?page=77", lambda t: "?" in t and len(t) > 3, "aaa?"),
        ("ab\ncd\nef\n", lambda t: "cd" in t, "cd"),
        ("price: 99", lambda t: "price: " in t and any(c.isdigit() for c in t), "price: 0"),
        (b"\x01\x02\x03", lambda d: len(d) > 1, b"\x00\x00"),
        (bytearray(b"xyz"), lambda d: b"y" in d, bytearray(b"y")),
    ],
)
def test_a_value_becomes_as_small_as_the_failure_allows(
    value: Any, fails: Callable[[Any], bool], smallest: Any
) -> None:
    assert shrunk(value, fails) == smallest
    assert type(shrunk(value, fails)) is type(value)


def test_values_of_subclasses_are_left_alone() -> None:
    class Celsius(float): ...

    assert is_leaf(2.5)
    assert not is_leaf(Celsius(2.5))


def test_smaller_values_rank_lower_and_have_no_greater_size() -> None:
    for value in (12, -12, 0.25, -1e9, "B2b", b"\x00\x07"):
        assert rank(simplest(value)) < rank(value)
        assert size_of(simplest(value)) <= size_of(value)
    assert rank("a1") < rank("b1") < rank("aaa")


def test_none_of_several_things_is_tried_first() -> None:
    asked: list[tuple[int, ...]] = []

    def test(kept: tuple[int, ...]) -> Outcome:
        asked.append(kept)
        return Outcome.FAIL

    assert solve(keep_few(9, tuple), test) == ()
    assert asked == [()]


def test_json_numbers_may_change_their_type_for_traces() -> None:
    assert list(smaller(2.5)) == [2]
    assert list(smaller(4)) == [0, 2, 3]
    assert list(smaller({"b": 1, "a": 2})) == [{"b": 1}, {"a": 2}]
