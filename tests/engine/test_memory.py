"""Verdicts by content."""

from __future__ import annotations

from minrepro.core.search import Outcome, Verdict
from minrepro.engine.memory import Memory, key_of

PASSED = Verdict(Outcome.PASS)


def cut_short(limit: float) -> Verdict:
    return Verdict(Outcome.UNRESOLVED, "time-out", limit, limit)


def test_a_verdict_is_recalled_by_what_the_case_holds() -> None:
    memory = Memory()
    memory.remember(key_of(b"x" * 1000), PASSED)
    assert memory.recall(key_of(bytes(bytearray(b"x" * 1000)))) is PASSED
    assert memory.recall(key_of(b"x" * 999)) is None
    assert len(memory) == 1


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


def test_a_test_that_was_cut_short_counts_only_while_the_limit_is_about_the_same() -> None:
    memory = Memory()
    memory.remember("case", cut_short(2.0))
    assert memory.recall("case", 1.0) is not None
    assert memory.recall("case", 2.9) is not None
    assert memory.recall("case", 3.1) is None
    assert memory.recall("case") is not None
