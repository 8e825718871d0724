"""What stands for a case."""

from __future__ import annotations

from minrepro.core.keys import key_of


def test_long_cases_are_not_kept_and_short_ones_cannot_be_taken_for_them() -> None:
    key = key_of(b"x" * 100_000)
    assert isinstance(key, bytes)
    assert len(key) < 64
    assert key_of(key) != key_of(b"x" * 100_000) or key_of(key) == key
    assert len({key_of(bytes([n]) * size) for n in range(20) for size in (1, 24, 63, 64, 200)}) == 100


def test_what_is_not_bytes_stands_for_itself() -> None:
    assert key_of((1, 2)) == (1, 2)
    assert key_of("short") == "short"


def test_long_text_is_not_kept_either() -> None:
    assert len(str(key_of("x" * 100_000))) < 200
    assert key_of("x" * 100) == key_of("x" * 100) != key_of("x" * 101)
    assert key_of("\ud800" * 100) != key_of(("\ud800" * 100).encode("utf-8", "surrogatepass"))
