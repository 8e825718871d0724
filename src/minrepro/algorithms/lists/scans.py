"""A scan that decides one thing after another, told as one lazy stream along its refusals.

Group testing, one-pass halving and the probabilistic minimisers go on from every refusal in a way that is known before
the test is run. Unfolding a scan along its refusals gives a stream in which each candidate assumes that none before it
failed, which is all that testing ahead needs.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, Self, TypeVar

from minrepro.core.search import Candidate, Reduction, first

U = TypeVar("U")
U_co = TypeVar("U_co", covariant=True)


class Scan(Protocol[U_co]):
    """An immutable state of a scan over a failing configuration."""

    @property
    def config(self) -> tuple[U_co, ...]:
        """What is left."""
        ...

    def proposal(self) -> tuple[U_co, ...] | None:
        """Return the configuration to try now, or None when the scan is over."""
        ...

    def refused(self) -> Self:
        """Return where to go on if the proposal does not fail."""
        ...

    def accepted(self) -> Self:
        """Return where to go on if the proposal fails."""
        ...


S = TypeVar("S", bound=Scan[Any])


@dataclass(frozen=True)
class Proposal(Candidate[tuple[Any, ...]]):
    """What a scan proposes, with the state that proposed it."""

    scan: Any = None


def run_scan(scan: S, label: str) -> Reduction[S]:
    """Return the last state of a scan, every proposal of it decided."""
    last = [scan]  # the state in which the stream ran dry without a success
    while True:
        found = yield from first(_unfold(scan, last), label)
        if found is None:
            return last[0]
        scan = found.scan.accepted()


def _unfold(scan: S, last: list[S]) -> Iterator[Proposal]:
    while (proposed := scan.proposal()) is not None:
        yield Proposal(proposed, scan=scan)
        scan = scan.refused()
    last[0] = scan


def without(config: Sequence[U], start: int, end: int) -> tuple[U, ...]:
    """Return the configuration without the units from start to end; an array of numbers stays one."""
    if isinstance(config, array):
        rest: Any = config[:start] + config[end:]
        return rest  # type: ignore[no-any-return]
    return tuple(config[:start]) + tuple(config[end:])  # copies once less than unpacking: lists may be long
