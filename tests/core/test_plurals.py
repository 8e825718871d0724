from __future__ import annotations

import pytest

from minrepro.core.plurals import counted


@pytest.mark.parametrize(
    ("number", "things", "told"),
    [
        (0, "checks", "0 checks"),
        (1, "checks", "1 check"),
        (2, "checks", "2 checks"),
        (1, "cache hits", "1 cache hit"),
        (1, "bytes", "1 byte"),
        (1000, "events", "1,000 events"),
    ],
)
def test_one_thing_is_told_in_the_singular(number: int, things: str, told: str) -> None:
    assert counted(number, things) == told
