"""Parts that are the same go everywhere at once."""

from __future__ import annotations

from minrepro.core.edits import apply
from minrepro.documents.snapshot import Snapshot
from minrepro.passes.recurring import recurring


def test_a_statement_that_recurs_goes_everywhere_at_once() -> None:
    content = b"void f() { g(1); h(); g(1); }"
    (units,) = recurring(Snapshot(content, "c"))
    assert b"voidf(){h();}" in [b"".join(apply(content, unit.edits[0]).split()) for unit in units]


def test_what_stands_once_is_left_to_others() -> None:
    assert recurring(Snapshot(b"void f() { g(1); h(2); }", "c")) == []


def test_nothing_is_proposed_without_a_grammar() -> None:
    assert recurring(Snapshot(b"a a")) == []
