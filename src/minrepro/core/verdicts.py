"""What a test can show, and what it has shown."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Outcome(Enum):
    """What a test can show: the failure, its absence, or neither (invalid input, another failure, a timeout)."""

    PASS = "pass"
    FAIL = "fail"
    UNRESOLVED = "unresolved"


@dataclass(frozen=True, slots=True)
class Verdict:
    """An outcome with its reason, the seconds it took, and where it was cut short the limit that cut it."""

    outcome: Outcome
    reason: str = ""
    seconds: float = 0.0
    limit: float | None = None
    signature: str = ""
    """What the failure looks like, where it shows and can be told from others."""
    stopped_at: int | None = None
    """Of a sequence, how many units were carried out, the one that decided included; None when that was not said."""
    fresh: bool = False
    """Whether it was found from nothing, where there is a quicker way that might leave something behind."""
    skipped: tuple[int, ...] = ()
    """Of a sequence, the places of the units that were left out because they could not be carried out."""
