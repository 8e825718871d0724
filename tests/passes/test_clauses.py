"""Clauses and brackets are found in a text that no grammar explains."""

from __future__ import annotations

from minrepro.core.edits import apply
from minrepro.documents.snapshot import Snapshot
from minrepro.passes import Propose
from minrepro.passes.clauses import clauses, inner_brackets


def proposed(propose: Propose, text: str) -> list[str]:
    """Return what each unit would leave of a text, its white space as single blanks."""
    content = text.encode()
    cases = [apply(content, unit.edits[0]) for units in propose(Snapshot(content)) for unit in units]
    return [" ".join(case.decode().split()) for case in cases]


def test_a_clause_goes_up_to_the_next_that_begins_alike() -> None:
    assert "FROM a JOIN d ON e" in proposed(clauses, "FROM a JOIN b ON c JOIN d ON e")


def test_the_last_clause_goes_up_to_the_end_of_its_brackets() -> None:
    assert "(SELECT a FROM b ) AS c" in proposed(clauses, "(SELECT a FROM b WHERE x) AS c")


def test_what_begins_inside_brackets_does_not_end_outside_of_them() -> None:
    cases = proposed(clauses, "f(a, g(b, c)), d, e")
    assert "f(a), d, e" in cases and "f(a, g(b, c)), e" in cases
    assert all(case.count("(") == case.count(")") for case in cases)


def test_the_first_element_goes_with_the_sign_behind_it_and_what_leads_to_a_word_without_the_word() -> None:
    assert "f( b)" in proposed(clauses, "f(a, b)")
    assert "( FROM b)" in proposed(clauses, "(SELECT a FROM b)")


def test_a_sign_that_closes_nothing_is_like_any_other() -> None:
    assert "a > c" in proposed(clauses, "a > b > c")


def test_large_clauses_are_in_other_lists_than_small_ones() -> None:
    weights = [[unit.weight for unit in units] for units in clauses(Snapshot(b"x a b x c d e f g h i j x k"))]
    assert len(weights) > 1 and all(max(each) < 2 * min(each) for each in weights)


def test_inner_brackets_take_the_place_of_outer_ones() -> None:
    assert proposed(inner_brackets, "f(a (b [c]) d)") == ["f(a [c] d)", "f(b [c])"]


def test_brackets_with_nothing_around_them_stay() -> None:
    assert inner_brackets(Snapshot(b"(a) [b]")) == []
