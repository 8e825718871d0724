"""A process that has everything imported already and forks itself for every command: a short one is mostly imports."""

from __future__ import annotations

import importlib
import json
import os
import pkgutil
import select
import signal
import socket
import struct
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

import minrepro

DEADLINE = 120.0
"""Seconds after which something that should have happened is given up; no test depends on its size."""
PROJECT = Path(__file__).parents[2]
_NUMBER = struct.Struct("<q")
_OPTIONAL = ("minrepro.browser", "minrepro.cli.commands.web_command", "minrepro.__main__")
"""What needs packages that most commands do not load, and what is a command itself."""


class ForkServer:
    """Starts commands one after another."""

    def __init__(self) -> None:
        self._line, far = socket.socketpair()
        with far:
            program = f"from tests.cli.forking import serve; serve({far.fileno()})"
            self._process = subprocess.Popen(
                [sys.executable, "-c", program], cwd=PROJECT, pass_fds=[far.fileno()], stdin=subprocess.DEVNULL
            )

    def run(self, words: Sequence[str], folder: Path, environment: Mapping[str, str]) -> tuple[int, bytes, bytes]:
        """Run the command to its end, and return its exit status and what it printed."""
        asked = json.dumps([list(words), str(folder), dict(environment)]).encode()
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            socket.send_fds(self._line, [_NUMBER.pack(len(asked))], [out.fileno(), err.fileno()])
            self._line.sendall(asked)
            status = self._status_of(_number(self._line))
            out.seek(0)
            err.seek(0)
            return status, out.read(), err.read()

    def _status_of(self, command: int) -> int:
        if select.select([self._line], [], [], DEADLINE)[0]:
            return _number(self._line)
        os.kill(command, signal.SIGKILL)
        _number(self._line)
        raise TimeoutError("the command never ended")

    def close(self) -> None:
        """End the server."""
        self._line.close()
        self._process.wait()


def _number(line: socket.socket) -> int:
    found: int = _NUMBER.unpack(line.recv(_NUMBER.size, socket.MSG_WAITALL))[0]
    return found


def serve(descriptor: int) -> None:
    """Answer to a fork server's requests until it hangs up; in a forked process, return when its command has ended."""
    line = socket.socket(fileno=descriptor)
    for module in pkgutil.walk_packages(minrepro.__path__, "minrepro."):
        if not module.name.startswith(_OPTIONAL):
            importlib.import_module(module.name)
    while True:
        head, descriptors, _, _ = socket.recv_fds(line, _NUMBER.size, 2)
        if not head:
            return
        asked = line.recv(_NUMBER.unpack(head)[0], socket.MSG_WAITALL)
        child = os.fork()
        if not child:
            line.close()
            _become(*json.loads(asked), *descriptors)
        for each in descriptors:
            os.close(each)
        line.sendall(_NUMBER.pack(child))
        line.sendall(_NUMBER.pack(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])))


def _become(words: list[str], folder: str, environment: dict[str, str], out: int, err: int) -> None:
    """Make this process what `python -m minrepro` is in a folder with an environment, and end with its status."""
    for source, target in ((out, 1), (err, 2)):
        os.dup2(source, target)
        os.close(source)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    tempfile.tempdir = None  # it may have been looked up already, in another environment
    sys.path[0] = folder
    sys.argv = ["minrepro", *words]
    from minrepro.entry import main

    sys.exit(main())
