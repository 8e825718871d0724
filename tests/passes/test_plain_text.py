"""Plain text goes by lines, spans and signs, and is left tidy."""

from __future__ import annotations

import pytest

from minrepro.core.edits import apply, unite
from minrepro.documents.snapshot import Snapshot
from minrepro.passes.plain_text import blank, loose_space


@pytest.mark.parametrize(
    ("loose", "tight"),
    [
        (b"except :\n", b"except:\n"),
        (b"struct b ;", b"struct b;"),
        (b"f( a, b )", b"f(a, b)"),
        (b"a   b", b"a b"),
        (b"x = [ 1 ]", b"x = [1]"),
    ],
)
def test_space_that_nobody_would_write_may_go(loose: bytes, tight: bytes) -> None:
    (units,) = loose_space(Snapshot(loose))
    assert apply(loose, unite(*(unit.edits[0] for unit in units))) == tight


@pytest.mark.parametrize("content", [b"if a:\n    b\n", b"a b", b"f(a, b);\n", b"  indented"])
def test_indentation_and_single_blanks_stay(content: bytes) -> None:
    assert loose_space(Snapshot(content)) == []


def test_indentation_that_all_lines_share_may_go() -> None:
    (units,) = blank(Snapshot(b"    if a:\n        b\n\n    c\n"))
    edits = [unit.edits[0] for unit in units]
    assert apply(b"    if a:\n        b\n\n    c\n", unite(*edits)) == b"if a:\n    b\nc\n"


def test_the_last_line_keeps_its_end() -> None:
    assert blank(Snapshot(b"a\n")) == []
    (units,) = blank(Snapshot(b"a\n \n"))
    assert apply(b"a\n \n", units[0].edits[0]) == b"a\n"


def test_blank_lines_that_must_stay_lose_their_blanks() -> None:
    (units,) = blank(Snapshot(b"a\n   \nb\n"))
    below = units[0].below
    assert apply(b"a\n   \nb\n", units[0].edits[0]) == b"a\nb\n" and below is not None
    assert [apply(b"a\n   \nb\n", unit.edits[0]) for unit in below()[0]] == [b"a\n\nb\n"]
