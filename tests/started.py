"""Processes that end with the test that started them, also if it fails."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

_PATIENCE = 60.0


@contextmanager
def started(command: Sequence[str], **how: Any) -> Iterator[subprocess.Popen[str]]:
    """Start a process; where the test fails, it is ended instead of waited for."""
    with subprocess.Popen(command, text=True, **how) as process:
        try:
            yield process
        except BaseException:
            process.terminate()
            try:
                process.wait(_PATIENCE)
            except subprocess.TimeoutExpired:
                process.kill()
            raise
