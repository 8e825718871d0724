"""A type parameter goes with its arguments, and what it stood for stands in its place."""

from __future__ import annotations

from minrepro.passes.type_parameters import type_parameters
from tests.passes.proposals import proposed


def test_a_template_becomes_its_instance() -> None:
    text = "template <typename T, int N> struct A { T x[N]; }; A<char, 4> a;"
    cases = proposed(type_parameters, text, "cpp")
    assert "template <int N> struct A { char x[N]; }; A<4> a;" in cases
    assert "template <typename T> struct A { T x[4]; }; A<char> a;" in cases


def test_the_last_parameter_of_a_template_takes_the_template_along() -> None:
    text = "template <class T> T g(T t) { return t; } int x = g<char>(3);"
    assert "char g(char t) { return t; } int x = g(3);" in proposed(type_parameters, text, "cpp")


def test_a_generic_function_of_rust_is_called_without_brackets() -> None:
    text = "fn f<U>(a: U) -> U { f::<i8>(3) }"
    assert "fn f(a: i8) -> i8 { f(3) }" in proposed(type_parameters, text, "rust")


def test_a_generic_class_becomes_a_plain_one() -> None:
    text = "class A<T> { T f(T a) { return a; } A<String> x; }"
    assert "class A { String f(String a) { return a; } A x; }" in proposed(type_parameters, text, "java")


def test_nothing_is_proposed_where_nothing_is_generic() -> None:
    assert proposed(type_parameters, "int f(int a) { return a < 3 && a > 2; }", "cpp") == []
