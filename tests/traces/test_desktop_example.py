"""`examples/desktop`: a session of a real program under X11 is recorded, replayed and reduced."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import time
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.browser.display import PATIENCE, display, tool
from tests.cli.command_line import CommandLine
from tests.started import started

EXAMPLE = Path(__file__).parents[2] / "examples" / "desktop"
AC = ("202", "77")

pytestmark = [
    pytest.mark.processes,
    pytest.mark.skipif(
        not (find_spec("Xlib") and shutil.which("xcalc") and shutil.which("Xvfb") and shutil.which("xdotool")),
        reason="python-xlib, x11-apps, xvfb and xdotool are needed",
    ),
]

__all__ = ["display"]


def names(path: Path) -> list[str]:
    return [json.loads(line)["event"] for line in path.read_text().splitlines()]


def test_what_a_user_does_is_recorded_until_the_program_ends(display: dict[str, str], tmp_path: Path) -> None:
    out = tmp_path / "session.jsonl"
    command = [sys.executable, str(EXAMPLE / "record.py"), str(out), "xcalc"]
    with started(command, env=display, stderr=subprocess.PIPE) as recorder:
        assert recorder.stderr is not None
        assert recorder.stderr.readline() == "recording\n"
        end = time.monotonic() + PATIENCE
        while not out.read_text() and time.monotonic() < end:  # it may not listen at once
            tool(display, "mousemove_relative", "1", "1")
            time.sleep(0.1)
        tool(display, "key", "4")
        tool(display, "mousemove", *AC)
        tool(display, "click", "3")
        assert recorder.wait(PATIENCE) == 0
    assert names(out)[-5:] == ["KeyPress", "KeyRelease", "MotionNotify", "ButtonPress", "ButtonRelease"]
    done = subprocess.run(
        [sys.executable, str(EXAMPLE / "replay.py"), "xcalc", str(out)], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (0, f"minrepro: event {len(names(out))}\n"), done.stderr


@pytest.mark.parametrize("algorithm", ["default", "hdd"])
def test_a_recorded_session_becomes_three_events(shell: CommandLine, algorithm: str) -> None:
    for each in EXAMPLE.glob("*.*"):
        shutil.copy(each, shell.folder)
    check = f"{sys.executable} {shell.folder / 'replay.py'} xcalc"
    done = shell.run(
        "traces", "reduce", check, "session.jsonl", "--keep-arguments", "--algorithm", algorithm, "-j", "1"
    )
    assert done.status == 0, done.stderr
    assert names(shell.folder / "session.min.jsonl") == ["MotionNotify", "ButtonPress", "ButtonRelease"]
    shell.assert_nothing_is_left()
