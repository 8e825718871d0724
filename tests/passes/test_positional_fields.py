"""A field goes with the values at its place."""

from __future__ import annotations

from minrepro.passes.positional_fields import positional_fields
from tests.passes.proposals import proposed


def test_a_field_goes_with_its_values_in_an_array() -> None:
    text = 'struct s { int a; char *b; }; struct s x[] = { {1, "a"}, {2, "b"} };'
    assert proposed(positional_fields, text, "c") == [
        'struct s { char *b; }; struct s x[] = { {"a"}, {"b"} };',
        "struct s { int a; }; struct s x[] = { {1}, {2} };",
    ]


def test_a_field_of_a_structure_without_a_name_goes_with_its_value() -> None:
    text = "struct { int q; int z; } y = {1, 2};"
    assert "struct { int z; } y = {2};" in proposed(positional_fields, text, "c")


def test_values_of_another_structure_stay() -> None:
    text = "struct s { int a; int b; }; struct t x = {1, 2};"
    assert proposed(positional_fields, text, "c") == []


def test_a_field_of_go_goes_with_its_value() -> None:
    assert "type S struct { a int }; var s = S{1}" in proposed(
        positional_fields, 'type S struct { a int; b string }; var s = S{1, "x"}', "go"
    )
