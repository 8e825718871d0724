"""A parameter goes with its arguments, however the function is called, or becomes a variable."""

from __future__ import annotations

from minrepro.passes.parameters import parameters
from tests.passes.proposals import proposed


def test_a_parameter_goes_with_the_argument_of_a_method() -> None:
    text = "class A { void f(int a) {} void g() { this.f(3); } }"
    assert proposed(parameters, text, "java") == ["class A { void f() {} void g() { this.f(); } }"]


def test_a_parameter_of_c_becomes_a_variable_for_all() -> None:
    text = "int f(int a) { return a; }\nint main() { return f(1); }"
    assert "int a; int f() { return a; } int main() { return f(); }" in proposed(parameters, text, "c")


def test_a_variable_stays_in_the_namespace_of_its_function() -> None:
    text = "namespace n { int f(int a) { return a; } }\nint x = n::f(1);"
    assert "namespace n { int a; int f( ) { return a; } } int x = n::f( );" in proposed(parameters, text, "cpp")


def test_no_parameter_goes_where_nothing_is_called() -> None:
    assert proposed(parameters, "def f(a, b):\n    pass\n", "python") == []
