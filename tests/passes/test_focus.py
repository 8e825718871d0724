"""Around the failure: what is proposed where a message names lines of the input."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from minrepro.core.edits import apply
from minrepro.documents.snapshot import Snapshot
from minrepro.passes.focus import around

PROGRAM = b"""\
import json
import os

LIMIT = 3

def unused():
    return os.getcwd()

def helper(value):
    return value + LIMIT

def broken(value):
    return helper(valeu)

def after():
    return unused()
"""


def proposed(content: bytes, *lines: int) -> list[str]:
    units = [unit for found in around(lines).propose(Snapshot(content, "python")) for unit in found]
    return [apply(content, cuts).decode() for unit in units for cuts in unit.edits]


def test_the_lines_stay_with_all_that_they_need() -> None:
    smallest = proposed(PROGRAM, 13)[0]
    assert "def broken" in smallest and "def helper" in smallest and "LIMIT = 3" in smallest
    assert "unused" not in smallest and "after" not in smallest


def test_without_what_comes_behind_is_the_last_thing_proposed() -> None:
    last = proposed(PROGRAM, 13)[-1]
    assert "def unused" in last and "def broken" in last and "def after" not in last


def test_several_lines_stay_together() -> None:
    smallest = proposed(PROGRAM, 7, 13)[0]
    assert "def unused" in smallest and "import os" in smallest and "def broken" in smallest


def test_nothing_is_proposed_for_lines_that_are_not_there() -> None:
    assert proposed(PROGRAM, 99) == []
    assert proposed(b"x = 1\n", 1) == []


def test_nothing_is_proposed_where_all_is_needed() -> None:
    assert proposed(b"def one():\n    return 1\n\ndef two():\n    return one()\n", 5) == []


@given(st.lists(st.sampled_from(list("abcd")), min_size=1, max_size=6), st.integers(1, 20))
def test_whatever_is_proposed_leaves_the_line_and_is_smaller(calls: list[str], line: int) -> None:
    content = "".join(f"def {name}{n}():\n    return {name}{n - 1}()\n\n" for n, name in enumerate(calls)).encode()
    lines = content.decode().splitlines()
    for text in proposed(content, line):
        assert len(text) < len(content)
        assert line > len(lines) or lines[line - 1].strip() in text
