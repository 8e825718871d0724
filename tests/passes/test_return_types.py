"""A function loses the type of its result together with what it returns."""

from __future__ import annotations

import pytest

from minrepro.core.edits import apply
from minrepro.documents.snapshot import Snapshot
from minrepro.passes.return_types import results


def bare(text: bytes) -> bytes:
    """Return a text without white space."""
    return b"".join(text.split())


def proposed(content: bytes, language: str) -> list[bytes]:
    return [
        bare(apply(content, edit))
        for units in results(Snapshot(content, language))
        for unit in units
        for edit in unit.edits
    ]


@pytest.mark.parametrize(
    ("language", "content", "silent"),
    [
        ("go", b"func f() string { return g() }", b"func f() { return }"),
        ("rust", b"fn f() -> i32 { return g(); }", b"fn f() { return ; }"),
        ("typescript", b"function f(): string { return g() }", b"function f() { return  }"),
        ("python", b"def f() -> int:\n    return g()\n", b"def f():\n    return\n"),
    ],
)
def test_the_type_goes_with_the_values(language: str, content: bytes, silent: bytes) -> None:
    assert bare(silent) in proposed(content, language)


def test_the_type_goes_with_the_statements() -> None:
    assert bare(b"func f() { g() }") in proposed(b"func f() string { g(); return h() }", "go")


def test_what_an_inner_function_returns_stays() -> None:
    content = b"function f(): A { const g = function (): B { return b }; return a }"
    outer = proposed(content, "typescript")[0]
    assert b"returnb" in outer and b"returna" not in outer


def test_nothing_is_proposed_where_no_type_is_told() -> None:
    assert proposed(b"def f():\n    return 1\n", "python") == []
