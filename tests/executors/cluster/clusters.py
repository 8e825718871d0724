"""A real Dask cluster on this machine for tests: a scheduler and workers in processes of their own."""

from __future__ import annotations

import contextlib
import json
import os
import random
import signal
import socket
import subprocess
import sys
import threading
import time
import uuid
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from minrepro.executors.cluster.cluster_executor import Cluster
from minrepro.oracles.command import CommandOracle
from tests.cli.command_line import until

ALONE = "600"
"""Seconds after which a scheduler or a worker that everybody has forgotten ends by itself; longer than any test."""


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


class Wire:
    """Passes on what goes over connections to a scheduler, counts it, and can cut them."""

    def __init__(self, address: str) -> None:
        self.sent = self.received = 0
        self.lead_to(address)
        self._ends: list[socket.socket] = []
        self._server = socket.create_server(("127.0.0.1", 0))
        self.address = f"tcp://127.0.0.1:{self._server.getsockname()[1]}"
        self._threads = [threading.Thread(target=self._accept)]
        self._threads[0].start()

    def __enter__(self) -> Wire:
        return self

    def __exit__(self, *exception: object) -> None:
        self._server.shutdown(socket.SHUT_RDWR)
        self._threads[0].join()
        self.cut()
        for thread in self._threads:
            thread.join()
        for end in (self._server, *self._ends):
            end.close()

    def lead_to(self, address: str) -> None:
        """Have new connections lead to another address."""
        host, port = address.removeprefix("tcp://").split(":")
        self._target = host, int(port)

    def cut(self) -> None:
        """End all connections; new ones are taken."""
        for end in self._ends:
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def _accept(self) -> None:
        with contextlib.suppress(OSError):  # the server has been closed
            while True:
                near, _ = self._server.accept()
                self._ends.append(near)
                far = socket.create_connection(self._target)
                self._ends.append(far)
                for source, sink, name in ((near, far, "sent"), (far, near, "received")):
                    self._threads.append(threading.Thread(target=self._pump, args=(source, sink, name)))
                    self._threads[-1].start()

    def _pump(self, source: socket.socket, sink: socket.socket, name: str) -> None:
        with contextlib.suppress(OSError):
            while piece := source.recv(1 << 16):
                setattr(self, name, getattr(self, name) + len(piece))
                sink.sendall(piece)
        with contextlib.suppress(OSError):
            sink.shutdown(socket.SHUT_RDWR)


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


def free_port() -> int:
    """Return a port at which nobody listens now, and which the system gives to nobody who asks for any port."""
    while True:
        port = random.randrange(20_000, 30_000)
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port
