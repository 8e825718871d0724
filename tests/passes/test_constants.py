"""Names become numbers where a value may stand."""

from __future__ import annotations

from minrepro.core.edits import apply
from minrepro.core.units import Unit
from minrepro.documents.snapshot import Snapshot
from minrepro.passes.constants import values


def left(content: bytes, units: list[Unit]) -> list[str]:
    """Return what each unit would leave of a content, without white space."""
    return ["".join(apply(content, unit.edits[0]).decode().split()) for unit in units]


def proposed(text: str, language: str) -> tuple[list[str], list[str]]:
    """Return what the units would leave of a text, and what those below them would."""
    content = text.encode()
    units = [unit for units in values(Snapshot(content, language)) for unit in units]
    below = [each for unit in units if unit.below is not None for units in unit.below() for each in units]
    return left(content, units), left(content, below)


def test_a_name_becomes_a_number_wherever_it_is_used() -> None:
    assert "count=g()f(0,0)" in proposed("count = g()\nf(count, count)\n", "python")[0]


def test_a_name_that_stands_nowhere_else_becomes_one_where_it_stands() -> None:
    assert "f(0)" in proposed("f(a)\n", "python")[0]


def test_if_not_all_places_of_a_letter_can_change_each_is_tried() -> None:
    assert {"a=g()f(0,a)", "a=g()f(a,0)"} <= set(proposed("a = g()\nf(a, a)\n", "python")[1])


def test_each_place_of_a_longer_name_is_left_to_the_pass_that_makes_it_as_short_as_can_be() -> None:
    assert proposed("f(ab, ab)\n", "python")[1] == []


def test_in_a_long_file_single_places_are_not_tried() -> None:
    together, each = proposed("f(a, a)\n" * 50, "python")
    assert together and not each


def test_a_type_is_no_value() -> None:
    assert all("A" in case for case in proposed("class A {} let b: A;", "typescript")[0])


def test_a_text_without_a_grammar_has_no_values() -> None:
    assert values(Snapshot(b"f(a)")) == []
