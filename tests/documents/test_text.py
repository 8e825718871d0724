"""Text and bytes as units."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from minrepro.algorithms.lists.group_testing import grouping
from minrepro.core.search import solve
from minrepro.core.verdicts import Outcome
from minrepro.documents.text import CUTTERS, characters, lines, reduce_text


@pytest.mark.parametrize(
    ("data", "units"),
    [
        (b"", []),
        (b"a", [b"a"]),
        (b"a\nb", [b"a\n", b"b"]),
        (b"a\r\n\n\r\nb\n", [b"a\r\n", b"\n", b"\r\n", b"b\n"]),
        (b"a\rb\x0bc\x85\xe2\x80\xa8d", [b"a\rb\x0bc\x85\xe2\x80\xa8d"]),
        (b"\x00\n\xff", [b"\x00\n", b"\xff"]),
    ],
)
def test_lines_end_with_a_line_feed_and_with_nothing_else(data: bytes, units: list[bytes]) -> None:
    assert lines(data).units == units


def test_a_character_is_kept_whole_and_a_stray_byte_is_a_unit_of_its_own() -> None:
    whole = [character.encode() for character in "aü€😀"]
    assert characters(b"".join(whole) + b"\xff\xc3").units == [*whole, b"\xff", b"\xc3"]


@given(st.binary(), st.sampled_from(sorted(CUTTERS)), st.data())
def test_what_is_kept_is_kept_byte_for_byte(data: bytes, name: str, draw: st.DataObject) -> None:
    document = CUTTERS[name](data)
    assert document.render(range(len(document))) == data
    kept = sorted(draw.draw(st.sets(st.integers(0, max(0, len(document) - 1)), max_size=len(document))) if data else [])
    pieces = [document.render([position]) for position in range(len(document))]
    assert document.render(kept) == b"".join(pieces[position] for position in kept)
    assert document.render([]) == b"" or not data


@given(st.binary(max_size=60), st.binary(min_size=1, max_size=3))
def test_lines_then_characters_gives_a_part_from_which_no_character_can_go(data: bytes, needle: bytes) -> None:
    whole = data[:30] + needle + data[30:]

    def test(case: bytes) -> Outcome:
        return Outcome.FAIL if needle in case else Outcome.PASS

    result = solve(reduce_text(whole, grouping, [CUTTERS["lines"], CUTTERS["bytes"]]), test)
    assert result == needle
