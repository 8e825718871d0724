"""One pass of chunks of halving size."""

from __future__ import annotations

import pytest

from minrepro.algorithms.lists.halving import halving
from minrepro.core.search import solve
from minrepro.core.verdicts import Outcome
from minrepro.testing import needs


def tried(size: int, *needed: int) -> list[tuple[int, ...]]:
    asked: list[tuple[int, ...]] = []

    def test(config: tuple[int, ...]) -> Outcome:
        asked.append(config)
        return needs(*needed)(config)

    assert solve(halving(range(size)), test) == needed
    return asked


def test_chunks_go_back_to_front_and_halve_when_the_front_is_reached() -> None:
    assert tried(8, *range(8))[:6] == [
        (0, 1, 2, 3),
        (4, 5, 6, 7),
        (0, 1, 2, 3, 4, 5),
        (0, 1, 2, 3, 6, 7),
        (0, 1, 4, 5, 6, 7),
        (2, 3, 4, 5, 6, 7),
    ]


@pytest.mark.parametrize("size", [1, 2, 3, 5, 8, 9, 100])
def test_the_empty_configuration_is_never_tried(size: int) -> None:
    for needed in {0, size // 2, size - 1}:
        assert () not in tried(size, needed)


def test_no_chunk_is_visited_twice_at_one_size() -> None:
    asked = tried(64, *range(64))
    assert len(asked) <= 2 * 64 + 64
