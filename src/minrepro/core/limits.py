"""What a check may use up, as plain numbers."""

from __future__ import annotations

from typing import NamedTuple


class Limits(NamedTuple):
    """How much a check may use; None is without limit. A tuple of plain values, so that it can be sent to a check
    runner."""

    memory: int | None = None
    cpu: float | None = None
    files: int | None = None
    printed: int | None = None
    processes: int | None = None
    network: bool = True
