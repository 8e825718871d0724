"""Refusals count as long as nothing that matters has changed."""

from __future__ import annotations

from collections.abc import Hashable

import pytest

from minrepro.core.edits import Cut
from minrepro.engine.refusals import Refusals

CONTENT = b"int first; int second; use(third, first);"
SECOND = (CONTENT.index(b"int second"), CONTENT.index(b" use"))


def refused_in(content: bytes, gone: bytes, *, defines: frozenset[bytes] = frozenset(), alone: bool = True) -> bool:
    """Tell whether taking something out is known to be refused, after `int second;` was refused in the content."""
    known: dict[Hashable, int] = {}
    Refusals(known, CONTENT).add((Cut(*SECOND),), defines, alone=alone)
    start = content.index(gone)
    return Refusals(known, content).knows((Cut(start, start + len(gone)),), defines, alone=True)


@pytest.mark.parametrize(
    ("content", "known"),
    [
        pytest.param(CONTENT, True, id="nothing has changed"),
        pytest.param(CONTENT + b" more;", True, id="something far away has changed"),
        pytest.param(CONTENT.replace(b"; int", b";\n  int"), True, id="only white space has changed"),
        pytest.param(b"float third;" + CONTENT[10:], False, id="something beside it has changed"),
        pytest.param(CONTENT * 4, True, id="the whole has grown"),
    ],
)
def test_a_refusal_counts_where_nothing_beside_it_has_changed(content: bytes, known: bool) -> None:
    assert refused_in(content, b"int second;") is known


def test_a_refusal_counts_no_more_when_much_has_gone() -> None:
    assert not refused_in(CONTENT[6:32], b"int second;")


def test_a_refusal_counts_no_more_when_a_use_of_what_is_defined_has_gone() -> None:
    unused = CONTENT.replace(b"third, first", b"third, other")
    assert refused_in(unused, b"int second;")
    assert not refused_in(unused, b"int second;", defines=frozenset([b"first"]))


def test_what_no_test_of_its_own_has_shown_does_not_count_where_each_unit_is_tried_alone() -> None:
    assert not refused_in(CONTENT, b"int second;", alone=False)


def test_white_space_that_cannot_go_is_told_from_other_white_space() -> None:
    known: dict[Hashable, int] = {}
    Refusals(known, b"a  b").add((Cut(1, 2),), (), alone=True)
    assert Refusals(known, b"a  b").knows((Cut(1, 2),), (), alone=True)
    assert not Refusals(known, b"a b").knows((Cut(1, 2),), (), alone=True)
