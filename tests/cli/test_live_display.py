"""The display on a real terminal, driven by keys."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

pytestmark = pytest.mark.processes


class Screen:
    """A terminal of its own."""

    def __init__(self, folder: Path) -> None:
        self._socket = folder / "terminal"

    def __call__(self, *words: str) -> str:
        # Readline, which pytest loads, tells processes a size of the terminal unless they are given an environment.
        environment = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES")}
        told = subprocess.run(
            ["tmux", "-S", self._socket, *words], capture_output=True, text=True, check=False, env=environment
        )
        return told.stdout

    def start(self, command: str) -> None:
        self("new-session", "-d", "-x", "80", "-y", "24", command)

    def until(self, holds: Callable[[str], bool]) -> str:
        """Return what is on the screen as soon as it is as it should be."""
        for _ in range(1200):
            seen = self("capture-pane", "-p")
            if holds(seen):
                return seen
            time.sleep(0.1)
        raise AssertionError(f"this stays on the screen:\n{seen}")


@pytest.fixture
def screen(tmp_path: Path) -> Iterator[Screen]:
    if shutil.which("tmux") is None:
        pytest.skip("tmux is not installed")
    screen = Screen(tmp_path)
    yield screen
    screen("kill-server")


def test_keys_pause_continue_show_the_difference_and_stop(screen: Screen, tmp_path: Path) -> None:
    (tmp_path / "hay.txt").write_text("".join(f"line {n}\n" for n in range(400)))
    check = tmp_path / "check.sh"
    check.write_text('#!/bin/sh\nsleep 0.5\ngrep -q "line 7" "$1" && grep -q "line 99" "$1"\n')
    check.chmod(0o755)
    program = f"{sys.executable} -m minrepro reduce ./check.sh hay.txt -j 1"
    screen.start(f"cd {tmp_path} && {program}; echo exit status $?; cat")
    seen = screen.until(lambda text: "p pause" in text and "best so far ─" in text)
    assert "bytes (" in seen
    screen("send-keys", "d")
    screen.until(lambda text: "last difference" in text)
    screen("send-keys", "p")
    paused = screen.until(lambda text: "paused" in text and "running  1" not in text)
    counted = next(line for line in paused.splitlines() if line.startswith("checks")).partition(" (")[0]
    screen("resize-window", "-x", "50", "-y", "12")
    small = screen.until(lambda text: len(text.splitlines()) <= 12 and " (" in text and "paused" in text)
    assert f"{counted} (" in small  # no more checks since
    screen("send-keys", "p")
    screen.until(lambda text: "paused" not in text)
    screen("send-keys", "q")
    ended = screen.until(lambda text: "exit status" in text)
    assert "stopped by q" in " ".join(ended.split())
    assert "exit status 0" in ended
    assert "line 99" in (tmp_path / "hay.min.txt").read_text()
