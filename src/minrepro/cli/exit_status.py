"""How the command ends when a run has ended, as a number for who started it."""

from __future__ import annotations

import signal

from minrepro.core.events import End

_OF = {
    End.EXECUTOR_LOST: 3,
    End.INTERRUPTED: 128 + signal.SIGINT,
    End.TERMINATED: 128 + signal.SIGTERM,
    End.HUNG_UP: 128 + signal.SIGHUP,
}
SIGNALLED = {signal.SIGTERM: End.TERMINATED, signal.SIGHUP: End.HUNG_UP, signal.SIGXCPU: End.EXECUTOR_LOST}
"""How a run ends by the signals that the command heeds, besides Ctrl-C; the last is a limit of processor time."""


def exit_status(end: End) -> int:
    """Return the exit status of a run that has ended so; a budget that is spent is no failure."""
    return _OF.get(end, 0)
