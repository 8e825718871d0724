"""Tokens go one by one or a few at a time, and leave the layout of what stays."""

from __future__ import annotations

import pytest

from minrepro.core.edits import apply
from minrepro.documents.snapshot import Snapshot
from minrepro.passes.tokens import brackets, token_windows, tokens

CODE = b"static int f(void)\n{\n    return g(1, 2);\n}\n"


@pytest.mark.parametrize("language", ["c", None])
def test_a_line_keeps_its_indentation_without_its_first_token(language: str | None) -> None:
    (units,) = tokens(Snapshot(CODE, language))
    left = [apply(CODE, unit.edits[0]) for unit in units]
    assert b"int f(void)\n{\n    return g(1, 2);\n}\n" in left
    assert b"static int f(void)\n{\n    g(1, 2);\n}\n" in left


def test_brackets_go_with_the_blanks_inside_them_where_they_begin_and_end_a_line() -> None:
    content = b"    { g(); }\n"
    (units,) = brackets(Snapshot(content, "c"))
    assert b"    g();\n" in [apply(content, edit) for unit in units for edit in unit.edits]


def test_a_few_tokens_go_with_one_gap() -> None:
    left = [apply(CODE, unit.edits[0]) for units in token_windows(Snapshot(CODE, "c")) for unit in units]
    assert b"f(void)\n{\n    return g(1, 2);\n}\n" in left
    assert b"static int f(void)\n{\n    return g(1);\n}\n" in left
