"""The process between coordinator and check runners: starts check runners and sweeps up behind one that was killed.

`process_pool.py` starts one supervisor in a bare interpreter, so that neither the size of the coordinator nor the
modules that it has loaded cost anything when a check runner or a check is started. That the supervisor, not the
coordinator, adopts the orphans of a killed check runner leaves alone what a program that uses this package as a library
has started itself.
"""

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

from minrepro.core.view import View
from minrepro.executors.local.cgroups import enter_group, make_group, remove_group
from minrepro.executors.local.check_runner import IGNORED, READABLE, CheckRunner
from minrepro.executors.local.cleanup import (
    LINUX,
    PERSISTENCE,
    adopt_orphans,
    end_descendants,
    reap,
    remove_folder,
    watch_process,
)
from minrepro.executors.local.resource_limits import EnforcedLimits, leave_network

ORDER = struct.Struct("<qq")
"""To the supervisor, with a socket: the check runner's number, and the process id of the dead check runner it replaces
or 0."""
STARTED = struct.Struct("<qq")
"""From the supervisor: the process id of the new check runner, and the wait status of the one it replaces."""


class Supervisor:
    """Starts check runners, and sweeps up behind those that were killed."""

    def __init__(
        self,
        control: socket.socket,
        coordinator: int | None,
        place: str,
        limits: EnforcedLimits,
        view: View | None = None,
    ) -> None:
        self.control = control
        self.coordinator = coordinator
        self.place = place
        self.limits = limits
        self.view = view
        self.check_runners: dict[int, str] = {}
        self.groups: dict[str, str] = {}

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
        remove_folder(self.place)

    def take_orders(self) -> None:
        """Start check runners until the coordinator is gone."""
        poller = select.poll()
        for descriptor in (self.control.fileno(), self.coordinator):
            if descriptor is not None:
                poller.register(descriptor, READABLE)
        while self.control.fileno() in [descriptor for descriptor, _ in poller.poll()]:
            message, descriptors, *_ = socket.recv_fds(self.control, ORDER.size, 1)
            if not message:
                return
            number, replaced = ORDER.unpack(message)
            os.set_inheritable(descriptors[0], False)  # else a check would hold the socket of its own check runner open
            status = self.remove_check_runner(replaced) if replaced else 0
            self.control.sendall(STARTED.pack(self.start(number, descriptors[0]), status))

    def start(self, number: int, descriptor: int) -> int:
        """Fork a check runner that serves this socket."""
        place = f"{self.place}/{number}"
        if self.limits.processes is not None:
            self.groups[place] = make_group("-".join(place.split("/")[-2:]), self.limits.processes)
        pid = os.fork()
        if pid:
            os.close(descriptor)
            self.check_runners[pid] = place
            return pid
        try:
            self.control.close()
            enter_group(self.groups.get(place, ""))
            adopt_orphans()
            if self.limits.network or not leave_network():
                connection, group = socket.socket(fileno=descriptor), self.groups.get(place, "")
                CheckRunner(connection, self.coordinator, place, self.limits, group, self.view).serve()
        finally:
            os._exit(0)

    def remove_check_runner(self, check_runner: int) -> int:
        """Make sure that a check runner and all that it started are gone, with its folder; return its wait status."""
        place = self.check_runners.pop(check_runner)
        with contextlib.suppress(OSError):
            os.kill(check_runner, signal.SIGKILL)
        status = os.waitpid(check_runner, 0)[1]
        end_descendants({}, spare=self.check_runners)
        remove_group(self.groups.pop(place, ""))
        remove_folder(place)
        return status


def main() -> None:
    """Be the supervisor of the coordinator that started this process; its socket is standard input."""
    parent, place = int(sys.argv[1]), sys.argv[2]
    limits_sent, view_sent = marshal.loads(bytes.fromhex(sys.argv[6]))
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
        os.mkdir(place, 0o700)  # noqa: PTH102 - a bare interpreter
        Supervisor(control, coordinator, place, limits, view).serve()
