"""Parts that are alike go together, or take each other's place."""

from __future__ import annotations

from collections.abc import Iterator

from minrepro.edits import apply
from minrepro.passes.alike import recurring, shorter_of_a_kind
from minrepro.plan import Unit
from minrepro.subject import Subject


def every(lists: list[list[Unit]]) -> Iterator[Unit]:
    for units in lists:
        for unit in units:
            yield unit
            yield from every(unit.below()) if unit.below else ()


def test_a_statement_that_recurs_goes_everywhere_at_once() -> None:
    content = b"void f() { g(1); h(); g(1); }"
    left = [apply(content, unit.edits[0]) for unit in every(recurring(Subject(content, "c")))]
    assert b"".join(b"void f() { h(); }".split()) in [b"".join(each.split()) for each in left]


def test_what_stands_once_is_left_to_others() -> None:
    assert recurring(Subject(b"void f() { g(1); h(2); }", "c")) == []


def test_a_part_becomes_a_shorter_one_of_its_kind() -> None:
    content = b"f(aa.bb, c[1].dd.ee);"
    proposals = every(shorter_of_a_kind(Subject(content, "javascript")))
    assert b"f(aa.bb, aa.bb);" in [apply(content, edit) for unit in proposals for edit in unit.edits]


def test_what_others_try_is_left_to_them() -> None:
    content = b"x = (1);"  # a part of itself is for hoisting, the shortest of a kind for the grammar
    assert [unit.edits for unit in every(shorter_of_a_kind(Subject(content, "javascript"))) if unit.edits] == []


def test_nothing_is_proposed_without_a_grammar() -> None:
    assert recurring(Subject(b"a a")) == shorter_of_a_kind(Subject(b"a a")) == []
