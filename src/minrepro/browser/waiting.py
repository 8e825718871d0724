"""How long is waited for what in a page."""

from __future__ import annotations

from dataclasses import dataclass

LONG_TIMER = 0.5


@dataclass
class Waits:
    """How long is waited for what, in seconds; learnt from the original session."""

    element: float = 5.0
    """For an element to appear."""
    rest: float = 2.0
    """For the page to come to rest after a unit."""
    timer: float = LONG_TIMER
    """For a timer of the page, beyond which it counts as a clock."""
    late: float = 0.0
    """For timers of the page after the last unit, where the failure comes from one."""
    hang: float = 20.0
    """For anything at all: a page that takes longer hangs."""
    trust_rest: bool = False
    """Whether an element that is missing in a page at rest is given up at once."""
