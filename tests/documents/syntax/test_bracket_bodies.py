"""Emptied brackets."""

from __future__ import annotations

import pytest

from minrepro.core.edits import apply, unite
from minrepro.documents.syntax.bracket_bodies import bracket_body_cuts
from minrepro.documents.syntax.bundled_grammars import grammar
from minrepro.documents.syntax.tree import ROOT


@pytest.mark.parametrize(
    ("language", "text", "emptied"),
    [
        ("json", b'[{"a": [1]}]', b"[]"),
        ("c", b"int f(int a) { g(a); }", b"int f() {}"),
        ("json", b"[]", b"[]"),
        ("json", b"12", b"12"),
    ],
)
def test_the_outermost_brackets_lose_what_is_inside(language: str, text: bytes, emptied: bytes) -> None:
    assert apply(text, unite(bracket_body_cuts(grammar(language).tree(text), ROOT))) == emptied
