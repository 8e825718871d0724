"""Cuts unite, nest and are applied."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from minrepro.core.edits import NONE, Cut, Join, Rendering, apply, covered, moved, removed, splice, unite

TEXT = b"0123456789"


@st.composite
def cut_sets(draw: st.DrawFn) -> list[Cut]:
    spans = draw(st.lists(st.tuples(st.integers(0, 10), st.integers(0, 10)), max_size=5))
    return [Cut(min(a, b), max(a, b)) for a, b in spans if a != b]


@st.composite
def replacements(draw: st.DrawFn) -> list[Cut]:
    spans = draw(st.lists(st.tuples(st.integers(0, 10), st.integers(0, 10), st.sampled_from([b"", b"x", b"yz"]))))
    return [Cut(min(a, b), max(a, b), text) for a, b, text in spans if a != b or text]


def test_no_cut_leaves_the_document_as_it_is() -> None:
    assert apply(TEXT, NONE) is TEXT


def test_a_cut_takes_bytes_out_and_puts_its_text_there() -> None:
    assert apply(TEXT, (Cut(2, 4), Cut(6, 8, b"x"))) == b"0145x89"


def test_the_larger_of_two_cuts_wins() -> None:
    assert unite([Cut(2, 4, b"x")], [Cut(1, 5)]) == (Cut(1, 5),)
    assert unite([Cut(1, 5)], [Cut(2, 4, b"x")]) == (Cut(1, 5),)


def test_of_two_cuts_at_the_same_place_the_later_wins() -> None:
    assert unite([Cut(1, 5, b"x")], [Cut(1, 5)]) == (Cut(1, 5),)


def test_pieces_are_kept_apart_where_asked() -> None:
    assert apply(b"int x;", (Cut(3, 4),), lambda left, right: b" ") == b"int x;"
    assert apply(b"a(b)c", (Cut(1, 4, b"d"),), lambda left, right: b"_") == b"a_d_c"


@given(cut_sets(), cut_sets())
def test_a_union_holds_both_sets_and_nothing_else(one: list[Cut], other: list[Cut]) -> None:
    united = unite(one, other)
    gone = {at for cut in (*one, *other) for at in range(cut.start, cut.end)}
    assert {at for cut in united for at in range(cut.start, cut.end)} == gone
    assert all(before.end < behind.start for before, behind in pairwise(united))
    assert unite(united, one) == united
    assert removed(united) == len(gone)
    assert apply(TEXT, united) == bytes(byte for at, byte in enumerate(TEXT) if at not in gone)


@given(cut_sets(), st.integers(0, 9), st.integers(1, 10))
def test_a_span_is_covered_if_all_of_it_is_cut(cuts: list[Cut], start: int, end: int) -> None:
    united = unite(cuts)
    if start < end:
        gone = {at for cut in united for at in range(cut.start, cut.end)}
        assert covered(united, start, end) == set(range(start, end)).issubset(gone)


@given(cut_sets(), st.integers(0, 10))
def test_a_place_moves_by_what_was_cut_before_it(cuts: list[Cut], place: int) -> None:
    united = unite(cuts)
    kept = [at for at in range(10) if not covered(united, at, at + 1)]
    assert moved(TEXT, united, place) == sum(1 for at in kept if at < place)


@given(replacements(), st.lists(replacements(), max_size=3))
def test_a_few_cuts_join_many_as_if_all_were_united(many: list[Cut], more: list[list[Cut]]) -> None:
    cuts = unite(many)
    assert splice(cuts, *more).of(cuts) == unite(cuts, *more)


@given(
    replacements(), st.lists(st.lists(replacements(), max_size=3)), st.sampled_from([None, lambda left, right: b"_"])
)
def test_what_is_rendered_step_by_step_is_what_is_rendered_at_once(
    many: list[Cut], steps: list[list[list[Cut]]], join: Join | None
) -> None:
    cuts = unite(many)
    rendering = Rendering.of(TEXT, cuts, join)
    for more in steps:
        change = splice(cuts, *more)
        rendering, cuts = rendering.after(cuts, change), change.of(cuts)
        assert rendering.content == apply(TEXT, cuts, join)
        assert rendering.pieces == Rendering.of(TEXT, cuts, join).pieces
        assert rendering.places == Rendering.of(TEXT, cuts, join).places
