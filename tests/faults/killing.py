"""Real runs of the command line that can be killed: forked from a server that has everything imported already."""

from __future__ import annotations

import base64
import itertools
import multiprocessing
import os
import random
import signal
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from minrepro.runs.history.journal import journals_in
from minrepro.runs.history.record_file import RecordFile, encoded
from minrepro.runs.history.recorded_run import RecordedRun, read_story

DEADLINE = 120.0
"""Seconds after which something that should have happened is given up; no test depends on its size."""

_context = multiprocessing.get_context("forkserver")
_context.set_forkserver_preload(["minrepro.cli.main"])


def _main(folder: str, words: list[str], output: str, dying: tuple[str, int] | None) -> None:
    os.chdir(folder)
    os.environ["TMPDIR"] = str(Path(folder).parent / "temporary")
    tempfile.tempdir = None  # it may have been looked up already, in another environment
    os.setsid()
    written = os.open(output, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    os.dup2(written, 1)
    os.dup2(written, 2)
    from minrepro.cli.main import main

    if dying is not None:
        _die_while_writing(*dying)
    sys.exit(main(words))


def _die_while_writing(what: str, times: int) -> None:
    """Have this process killed in the middle of the nth time that it writes its journal or its result."""
    countdown = itertools.count(times, -1)

    def die() -> None:
        os.kill(os.getpid(), signal.SIGKILL)

    if what == "journal":
        append = RecordFile.append

        def half(file: RecordFile, *records: Any) -> None:
            if not next(countdown):
                line = b"".join(map(encoded, records))
                os.write(file.descriptor, line[: len(line) // 2])
                die()
            append(file, *records)

        RecordFile.append = half  # type: ignore[method-assign,assignment]
    else:
        replace = Path.replace

        def never(path: Path, target: Path) -> Path:
            if not next(countdown):
                die()
            return replace(path, target)

        Path.replace = never  # type: ignore[method-assign,assignment]


class Workshop:
    """A folder with an input and a check that counts its runs, and reductions in it."""

    def __init__(self, place: Path, content: bytes, check: str) -> None:
        self.place = place
        self.folder = place / "here"
        self.temporary = place / "temporary"
        self.folder.mkdir()
        self.temporary.mkdir()
        self.input = self.folder / "in.txt"
        self.input.write_bytes(content)
        self.content = content
        self.runs_file = place / "runs"
        self.runs_file.touch()
        self.cases_file = place / "cases"
        self.cases_file.touch()
        self.check = self.folder / "check.sh"
        # One byte appended for each run: that is one step, however many checks there are at a time.
        command = check.replace("INPUT", '"$1"')
        told = f'printf \'%s\\n\' "$(base64 -w0 < "$1")" >> {self.cases_file}' if "INPUT" in check else ":"
        self.check.write_text(f"#!/bin/sh\nprintf x >> {self.runs_file}; {told}\n{command}\n")
        self.check.chmod(0o755)

    @property
    def runs(self) -> int:
        """How many checks were begun."""
        return self.runs_file.stat().st_size

    @property
    def cases(self) -> list[bytes]:
        """The contents that checks were shown, in the order of their runs."""
        return [base64.b64decode(line) for line in self.cases_file.read_bytes().splitlines()]

    @property
    def state(self) -> Path:
        return self.folder / "in.txt.minrepro"

    @property
    def result(self) -> bytes:
        return (self.folder / "in.min.txt").read_bytes()

    @property
    def said(self) -> str:
        return (self.place / "said").read_text()

    def story(self) -> RecordedRun:
        """Return what the newest journal tells."""
        return read_story(journals_in(self.state)[-1])[0]

    def start(self, *words: str, dying: tuple[str, int] | None = None) -> multiprocessing.process.BaseProcess:
        """Start the command and go on."""
        said = str(self.place / "said")
        if {"reduce", "isolate"} & set(words) and "--writable" not in words:
            words = (*words, "--sandbox", "off")  # the check counts its runs, where one outside would be one more
        process = _context.Process(target=_main, args=(str(self.folder), list(words), said, dying))
        process.start()
        return process

    def run(self, *words: str) -> int | None:
        """Run the command to its end and return its exit status."""
        process = self.start(*words)
        process.join(DEADLINE)
        return process.exitcode

    def kill_at_a_random_moment(self, process: multiprocessing.process.BaseProcess, rng: random.Random) -> bool:
        """Kill a run after a few more checks, or soon; return whether it was still going on."""
        if rng.random() < 0.25:
            time.sleep(rng.uniform(0, 0.05))
        else:
            enough = self.runs + rng.randint(1, 5)
            until(lambda: self.runs >= enough or not process.is_alive())
            time.sleep(rng.uniform(0, 0.005))
        alive = process.is_alive()
        process.kill()
        process.join(DEADLINE)
        return alive

    def assert_nothing_is_left(self) -> None:
        """Fail if a folder of a check does not go away, or anything else is where it should not be."""
        until(lambda: not list(self.temporary.iterdir()))
        assert self.input.read_bytes() == self.content
        names = {path.name for path in self.folder.iterdir()}
        assert names <= {"check.sh", "in.txt", "in.min.txt", "in.txt.minrepro", "in", "in.min", "in.minrepro"}, names


def until(condition: Callable[[], bool]) -> None:
    """Wait until something has happened."""
    deadline = time.monotonic() + DEADLINE
    while not condition():
        assert time.monotonic() < deadline, "it never happened"
        time.sleep(0.002)
