"""One pass of chunks of halving size, back to front, none visited twice.

The scheme of Lithium and of Gharachorlu & Sumner, *Avoiding the familiar to speed up test case reduction* (2018, OPDD).
As published OPDD stops after one round of single units, which need not be 1-minimal; here that round is repeated until
nothing goes, so the result is 1-minimal.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from minrepro.algorithms.lists.ddmin import onemin
from minrepro.algorithms.lists.scans import run_scan, without
from minrepro.core.search import Reduction

U = TypeVar("U")


@dataclass(frozen=True)
class _Halving(Generic[U]):
    config: tuple[U, ...]
    size: int
    end: int

    def proposal(self) -> tuple[U, ...] | None:
        return None if self.size == 0 else without(self.config, max(0, self.end - self.size), self.end)

    def refused(self) -> _Halving[U]:
        return self._next(self.config)

    def accepted(self) -> _Halving[U]:
        proposal = self.proposal()
        assert proposal is not None
        return self._next(proposal)

    def _next(self, config: tuple[U, ...]) -> _Halving[U]:
        end = max(0, self.end - self.size)
        # A chunk that is the whole rest would propose the empty configuration, which is known not to fail.
        if end > 0 and not (end <= self.size and len(config) == end):
            return _Halving(config, self.size, end)
        size = self.size // 2
        while size >= len(config) > 0:
            size //= 2
        return replace(self, config=config, size=size, end=len(config))


def halving(config: Sequence[U]) -> Reduction[tuple[U, ...]]:
    """Return a 1-minimal failing subset by removing chunks of halving size, back to front."""
    units = tuple(config)
    size = 1 << max(0, (len(units) - 1).bit_length() - 1)
    if len(units) < 2:
        return units
    scan = yield from run_scan(_Halving(units, size, len(units)), "halving")
    return (yield from onemin(scan.config, complement_order="backward", resume_behind=True))
