from __future__ import annotations

import pytest

from minrepro.errors import InputError, UsageError
from minrepro.traces.state_abstraction import Abstraction, map_named

STATE = {"cart": [2, 1], "clock": 17, "open": 1}


def test_variables_are_chosen_dropped_and_mapped() -> None:
    assert Abstraction(keep=["cart", "open"])(STATE) == {"cart": [2, 1], "open": 1}
    assert Abstraction(drop=["clock"])(STATE) == {"cart": [2, 1], "open": 1}
    assert Abstraction(maps={"cart": map_named("length")}, drop=["clock"])(STATE) == {"cart": 2, "open": 1}


@pytest.mark.parametrize(
    ("name", "value", "mapped"),
    [
        ("length", "abc", 3),
        ("length", 7, 7),
        ("truth", [], False),
        ("sign", -3, -1),
        ("sorted", [2, 1], [1, 2]),
        ("type", 1.0, "float"),
    ],
)
def test_maps_have_names(name: str, value: object, mapped: object) -> None:
    assert map_named(name)(value) == mapped


def test_an_unknown_map_or_variable_is_refused() -> None:
    with pytest.raises(UsageError, match="map 'size'"):
        map_named("size")
    with pytest.raises(InputError, match=r"has a variable 'card'\nhint: the variables are cart, clock, open"):
        Abstraction(drop=["card"]).require_known(STATE)
