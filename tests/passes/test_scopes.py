"""What a scope holds takes its place, and its name goes from where it qualifies others."""

from __future__ import annotations

from minrepro.passes.scopes import scopes
from tests.passes.proposals import proposed


def test_a_namespace_goes_with_its_name() -> None:
    text = "namespace a { namespace b { struct C {}; } } a::b::C c;"
    assert "namespace b { struct C {}; } b::C c;" in proposed(scopes, text, "cpp")


def test_the_members_of_a_class_stand_alone() -> None:
    text = "class C { public: static int f(); }; int C::f() { return 1; }"
    assert "static int f(); int f() { return 1; }" in proposed(scopes, text, "cpp")


def test_a_module_of_rust_goes_with_its_name() -> None:
    assert "pub fn f() {} fn main() { f(); }" in proposed(
        scopes, "mod m { pub fn f() {} } fn main() { m::f(); }", "rust"
    )


def test_a_namespace_of_typescript_goes_with_its_name() -> None:
    assert proposed(scopes, "namespace N { function f() {} } N.f()", "typescript") == ["function f() {} f()"]


def test_a_name_before_a_point_is_no_scope_by_itself() -> None:
    assert proposed(scopes, "a.b()\na.c()\n", "python") == []
