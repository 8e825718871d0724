"""What a check may use up: memory, processor time, files, output, processes, network.

Used in the check runners, which are bare interpreters: the standard library only. The system's own limits hold for each
process by itself; what a check uses with all its processes together is looked at several times a second.
"""

# Looked at many times a second while a check runs, and functions on strings take half the time of those on `Path`.
# ruff: noqa: PTH123

from __future__ import annotations

import contextlib
import fcntl
import math
import os
import resource
import signal
import socket
import struct
from collections.abc import Collection

from minrepro.core.limits import Limits
from minrepro.executors.local.cleanup import descendants
from minrepro.executors.local.portable import CANNOT, LINUX
from minrepro.executors.local.system_calls import NEWNET, unshare

_LOOK = 0.1
"""Seconds between two looks at what a check uses."""
_LOOK_AT_PROCESSES = 0.01
"""The same where processes are counted: those of a fork bomb double in less time."""
_PAGE = os.sysconf("SC_PAGE_SIZE")
_BLOCK = 4096
"""What even an empty file counts for: a million of them fill a disk too."""
_SIOCGIFFLAGS, _SIOCSIFFLAGS, _IFF_UP = 0x8913, 0x8914, 1


class EnforcedLimits(Limits):
    """The limits of a check, and how they are imposed and kept."""

    __slots__ = ()

    @property
    def must_look(self) -> bool:
        """Whether something has a limit that the system does not keep by itself."""
        return LINUX and (self.memory is not None or self.files is not None or self.processes is not None)

    @property
    def look(self) -> float:
        """Seconds between two looks at what a check uses."""
        return _LOOK if self.processes is None else _LOOK_AT_PROCESSES

    def impose(self, pid: int) -> None:
        """Give a process that was just started the limits that the system keeps; all that it starts inherit them."""
        if not LINUX:
            return
        for kind, value, later in (
            (resource.RLIMIT_AS, self.memory, 0),
            # A signal tells of the first limit, and only the second, a second later, kills without a word.
            (resource.RLIMIT_CPU, None if self.cpu is None else math.ceil(self.cpu), 1),
            (resource.RLIMIT_FSIZE, self.files, 0),
        ):
            if value is not None:
                with contextlib.suppress(OSError, ValueError):  # it has ended already, or may have less anyway
                    resource.prlimit(pid, kind, (value, value + later))

    @property
    def too_many_processes(self) -> str:
        """What is said of a check that has more processes than it may."""
        return f"more than {self.processes} processes"

    def exceeded(self, folders: list[str], spare: Collection[int] = ()) -> str:
        """Return in words what all descendants of this process, without the spared ones, use too much of; or empty."""
        if self.processes is not None or self.memory is not None:
            there = descendants(spare)
            if self.processes is not None and len(there) > self.processes:
                return self.too_many_processes
            if self.memory is not None and sum(map(_resident, there)) > self.memory:
                return f"more than {_shown(self.memory)} of memory"
        if self.files is not None and _written(folders, self.files) > self.files:
            return f"more than {_shown(self.files)} in its directory"
        return ""

    def told_by(self, status: int) -> str:
        """Return in words the limit for which the system ended a process; empty when it ended otherwise."""
        if self.cpu is not None and status in (-signal.SIGXCPU, 128 + signal.SIGXCPU):
            return f"more than {self.cpu:g} s of CPU time"
        if self.files is not None and status in (-signal.SIGXFSZ, 128 + signal.SIGXFSZ):
            return f"a file of more than {_shown(self.files)}"
        return ""


def _shown(size: int) -> str:
    for factor, unit in ((1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")):
        if size >= factor:
            return f"{size / factor:.4g} {unit}"
    return f"{size} bytes"


def _resident(pid: int) -> int:
    try:
        with open(f"/proc/{pid}/statm", "rb") as file:
            return int(file.read().split()[1]) * _PAGE
    except (OSError, IndexError):
        return 0


def _written(folders: list[str], enough: int) -> int:
    """Return how many bytes are in folders, or any number above `enough` once that is clear."""
    total, pending = 0, list(folders)
    while pending and total <= enough:
        with contextlib.suppress(OSError), os.scandir(pending.pop()) as entries:
            for entry in entries:
                with contextlib.suppress(OSError):
                    if entry.is_dir(follow_symlinks=False):
                        pending.append(entry.path)
                    total += max(_BLOCK, entry.stat(follow_symlinks=False).st_blocks * 512)
                if total > enough:
                    break
    return total


def leave_network() -> str:
    """Put this process, and all that it will start, where there is no network but a loopback; return why not, if so."""
    if not LINUX:
        return CANNOT
    try:
        unshare(NEWNET)
    except OSError as error:
        return error.strerror or str(error)
    return raise_loopback()


def raise_loopback() -> str:
    """Have a loopback device where there is no network, and return what else is there, if so."""
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        request = struct.pack("16sh14x", b"lo", 0)
        flags = struct.unpack("16sh14x", fcntl.ioctl(any_socket, _SIOCGIFFLAGS, request))[1]
        fcntl.ioctl(any_socket, _SIOCSIFFLAGS, struct.pack("16sh14x", b"lo", flags | _IFF_UP))
    return "" if _is_apart() else "a network device is still there"


def _is_apart() -> bool:
    """Tell whether this process sees no network device but the loopback."""
    try:
        with open("/proc/self/net/dev", "rb") as file:
            return {line.split(b":")[0].strip() for line in file if b":" in line} <= {b"lo"}
    except OSError:
        return False


def why_network_stays() -> str:
    """Return why checks cannot be kept from the network on this system; empty when they can."""
    read, write = os.pipe()
    pid = os.fork()
    if not pid:
        os.write(write, leave_network().encode())
        os._exit(0)
    os.close(write)
    with open(read, "rb") as pipe:
        text = pipe.read().decode()
    os.waitpid(pid, 0)
    return text
