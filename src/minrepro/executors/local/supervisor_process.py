"""The supervisor as seen by the coordinator: how it is started, asked for check runners, watched and ended."""

from __future__ import annotations

import contextlib
import marshal
import os
import select
import signal
import socket
import sys
import tempfile
import time
from pathlib import Path

from minrepro.core.containment import Containment
from minrepro.core.limits import Limits
from minrepro.core.view import View
from minrepro.errors import CheckError
from minrepro.executors.local.check_runner import READABLE
from minrepro.executors.local.cleanup import PERSISTENCE, SEPARATE, continue_stopped, remove_folder
from minrepro.executors.local.run_folder import new_name
from minrepro.executors.local.supervisor import ORDER, STARTED

LOOK = 1.0
"""Seconds between two looks at whether all parts of ours still work."""

# The supervisor imports a few modules of this package and nothing else of it: the packages around them are empty
# stand-ins.
BOOT = """
import sys, types
for name, folder in zip(("minrepro", "minrepro.executors", "minrepro.executors.local"), sys.argv[3:6]):
    sys.modules[name] = types.ModuleType(name)
    sys.modules[name].__path__ = [folder]
from minrepro.executors.local.supervisor import main
main()
"""


class SupervisorProcess:
    """The process that starts check runners, as seen from here."""

    def __init__(self, place: Path | None, limits: Limits, view: View | None, containment: Containment) -> None:
        where = Path(tempfile.gettempdir()) if place is None else place
        if not (where.is_dir() and os.access(where, os.W_OK | os.X_OK)):
            raise CheckError(f"cannot create temporary directories in {where}\nhint: --work-dir DIR")
        # The supervisor makes the folder, because it outlives this process and removes it.
        self.folder = str(where.absolute() / new_name())
        self.socket, other = socket.socketpair()
        package = Path(__file__).parent
        words = [
            "-I",
            "-S",
            "-c",
            BOOT,
            str(os.getpid()),
            self.folder,
            *map(str, (package.parents[1], package.parent, package)),
        ]
        words.append(marshal.dumps((tuple(limits), view and tuple(view), tuple(containment))).hex())
        try:
            self.pid = os.posix_spawn(
                sys.executable,
                [sys.executable, *words],
                os.environ,
                file_actions=[(os.POSIX_SPAWN_DUP2, other.fileno(), 0)],
                setsigmask=(),
                **SEPARATE,
            )
        except OSError as error:
            self.socket.close()
            raise CheckError(f"cannot start {sys.executable} to run checks: {error.strerror}") from error
        finally:
            other.close()

    def check_runner(self, number: int, replaced: int = 0) -> tuple[socket.socket, int, int, str]:
        """Start a check runner, in the place of a dead one; return its socket, its process id, how the dead one ended,
        and why there is no sandbox."""
        ours, theirs = socket.socketpair()
        try:
            socket.send_fds(self.socket, [ORDER.pack(number, replaced)], [theirs.fileno()])
            pid, status, length = STARTED.unpack(self._receive(STARTED.size))
            why = self._receive(length).decode()
        except BaseException:
            ours.close()
            raise
        finally:
            theirs.close()
        return ours, pid, status, why

    def _receive(self, length: int) -> bytes:
        """Return what the supervisor answers; one that is stopped is continued, one that is silent counts as dead."""
        deadline, answer = time.monotonic() + 3 * PERSISTENCE, b""
        poller = select.poll()
        poller.register(self.socket, READABLE)
        while len(answer) < length:
            if poller.poll(LOOK * 1000):
                piece = self.socket.recv(length - len(answer))
                if not piece:
                    raise ConnectionResetError
                answer += piece
            elif time.monotonic() > deadline:
                raise ConnectionResetError
            else:
                self.continue_stopped()
        return answer

    def continue_stopped(self) -> bool:
        """Have the supervisor go on if something has stopped it, and tell whether so."""
        return continue_stopped(self.pid)

    def close(self) -> None:
        """Wait until the supervisor has swept up and ended."""
        with contextlib.suppress(OSError):
            self.socket.shutdown(socket.SHUT_WR)
            self._receive(1)
        self.socket.close()
        with contextlib.suppress(OSError):
            os.kill(self.pid, signal.SIGKILL)  # it has ended, or it hangs
            os.waitpid(self.pid, 0)
        remove_folder(self.folder)
