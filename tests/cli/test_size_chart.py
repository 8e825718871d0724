"""The curve of a reduction in a few lines of text."""

from __future__ import annotations

from minrepro.cli.size_chart import size_chart


def test_the_curve_falls_from_the_upper_left_to_the_lower_right() -> None:
    lines = size_chart([(0, 1000), (5, 30), (10, 2)], 10, 10, 3)
    assert [len(line) for line in lines] == [10, 10, 10]
    assert lines[0] == "████      "
    assert lines[2][:9] == "█" * 9
    assert lines[2][9] not in "█ "


def test_the_last_size_lasts_until_now() -> None:
    lines = size_chart([(0, 1000), (10, 2)], 40, 8, 1)
    assert len(set(lines[0][2:])) == 1


def test_without_a_size_or_without_room_there_is_no_chart() -> None:
    assert size_chart([], 0, 10, 3) == []
    assert size_chart([(0, 5)], 3, 0, 3) == []
    assert len(size_chart([(0, 0)], 0, 4, 2)) == 2
