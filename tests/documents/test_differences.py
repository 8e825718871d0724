"""The way from one text to another, change by change."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from minrepro.documents.differences import Changes
from minrepro.documents.text import CUTTERS

texts = st.lists(st.sampled_from([b"a\n", b"b\n", b"c\n", b"\xff", b"\n"]), max_size=12).map(b"".join)


@given(texts, texts, st.sampled_from(sorted(CUTTERS)))
def test_no_change_gives_the_old_text_and_all_give_the_new(old: bytes, new: bytes, name: str) -> None:
    changes = Changes(old, new, CUTTERS[name])
    assert changes.render([]) == old
    assert changes.render(range(len(changes))) == new


@pytest.mark.parametrize(
    ("old", "new", "number"), [(b"a\nb\n", b"a\nb\n", 0), (b"a\nb\n", b"a\nx\nb\n", 1), (b"a\nb\nc\n", b"a\nx\nc\n", 2)]
)
def test_each_unit_removed_or_added_is_a_change(old: bytes, new: bytes, number: int) -> None:
    assert len(Changes(old, new, CUTTERS["lines"])) == number


def test_a_change_alone_can_be_applied() -> None:
    changes = Changes(b"one\ntwo\n", b"one\n2\nthree\n", CUTTERS["lines"])
    alone = {changes.render([number]) for number in range(len(changes))}
    assert alone == {b"one\n", b"one\ntwo\n2\n", b"one\ntwo\nthree\n"}
