"""Loaded first by the workers of a cluster on this machine, so that Ctrl-C ends the run and not them.

A terminal sends the signal to all processes in the foreground; the run ends its workers itself, in its own time.
"""

from __future__ import annotations

import signal
from typing import Any


def dask_setup(worker: Any) -> None:
    """Have this process ignore an interrupt."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
