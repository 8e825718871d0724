"""A scan told as a stream along its refusals."""

from __future__ import annotations

from dataclasses import dataclass, replace

from minrepro.algorithms.lists.scans import run_scan, without
from minrepro.core.search import solve
from minrepro.core.verdicts import Outcome


@dataclass(frozen=True)
class Countdown:
    """Proposes to drop each unit from the back, once."""

    config: tuple[int, ...]
    position: int

    def proposal(self) -> tuple[int, ...] | None:
        return without(self.config, self.position - 1, self.position) if self.position else None

    def refused(self) -> Countdown:
        return replace(self, position=self.position - 1)

    def accepted(self) -> Countdown:
        return Countdown(without(self.config, self.position - 1, self.position), self.position - 1)


def test_a_scan_ends_in_the_state_in_which_every_proposal_is_decided() -> None:
    def even(config: tuple[int, ...]) -> Outcome:
        return Outcome.FAIL if {0, 2, 4} <= set(config) else Outcome.PASS

    assert solve(run_scan(Countdown(tuple(range(6)), 6), "scan"), even) == Countdown((0, 2, 4), 0)


def test_all_refusals_are_one_stream() -> None:
    reduction = run_scan(Countdown((0, 1, 2), 3), "scan")
    search = next(reduction)
    assert search.label == "scan"
    assert [candidate.config for candidate in search.candidates] == [(0, 1), (0, 2), (1, 2)]


def test_without_leaves_out_a_range() -> None:
    assert without("abcdef", 1, 3) == ("a", "d", "e", "f")
