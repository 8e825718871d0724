"""A plain type stands where another was used, whose definition goes."""

from __future__ import annotations

from minrepro.passes.plain_types import plain_types
from tests.passes.proposals import proposed


def test_a_structure_becomes_a_number_everywhere() -> None:
    text = "struct s { int a; }; struct s *f(struct s x);"
    assert "int *f(int x);" in proposed(plain_types, text, "c")


def test_an_alias_becomes_a_number_everywhere() -> None:
    assert "int f(int x);" in proposed(plain_types, "using V = std::vector<int>; V f(V x);", "cpp")


def test_a_long_type_becomes_a_number_at_one_place() -> None:
    text = "const std::map<int, int>& m();"
    assert "const int& m();" in proposed(plain_types, text, "cpp")


def test_a_structure_of_go_becomes_a_number() -> None:
    text = "type S struct { x int }; func f(a S) {}"
    assert "func f(a int) {}" in proposed(plain_types, text, "go")


def test_a_language_without_types_is_left_alone() -> None:
    assert proposed(plain_types, "class A {} new A()", "javascript") == []
