"""What a function does stands where it was called."""

from __future__ import annotations

import pytest

from minrepro.passes.inline_calls import inline_calls
from tests.passes.proposals import proposed


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        (
            "c",
            "int f(int a, int b) { return a + b * 2; } int main() { return f(1, x); }",
            "int main() { return 1 + x * 2; }",
        ),
        ("python", "def f(a):\n    return a + 1\nprint(f(2))\n", "print(2 + 1)"),
        ("javascript", "function g(x) { return x.y } h(g(z))", "h(z.y)"),
        ("rust", "fn f(a: i32) -> i32 { a + 1 } fn main() { f(2); }", "fn main() { 2 + 1; }"),
        ("go", "func f(a int) int { return a + 1 }\nfunc main() { x := f(2) }", "func main() { x := 2 + 1 }"),
    ],
)
def test_the_value_of_a_function_stands_in_place_of_its_call(language: str, text: str, expected: str) -> None:
    assert expected in proposed(inline_calls, text, language)


def test_the_body_of_a_function_stands_in_place_of_a_call_that_is_a_statement() -> None:
    text = "void f(int a) { g(a); h(); } int main() { f(3); }"
    assert "int main() { { g(3); h(); } }" in proposed(inline_calls, text, "c")


def test_a_function_that_only_calls_itself_stays() -> None:
    assert proposed(inline_calls, "int f(int a) { return f(a); }", "c") == []
