"""A scan that decides one thing after another, told as one lazy stream along its refusals.

Group testing, one-pass halving and the probabilistic minimisers go on from every refusal in a way that is known before
the test is run. Unfolding a scan along its refusals gives a stream in which each candidate assumes that none before it
failed, which is all that testing ahead needs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

from minrepro.search import Candidate, Reduction, first

U = TypeVar("U")


class Scan(Protocol[U]):
    """An immutable state of a scan over a failing configuration."""

    @property
    def config(self) -> tuple[U, ...]:
        """What is left."""
        ...

    def proposal(self) -> tuple[U, ...] | None:
        """Return the configuration to try now, or None when the scan is over."""
        ...

    def refused(self) -> Scan[U]:
        """Return where to go on if the proposal does not fail."""
        ...

    def accepted(self) -> Scan[U]:
        """Return where to go on if the proposal fails."""
        ...


@dataclass(frozen=True)
class Proposal(Candidate[tuple[U, ...]]):
    """What a scan proposes, with the state that proposed it."""

    scan: Scan[U] | None = None


def run_scan(scan: Scan[U], label: str) -> Reduction[Scan[U]]:
    """Return the last state of a scan, every proposal of it decided."""
    last = [scan]  # the state in which the stream ran dry without a success
    while True:
        found = yield from first(_unfold(scan, last), label)
        if found is None or found.scan is None:
            return last[0]
        scan = found.scan.accepted()


def _unfold(scan: Scan[U], last: list[Scan[U]]) -> Iterator[Proposal[U]]:
    while (proposed := scan.proposal()) is not None:
        yield Proposal(proposed, scan=scan)
        scan = scan.refused()
    last[0] = scan


def without(config: Sequence[U], start: int, end: int) -> tuple[U, ...]:
    """Return the configuration without the units from start to end."""
    return (*config[:start], *config[end:])
