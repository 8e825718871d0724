"""What a signal does while a command works: the first ends it in good order, and patience has an end."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from minrepro.cli.exit_status import SIGNALLED
from minrepro.errors import Stopped

LEAVES_AT = 3
"""The signal of this number ends the process whatever is under way."""


@contextmanager
def signals_heeded() -> Iterator[None]:
    """Have the first signal raise what ends a run with its best so far, and leave its clean-up alone."""
    heard = 0

    def end(number: int, frame: FrameType | None) -> None:
        nonlocal heard
        heard += 1
        if heard == 1:
            if number == signal.SIGINT:
                raise KeyboardInterrupt
            raise Stopped(f"stopped by {signal.Signals(number).name}", SIGNALLED[signal.Signals(number)])
        if heard >= LEAVES_AT and callable(before := former[number]):
            before(number, frame)
        print("minrepro: ending; once more leaves at once", file=sys.stderr)

    former = {int(number): signal.getsignal(number) for number in (signal.SIGINT, *SIGNALLED)}
    heeded = [number for number, handler in former.items() if handler is not signal.SIG_IGN]
    try:
        for number in heeded:
            signal.signal(number, end)
        yield
    finally:
        for number in heeded:
            signal.signal(number, former[number])
