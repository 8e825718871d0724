"""Real checks, and ways to see what they leave behind."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

PATIENCE = 60.0
"""Seconds after which something that must happen soon is taken not to happen; only a failing test waits for them."""


def eventually(happened: Callable[[], bool]) -> bool:
    """Return whether something happens soon."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        if happened():
            return True
        time.sleep(0.01)
    return False


def running(mark: str) -> list[int]:
    """Return the processes that have a mark in their environment; all that a check starts inherit it."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and int(entry.name) != os.getpid():
            try:
                variables = (entry / "environ").read_bytes()
                state = (entry / "stat").read_text().rpartition(")")[2].split()[0]
            except OSError:
                continue
            if f"MINREPRO_MARK={mark}\0".encode() in variables and state not in "ZX":
                found.append(int(entry.name))
    return found


def script(folder: Path, text: str, name: str = "check") -> str:
    """Write an executable check and return its path."""
    path = folder / name
    path.write_text(text)
    path.chmod(0o755)
    return str(path)
