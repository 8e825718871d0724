"""Patterns that outlive the numbers, positions and names in a message."""

from __future__ import annotations

import re
import subprocess

import pytest
from hypothesis import given
from hypothesis import strategies as st

from minrepro.oracles.patterns import Known, literal, pattern_of

KNOWN = Known.of(b"class Frame { int someName; };", ["top.v"])


@pytest.mark.parametrize(
    ("message", "alike", "unlike"),
    [
        ("at 0x7ffe12ab", "at 0x1", "at 12"),
        ("top.v:273:9: bad", "/tmp/x/top.v:1:2: bad", "top.v: bad"),
        ("in pop, at cp/name.cc:51", "in pop, at /build/cp/name.cc:51", "in pop, at cp/name.cc:52"),
        ("index 2 of 10", "index 33 of 4", "index x of 4"),
        ("bindings: [206.0 200.0]", "bindings: [1.0]", "bindings: [a]"),
        ("see /tmp/blk_a8x.log", "see /tmp/blk_77.log", "look /tmp/blk_77.log"),
        ("no member 'someName'", "no member 'a'", "no member a"),
        ("no member 'other'", "no member 'other'", "no member 'a'"),
        ("for someName here", "for x1 here", "for , here"),
        ("for class here", "for class here", "for x1 here"),
    ],
)
def test_what_may_change_is_left_open_and_the_rest_is_not(message: str, alike: str, unlike: str) -> None:
    pattern = pattern_of(message, KNOWN)
    assert re.search(pattern, message)
    assert re.search(pattern, alike)
    assert not re.search(pattern, unlike)


@given(st.text(st.characters(min_codepoint=32, max_codepoint=126), max_size=80))
def test_a_pattern_matches_the_message_that_it_comes_from(message: str) -> None:
    assert re.search(pattern_of(message, KNOWN), message)


@pytest.mark.parametrize("text", ["a[0].b*(c+d)^{2}$|\\?", "Assertion `GD_rank(g)[r].n <= 1' failed."])
def test_grep_reads_a_pattern_as_we_do(text: str) -> None:
    for pattern in (literal(text), pattern_of(text, KNOWN)):
        assert re.search(pattern, text)
        grep = subprocess.run(["grep", "-aEq", "-e", pattern], input=text.encode(), check=False)
        assert grep.returncode == 0
