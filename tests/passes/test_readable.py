"""A readable pass lets whole words and signs go, and leaves names, numbers and the layout as they are."""

from __future__ import annotations

import pytest

from minrepro.core.edits import Cut, apply
from minrepro.core.units import Unit
from minrepro.documents.snapshot import Snapshot
from minrepro.passes import Pass
from minrepro.passes.inside_tokens import inside_tokens
from minrepro.passes.literals import numbers, strings
from minrepro.passes.names import one_name_for_another, short_names
from minrepro.passes.plain_text import characters, short_spans
from minrepro.passes.readable import lets_tokens_go, readable


def left(each: Pass, content: bytes, language: str | None = None) -> list[bytes]:
    """Return what each edit of a readable pass would leave of a content."""
    lists = readable(each).propose(Snapshot(content, language))
    return [apply(content, edit) for units in lists for unit in units for edit in unit.edits]


@pytest.mark.parametrize("propose", [short_names, one_name_for_another, numbers])
def test_no_name_or_number_becomes_shorter(propose: object) -> None:
    assert left(Pass("any", propose), b"for number, folder in enumerate(folders[1234]):\n", "python") == []  # type: ignore[arg-type]


def test_a_number_with_a_fraction_becomes_a_plain_one() -> None:
    assert b"f(0)" in left(Pass("numbers", numbers), b"f(6.90)")


def test_signs_go_one_by_one_but_no_letter_of_a_word() -> None:
    assert left(Pass("characters", characters), b"ab; (c)") == [b"ab (c)", b"ab; c)", b"ab; ()", b"ab; (c"]


def test_a_sign_between_two_words_stays_if_they_would_become_one() -> None:
    assert left(Pass("characters", characters), b"paper-and-ink") == []


def test_a_few_bytes_go_where_they_are_whole_words() -> None:
    assert set(left(Pass("spans", short_spans), b"one two three")) == {b"two three", b"one three", b"one two", b"three"}


def test_line_breaks_and_indentation_stay_where_a_few_bytes_go() -> None:
    assert b"{\n  b c\n}" in left(Pass("spans", short_spans), b"{\n  a b c\n}")
    assert b"{\n  a\n}" in left(Pass("spans", short_spans), b"{\n  a b c\n}")


def test_words_of_a_text_go_but_not_parts_of_them() -> None:
    cases = left(Pass("texts", inside_tokens), b'f("one of all the words");\n', "c")
    assert b'f("one of the words");\n' in cases and len(cases) == 5


def test_a_string_becomes_one_of_its_words() -> None:
    assert b'f("some")' in left(Pass("strings", strings), b'f("some words, with signs")')


def test_what_is_below_a_unit_is_readable_too() -> None:
    def propose(subject: Snapshot) -> list[list[Unit]]:
        inner = [Unit(((Cut(0, 1),),)), Unit(((Cut(0, 3),),))]
        return [[Unit(((Cut(0, 2),),), below=lambda: [inner])]]

    assert left(Pass("any", propose), b"one two") == [b"two"]


def test_bytes_that_nobody_reads_go_one_by_one() -> None:
    assert len(left(Pass("characters", characters), b"\0abc")) == 4
    assert b"# caf\xe9\n" in left(Pass("characters", characters), b"# caf\xe9;\n", "python")


def test_a_sign_that_is_a_token_is_left_to_the_pass_for_tokens() -> None:
    assert left(Pass("characters", characters), b"caf\xe9;\n", "c") == []


@pytest.mark.parametrize(
    ("cut", "saves"),
    [(Cut(0, 4), True), (Cut(0, 3), True), (Cut(0, 2), False), (Cut(3, 4), False), (Cut(0, 7, b"a"), True)],
)
def test_cuts_save_tokens_where_no_word_is_torn_or_glued(cut: Cut, saves: bool) -> None:
    assert lets_tokens_go(b"one two", (cut,)) is saves
