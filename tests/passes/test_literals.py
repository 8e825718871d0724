"""Numbers become smaller and strings shorter, whatever the language."""

from __future__ import annotations

from minrepro.core.edits import apply
from minrepro.documents.snapshot import Snapshot
from minrepro.passes import Propose
from minrepro.passes.literals import numbers, strings


def proposed(propose: Propose, content: bytes) -> list[bytes]:
    """Return what each edit would leave of a content."""
    lists = propose(Snapshot(content))
    return [apply(content, edit) for units in lists for unit in units for edit in unit.edits]


def test_a_number_becomes_small_or_loses_digits() -> None:
    assert proposed(numbers, b"f(1234)") == [b"f(0)", b"f(1)", b"f(12)", b"f(123)"]


def test_a_string_of_one_word_becomes_empty_or_shorter() -> None:
    assert proposed(strings, b"f('word')") == [b"f('')", b"f('a')", b"f('wo')", b"f('rd')"]


def test_a_string_of_several_words_is_divided_between_them() -> None:
    assert proposed(strings, b"f('one two three')") == [b"f('')", b"f('one')", b"f('two three')"]


def test_a_string_that_recurs_becomes_shorter_everywhere_at_once() -> None:
    cases = proposed(strings, b"f('one', 'one')")
    assert b"f('', 'one')" in cases and b"f('', '')" in cases


def test_stray_quotes_far_apart_are_no_string() -> None:
    assert proposed(strings, b"don't" + b" word" * 500 + b" isn't") == []
