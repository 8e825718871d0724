"""Whole nodes are explained, not their quotes and brackets."""

from __future__ import annotations

import pytest

from minrepro.documents.snapshot import Snapshot
from minrepro.reports.parts import part_spans

CASES = [
    ('{"price": [-1, "x y"]}', "json", ['"price"', ":", '[-1, "x y"]', "-1", '"x y"']),
    ("f(a[1]);\n", None, ["f", "(a[1])", "a", "[1]", "1", ";"]),
    ("crash(7, 'a (b');", None, ["crash", "(7, 'a (b')", "7", ",", "'a (b'", ";"]),
    ("int f(void) { return 12; }", "c", ["int", "f", "(void)", "void", "{ return 12; }", "return", "12"]),
    ("a ) b (", None, ["a", ")", "b", "("]),
    ("", None, []),
    ("x", "python", ["x"]),
]


@pytest.mark.parametrize(("content", "language", "parts"), CASES)
def test_the_parts_are_words_operators_and_whole_nodes(content: str, language: str | None, parts: list[str]) -> None:
    data = content.encode()
    assert [data[start:end].decode() for start, end in part_spans(Snapshot(data, language))] == parts


@pytest.mark.parametrize(("content", "language", "parts"), CASES)
def test_a_part_is_inside_another_or_apart_from_it(content: str, language: str | None, parts: list[str]) -> None:
    spans = part_spans(Snapshot(content.encode(), language))
    for at, (start, end) in enumerate(spans):
        assert all(end <= other or (start <= other and last <= end) for other, last in spans[at + 1 :])
