"""The process between coordinator and check runners: starts check runners and sweeps up behind one that was killed.

`process_pool.py` starts one supervisor in a bare interpreter, so that neither the size of the coordinator nor the
modules that it has loaded cost anything when a check runner or a check is started. That the supervisor, not the
coordinator, adopts the orphans of a killed check runner leaves alone what a program that uses this package as a library
has started itself.
"""

# The supervisor loads no `pathlib`, and starts faster for it.
# ruff: noqa: PTH120

from __future__ import annotations

import contextlib
import marshal
import os
import select
import signal
import socket
import struct
import sys
import time
from collections.abc import Iterator

from minrepro.core.containment import OFF, STRICT, Containment
from minrepro.core.view import View
from minrepro.executors.local.cgroups import enter_group, make_group, remove_group
from minrepro.executors.local.check_runner import IGNORED, READABLE, CheckRunner
from minrepro.executors.local.cleanup import (
    PERSISTENCE,
    adopt_orphans,
    continue_stopped,
    end_descendants,
    reap,
    remove_folder,
    watch_process,
)
from minrepro.executors.local.portable import LINUX
from minrepro.executors.local.resource_limits import EnforcedLimits, leave_network, raise_loopback
from minrepro.executors.local.run_folder import RunFolder, new_name
from minrepro.executors.local.sandbox import Sandbox, fork_into_namespaces
from minrepro.executors.local.system_calls import map_user
from minrepro.executors.local.warm_runner import WarmCheckRunner

ORDER = struct.Struct("<qq")
"""To the supervisor, with a socket: the check runner's number, and the process id of the dead check runner it replaces
or 0."""
STARTED = struct.Struct("<qqH")
"""From the supervisor: the process id of the new check runner, the wait status of the one it replaces, and the length
of the text behind it: why there is no sandbox although one was asked for."""


class Supervisor:
    """Starts check runners, and sweeps up behind those that were killed."""

    def __init__(
        self,
        control: socket.socket,
        coordinator: int | None,
        place: str,
        limits: EnforcedLimits,
        view: View | None = None,
        containment: Containment = Containment(),  # noqa: B008 - it never changes
    ) -> None:
        self.control = control
        self.coordinator = coordinator
        self.run_folder = RunFolder(place)
        self.limits = limits
        self.view = view
        self.containment = containment
        self.why_open = ""
        """Why there is no sandbox."""
        self.check_runners: dict[int, int] = {}
        self.groups: dict[int, str] = {}
        self.wakened, wake = os.pipe()
        os.set_blocking(self.wakened, False)
        os.set_blocking(wake, False)
        signal.signal(signal.SIGCHLD, lambda number, frame: None)
        signal.set_wakeup_fd(wake, warn_on_full_buffer=False)

    def serve(self) -> None:
        """Start check runners until the coordinator is gone; leave no process and no folder behind."""
        with contextlib.suppress(ConnectionError):  # the coordinator may be killed at any moment
            self.take_orders()
        deadline = time.monotonic() + 2 * PERSISTENCE
        ended: dict[int, int] = {}
        while reap(ended) and not self.check_runners.keys() <= ended.keys() and time.monotonic() < deadline:
            time.sleep(0.001)
        end_descendants(ended)
        for group in self.groups.values():
            remove_group(group)
        self.run_folder.remove()

    def take_orders(self) -> None:
        """Start check runners until the coordinator is gone."""
        poller = select.poll()
        for descriptor in (self.control.fileno(), self.wakened, self.coordinator):
            if descriptor is not None:
                poller.register(descriptor, READABLE)
        swept = False
        while True:
            ready = [descriptor for descriptor, _ in poller.poll()]
            if self.wakened in ready:
                self.continue_stopped()
            if self.control.fileno() in ready:
                message, descriptors, *_ = socket.recv_fds(self.control, ORDER.size, 1)
                if not message:
                    return
                number, replaced = ORDER.unpack(message)
                # Else a check would hold the socket of its own check runner open.
                os.set_inheritable(descriptors[0], False)
                status = self.remove_check_runner(replaced) if replaced else 0
                pid, why = self.start(number, descriptors[0]), self.why_open.encode()
                self.control.sendall(STARTED.pack(pid, status, len(why)) + why)
                if not swept:
                    swept = True
                    self.run_folder.sweep()
            elif self.coordinator in ready:
                return

    def continue_stopped(self) -> None:
        """Have check runners that something has stopped go on."""
        with contextlib.suppress(BlockingIOError):
            while len(os.read(self.wakened, 4096)) == 4096:
                pass
        for pid in self.check_runners:
            continue_stopped(pid)

    def start(self, number: int, descriptor: int) -> int:
        """Fork a check runner that serves this socket, in a sandbox if there can be one; return its process id."""
        if not self.run_folder.is_there():  # a check has moved it, or put something else in its place
            self.run_folder.remove()
            self.run_folder = RunFolder(f"{os.path.dirname(self.run_folder.path)}/{new_name()}")
        if self.limits.processes is not None:
            name = f"{self.run_folder.path.rpartition('/')[2]}-{number}"
            self.groups[number] = make_group(name, self.limits.processes)
        pid = 0
        if self.containment.mode != OFF and not self.why_open:
            pid = self.begin(number, descriptor, sandboxed=True)
        if not pid and self.containment.mode != STRICT:
            pid = self.begin(number, descriptor, sandboxed=False)
        os.close(descriptor)
        if pid:
            self.check_runners[pid] = number
        return pid

    def begin(self, number: int, descriptor: int, *, sandboxed: bool) -> int:
        """Fork a check runner; return its process id, or 0 where there can be no sandbox."""
        for name in (str(number), layers_of(number)):
            remove_folder(name, self.run_folder.descriptor)
            os.mkdir(name, 0o700, dir_fd=self.run_folder.descriptor)
        read, write = os.pipe()
        user, group = os.getuid(), os.getgid()
        try:
            pid, mapped = (
                fork_into_namespaces(self.containment.mode, self.limits.network) if sandboxed else (os.fork(), False)
            )
        except OSError as error:
            if not sandboxed:
                raise
            self.why_open = str(error.strerror)
            os.close(read)
            os.close(write)
            return 0
        if not pid:
            try:
                with said_if_not(write):
                    if mapped:
                        map_user(user, group)
                    runner = self.check_runner(number, descriptor, sandboxed)
                runner.serve()
            finally:
                os._exit(0)
        os.close(write)
        with open(read, "rb") as pipe:  # noqa: PTH123 - a descriptor
            trouble = pipe.read().decode()
        if trouble and sandboxed:
            self.why_open = trouble
            os.waitpid(pid, 0)
            return 0
        return pid

    def check_runner(self, number: int, descriptor: int, sandboxed: bool) -> CheckRunner:
        """Return the check runner that this process is to be, after its start; raise OSError if it cannot be."""
        self.control.close()
        group, place, sandbox = self.groups.get(number, ""), self.run_folder.path, None
        enter_group(group)
        adopt_orphans()
        trouble = "" if self.limits.network else raise_loopback() if sandboxed else leave_network()
        if trouble:
            raise OSError(trouble)
        if sandboxed:
            sandbox = Sandbox(self.containment, f"{place}/{number}", f"{place}/{layers_of(number)}")
        connection = socket.socket(fileno=descriptor)
        keep = self.containment.keep
        runner = WarmCheckRunner(
            connection, self.coordinator, self.run_folder, number, self.limits, group, self.view, sandbox, keep
        )
        runner.settle()
        return runner

    def remove_check_runner(self, check_runner: int) -> int:
        """Make sure that a check runner and all that it started are gone, with its folder; return its wait status."""
        number = self.check_runners.pop(check_runner)
        with contextlib.suppress(OSError):
            os.kill(check_runner, signal.SIGKILL)
        deadline, status = time.monotonic() + PERSISTENCE, int(signal.SIGKILL)
        while time.monotonic() < deadline:  # one that hangs in the system may never end
            pid, seen = os.waitpid(check_runner, os.WNOHANG)
            if pid:
                status = seen
                break
            time.sleep(0.001)
        end_descendants({}, spare=self.check_runners)
        remove_group(self.groups.pop(number, ""))
        for name in (str(number), layers_of(number)):
            remove_folder(name, self.run_folder.descriptor)
        return status


def layers_of(number: int) -> str:
    """Return the name of the folder that holds what checks write outside their own."""
    return f"{number}-layers"


@contextlib.contextmanager
def said_if_not(pipe: int) -> Iterator[None]:
    """Close a pipe after something is done, and write to it why it cannot be done."""
    try:
        yield
    except OSError as error:
        os.write(pipe, (error.strerror or str(error) or "?").encode())
        raise
    finally:
        os.close(pipe)


def main() -> None:
    """Be the supervisor of the coordinator that started this process; its socket is standard input."""
    parent, place = int(sys.argv[1]), sys.argv[2]
    limits_sent, view_sent, containment_sent = marshal.loads(bytes.fromhex(sys.argv[6]))
    limits, view = EnforcedLimits(*limits_sent), view_sent and View(*view_sent)
    if not LINUX:
        os.setsid()
    os.closerange(3, os.sysconf("SC_OPEN_MAX"))
    control = socket.socket(fileno=os.dup(0))
    nothing = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1, 2):
        os.dup2(nothing, standard)
    for number in IGNORED:
        signal.signal(number, signal.SIG_IGN)
    adopt_orphans()
    coordinator = watch_process(parent)
    if os.getppid() == parent:
        Supervisor(control, coordinator, place, limits, view, Containment(*containment_sent)).serve()
