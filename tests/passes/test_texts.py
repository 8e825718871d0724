"""What stands inside a long token goes by lines and words."""

from __future__ import annotations

from minrepro.edits import apply
from minrepro.passes.texts import inside_tokens
from minrepro.subject import Subject

COMMENT = b"/* one\n * two words\n * three\n */ int x;\n"


def left_without_each(content: bytes) -> list[bytes]:
    (units,) = inside_tokens(Subject(content, "c"))
    return [apply(content, unit.edits[0]) for unit in units]


def test_lines_of_a_comment_may_go() -> None:
    left = left_without_each(COMMENT)
    assert b"/* one\n * three\n */ int x;\n" in left
    assert b"/* one\n * two words\n */ int x;\n" in left


def test_words_of_a_line_that_stays_may_go() -> None:
    (units,) = inside_tokens(Subject(COMMENT, "c"))
    below = next(unit.below for unit in units if unit.below is not None)
    assert [apply(COMMENT, unit.edits[0]) for unit in below()[0]] == [
        b"/* one\n two words\n * three\n */ int x;\n",
        b"/* one\n * words\n * three\n */ int x;\n",
        b"/* one\n * two\n * three\n */ int x;\n",
    ]


def test_words_of_a_long_string_may_go() -> None:
    assert b'char *s = "some in one token";\n' in left_without_each(b'char *s = "some words in one token";\n')


def test_short_tokens_are_left_to_others() -> None:
    assert inside_tokens(Subject(b'char *s = "short"; /* x */\n', "c")) == []
