"""The real command line in a subprocess, with a folder of its own and checks written in a line or two."""

from __future__ import annotations

import atexit
import os
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tests.cli.forking import DEADLINE, ForkServer


@cache
def fork_server() -> ForkServer:
    """Return the one fork server of this process."""
    server = ForkServer()
    atexit.register(server.close)
    return server


@dataclass(frozen=True)
class Done:
    """How a command ended."""

    status: int
    stdout: str
    stderr: str


class CommandLine:
    """Runs `minrepro` in a folder, with its temporary files in another, so that what it leaves there can be seen."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "here"
        self.temporary = folder / "temporary"
        self.folder.mkdir()
        self.temporary.mkdir()
        self.environment = {**os.environ, "TMPDIR": str(self.temporary), "COLUMNS": "100"}

    def write(self, name: str, content: bytes | str, mode: int = 0o644) -> Path:
        """Write a file into the folder."""
        path = self.folder / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        path.chmod(mode)
        return path

    def check(self, script: str, name: str = "check.sh") -> Path:
        """Write a check in the language of sh."""
        return self.write(name, f"#!/bin/sh\n{script}\n", 0o755)

    def start(self, *words: str) -> subprocess.Popen[str]:
        """Start the command from nothing, and go on."""
        return subprocess.Popen(
            [sys.executable, "-m", "minrepro", *words],
            cwd=self.folder,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def run(self, *words: str) -> Done:
        """Run the command to its end; it is a process of its own, forked from one that has done the imports."""
        status, out, err = fork_server().run(words, self.folder, self.environment)
        return Done(status, out.decode(), err.decode())

    def names(self) -> set[str]:
        """Return the names of all files in the folder."""
        return {path.name for path in self.folder.iterdir()}

    def assert_nothing_is_left(self) -> None:
        """Fail if a temporary file, a folder or a process of a check is still there."""
        assert list(self.temporary.iterdir()) == []
        assert processes_in(self.temporary) == []
        assert not [name for name in self.names() if name.endswith(".part")]


def ended(process: subprocess.Popen[str]) -> Done:
    """Wait for the end of a command."""
    stdout, stderr = process.communicate(timeout=DEADLINE)
    return Done(process.returncode, stdout, stderr)


def processes_in(folder: Path) -> list[int]:
    """Return all processes whose working folder is, or was, inside a folder."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                if str(entry.joinpath("cwd").readlink()).startswith(str(folder)):
                    found.append(int(entry.name))
            except OSError:
                continue  # it has ended meanwhile, or is not ours
    return found


def until(condition: Callable[[], bool]) -> None:
    """Wait until something has happened."""
    deadline = time.monotonic() + DEADLINE
    while not condition():
        assert time.monotonic() < deadline, "it never happened"
        time.sleep(0.01)
