"""A real Dask cluster on this machine for tests: a scheduler and workers in processes of their own."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from minrepro.executors.cluster import Cluster
from minrepro.oracles.command import CommandOracle
from tests.ui.command_line import until

ALONE = "60"
"""Seconds after which a scheduler or a worker that everybody has forgotten ends by itself."""


class RealCluster:
    """A scheduler and its workers; every process that they start carries the same mark in its environment."""

    def __init__(
        self, folder: Path, address: str = "tcp://127.0.0.1:0", environment: Mapping[str, str] | None = None
    ) -> None:
        self.folder = folder
        self._environment = environment or {}
        self.mark = uuid.uuid4().hex
        self.scheduler_file = folder / "scheduler.json"
        self.processes: dict[str, subprocess.Popen[bytes]] = {}
        self.start_scheduler(address)

    def start_scheduler(self, address: str) -> None:
        """Start a scheduler at an address."""
        words = ["--host", address, "--no-dashboard", "--dashboard-address", "127.0.0.1:0", "--idle-timeout", ALONE]
        self.scheduler_file.unlink(missing_ok=True)
        self.scheduler = self._start("scheduler", [*words, "--scheduler-file", str(self.scheduler_file)])

    def _start(
        self,
        kind: str,
        words: Sequence[str],
        environment: Mapping[str, str] | None = None,
        before: Sequence[str] = (),
    ) -> subprocess.Popen[bytes]:
        log = (self.folder / f"{kind}.log").open("ab")
        with log:
            return subprocess.Popen(
                [*before, sys.executable, "-m", f"distributed.cli.dask_{kind}", *words],
                env={**os.environ, **self._environment, **(environment or {}), "MINREPRO_TEST": self.mark},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )

    @property
    def address(self) -> str:
        """Where the scheduler listens, once it does."""
        until(self._is_listening)
        address: str = json.loads(self.scheduler_file.read_text())["address"]
        return address

    def _is_listening(self) -> bool:
        # The file is there before it is written.
        return self.scheduler_file.exists() and self.scheduler_file.read_text().rstrip().endswith("}")

    def worker(
        self,
        name: str,
        threads: int = 2,
        environment: Mapping[str, str] | None = None,
        before: Sequence[str] = (),
        more: Sequence[str] = (),
    ) -> subprocess.Popen[bytes]:
        """Start a worker."""
        folder = self.folder / name
        folder.mkdir(exist_ok=True)
        words = ["--scheduler-file", str(self.scheduler_file), "--no-nanny", "--no-dashboard", "--host", "127.0.0.1"]
        words += ["--nthreads", str(threads), "--name", name, "--local-directory", str(folder)]
        words += ["--death-timeout", ALONE, *more]
        until(self._is_listening)
        self.processes[name] = self._start("worker", words, environment, before)
        return self.processes[name]

    def wait_for_workers(self, number: int) -> None:
        """Wait until so many workers have found the scheduler."""
        log = self.folder / "worker.log"
        until(lambda: log.read_text().count("Registered to") >= number)

    def kill(self, name: str) -> None:
        """End a worker as the kernel does when memory runs out."""
        self.processes[name].kill()
        self.processes[name].wait()

    def others(self) -> list[str]:
        """Return the command lines of all processes of this cluster except scheduler and workers themselves."""
        own = {process.pid for process in (self.scheduler, *self.processes.values())}
        return [words for pid, words in marked(self.mark).items() if pid not in own]

    def close(self) -> None:
        """End everything."""
        for process in (*self.processes.values(), self.scheduler):
            process.send_signal(signal.SIGCONT)
            process.kill()
            process.wait()
        until(lambda: not marked(self.mark))


def marked(mark: str) -> dict[int, str]:
    """Return all processes with a mark in their environment."""
    found = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                if mark.encode() in (entry / "environ").read_bytes():
                    found[int(entry.name)] = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode()
            except OSError:
                continue  # it has ended meanwhile, or is not ours
    return found


def script(path: Path, text: str) -> Path:
    """Write a check in the language of sh."""
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return path


def joined(where: str, check: Path, data: bytes, **options: Any) -> Cluster:
    """Return an executor on a cluster for a check of a file named `input`."""
    return Cluster(where, CommandOracle([str(check)], "input"), data, **options)


def capacity_reaches(executor: Cluster, slots: int) -> Callable[[], bool]:
    """Return a function that tells whether so many tests can run at a time."""
    return lambda: executor.capacity == slots and not executor.wait([], 0)


def seconds_until(condition: Callable[[], bool]) -> float:
    """Wait until something has happened; return how long that took."""
    began = time.monotonic()
    until(condition)
    return time.monotonic() - began
