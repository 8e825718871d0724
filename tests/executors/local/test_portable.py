"""Checks without anything that only Linux has, as on macOS."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from minrepro.executors.local.portable import CANNOT, SWITCH
from tests.cli.command_line import CommandLine, Done, ended


def run(unix: CommandLine, *words: str) -> Done:
    """Run the command from nothing: what there is of Linux is decided when it is loaded."""
    return ended(unix.start(*words))


@pytest.fixture
def unix(shell: CommandLine) -> CommandLine:
    shell.environment[SWITCH] = "1"
    shell.write("in.txt", "".join(f"line {number}\n" for number in range(60)))
    return shell


def test_a_check_reduces_and_what_is_not_promised_is_told_in_a_line(unix: CommandLine) -> None:
    unix.check('cat > seen.txt < "$1"; grep -q "line 42" "$1"')
    done = run(unix, "reduce", "./check.sh", "in.txt", "-j", "2")
    assert done.status == 0, done.stderr
    assert (unix.folder / "in.min.txt").read_text().strip() == "line 42"
    assert f"checks run without a sandbox (not possible here: {CANNOT})" in done.stderr
    assert list(unix.temporary.iterdir()) == []


def test_a_failing_command_sees_its_directory(unix: CommandLine) -> None:
    unix.write("wanted.txt", "line 7\n")
    unix.check('touch written.txt; if grep -qf wanted.txt "$1"; then echo "error: seven" >&2; exit 3; fi', "tool")
    done = run(unix, "reduce", "in.txt", "-j", "2", "--", "./tool", "in.txt")
    assert done.status == 0, done.stderr
    assert "line 7" in (unix.folder / "in.min.txt").read_text()
    assert len((unix.folder / "in.txt").read_text().splitlines()) == 60
    assert list(unix.temporary.iterdir()) == []


def test_a_check_that_hangs_is_ended_with_what_it_started(unix: CommandLine) -> None:
    pid = unix.folder / "pids"
    unix.check(f'grep -q "line 42" "$1" || {{ sleep 600 & echo $! >> {pid}; sleep 600; }}')
    done = run(unix, "reduce", "./check.sh", "in.txt", "-j", "2", "--timeout", "1", "--max-tests", "8")
    assert done.status == 0, done.stderr
    for number in pid.read_text().split():
        state = subprocess.run(["ps", "-o", "stat=", "-p", number], capture_output=True, text=True, check=False).stdout
        assert state.strip().startswith("Z") or not state


@pytest.mark.processes
def test_windows_is_told_to_use_wsl() -> None:
    code = "import sys; sys.platform = 'win32'; import minrepro.cli.main"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert re.fullmatch(r"minrepro: error: .*Windows.*\nhint: .*WSL.*\n", done.stderr)
