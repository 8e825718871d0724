"""Verdicts by content."""

from __future__ import annotations

from minrepro.core.keys import key_of
from minrepro.core.verdicts import Outcome, Verdict
from minrepro.engine.memory import Memory

PASSED = Verdict(Outcome.PASS)


def cut_short(limit: float) -> Verdict:
    return Verdict(Outcome.UNRESOLVED, "time-out", limit, limit)


def test_a_verdict_is_recalled_by_what_the_case_holds() -> None:
    memory = Memory()
    memory.remember(key_of(b"x" * 1000), PASSED)
    assert memory.recall(key_of(bytes(bytearray(b"x" * 1000)))) is PASSED
    assert memory.recall(key_of(b"x" * 999)) is None
    assert len(memory) == 1


def test_a_test_that_was_cut_short_counts_only_while_the_limit_is_about_the_same() -> None:
    memory = Memory()
    memory.remember("case", cut_short(2.0))
    assert memory.recall("case", 1.0) is not None
    assert memory.recall("case", 2.9) is not None
    assert memory.recall("case", 3.1) is None
    assert memory.recall("case") is not None
