from __future__ import annotations

from collections.abc import Callable

import pytest

from minrepro.algorithms.value_shrinking import smaller
from minrepro.core.search import solve
from minrepro.core.verdicts import Outcome
from minrepro.traces.shrink_arguments import shrink_arguments
from minrepro.traces.user_events import Event, Json


def shrunk(value: Json, fails: Callable[[Json], bool]) -> Json:
    trace = solve(
        shrink_arguments((Event("go", (value,)),)),
        lambda trace: Outcome.FAIL if fails(trace[0].args[0]) else Outcome.PASS,
    )
    return trace[0].args[0]


def _costs_three(value: Json) -> bool:
    match value:
        case {"b": {"c": [int(number), *_]}}:
            return number >= 3
    return False


@pytest.mark.parametrize(
    ("value", "fails", "smallest"),
    [
        (2**16, lambda n: n > 10, 11),
        (-7, lambda n: n != 0, 1),
        (3.75, lambda x: x > 2, 3),
        (float("inf"), lambda x: True, 0),
        (True, lambda x: True, False),
        ("hello world", lambda s: "o" in s, "o"),
        ("Bread & Ünïcode", lambda s: len(s) >= 3, "aaa"),
        ("li:nth-child(17)", lambda s: s.startswith("li:nth-child(") and s.endswith(")"), "li:nth-child()"),
        ("row 31", lambda s: s[:4] == "row " and s[4:].isdigit() and int(s[4:]) >= 2, "row 2"),
        ([5, 1, 9], lambda v: 9 in v, [9]),
        ({"a": 1, "b": {"c": [12, "x"]}}, _costs_three, {"b": {"c": [3]}}),
    ],
)
def test_arguments_become_as_small_as_they_can(value: Json, fails: Callable[[Json], bool], smallest: Json) -> None:
    assert shrunk(value, fails) == smallest


def test_one_argument_may_free_another() -> None:
    trace = (Event("a", (5,)), Event("b", (5,)))
    result = solve(shrink_arguments(trace), lambda t: Outcome.FAIL if t[0].args[0] >= t[1].args[0] else Outcome.PASS)
    assert [event.args for event in result] == [(0,), (0,)]


def test_what_is_smallest_has_nothing_smaller() -> None:
    smallest: list[Json] = [0, "", [], {}, None, False]
    assert [list(smaller(value)) for value in smallest] == [[]] * 6
