"""What stands inside a long token goes by lines and words."""

from __future__ import annotations

from minrepro.core.edits import apply
from minrepro.documents.snapshot import Snapshot
from minrepro.passes.inside_tokens import inside_tokens, spans_of_texts

COMMENT = b"/* one\n * two words\n * three\n */ int x;\n"


def left_without_each(content: bytes) -> list[bytes]:
    (units,) = inside_tokens(Snapshot(content, "c"))
    return [apply(content, unit.edits[0]) for unit in units]


def test_lines_of_a_comment_may_go() -> None:
    left = left_without_each(COMMENT)
    assert b"/* one\n * three\n */ int x;\n" in left
    assert b"/* one\n * two words\n */ int x;\n" in left


def test_words_of_a_line_that_stays_may_go() -> None:
    (units,) = inside_tokens(Snapshot(COMMENT, "c"))
    below = next(unit.below for unit in units if unit.below is not None)
    assert [apply(COMMENT, unit.edits[0]) for unit in below()[0]] == [
        b"/* one\n two words\n * three\n */ int x;\n",
        b"/* one\n * words\n * three\n */ int x;\n",
        b"/* one\n * two\n * three\n */ int x;\n",
    ]


def test_words_of_a_long_string_may_go() -> None:
    assert b'char *s = "some in one token";\n' in left_without_each(b'char *s = "some words in one token";\n')


def test_short_tokens_are_left_to_others() -> None:
    assert inside_tokens(Snapshot(b'char *s = "short"; /* x */\n', "c")) == []


def test_a_few_bytes_of_a_string_may_go_but_not_of_names_and_numbers() -> None:
    content = b'char *name = "x-y" + 12345;\n'
    left = [apply(content, unit.edits[0]) for units in spans_of_texts(Snapshot(content, "c")) for unit in units]
    assert left == [b'char *name = "y" + 12345;\n', b'char *name = "x" + 12345;\n']
