"""System calls of Linux that Python has no functions for: namespaces, mounts, capabilities. No other program is needed.

Used in the supervisor and the check runners, which are bare interpreters: the standard library only.
"""

# Every test passes through here, and functions on strings take half the time of those on `Path`.
# ruff: noqa: PTH123

from __future__ import annotations

import ctypes
import os
import signal
from typing import Any

from minrepro.executors.local.portable import LINUX, not_here

BIND, REC, PRIVATE, REMOUNT, RDONLY = 0x1000, 0x4000, 0x40000, 0x20, 0x1
NOSUID, NODEV, NOEXEC = 0x2, 0x4, 0x8
NEWNS, NEWIPC, NEWUSER, NEWPID, NEWNET = 0x00020000, 0x08000000, 0x10000000, 0x20000000, 0x40000000
_MNT_DETACH = 2
_AT_FDCWD, _AT_RECURSIVE = -100, 0x8000
# Calls as young as these have the same number on every processor.
_CLONE3, _MOUNT_SETATTR = 435, 442
_PR_CAPBSET_DROP, _PR_SET_NO_NEW_PRIVS = 24, 38

_KEPT = {0, 1, 3, 4, 5, 6, 7, 8, 10, 11, 13, 14, 15, 18, 23, 24, 29, 31}
"""What the superuser may do in a sandbox: all with files and processes, nothing with mounts, devices or the kernel."""


def call(name: str, *arguments: Any) -> int:
    """Call a function of the C library, or raise OSError."""
    library = ctypes.CDLL(None, use_errno=True)
    answer: int = getattr(library, name)(*arguments)
    if answer < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return answer


def unshare(flags: int) -> None:
    """Enter new namespaces, as the only user of one of users where that takes one; raise OSError where neither can."""
    if not LINUX:
        raise not_here()
    try:
        call("unshare", flags)  # only root may do that; anybody may as root of a namespace of users
    except OSError:
        user, group = os.getuid(), os.getgid()
        call("unshare", NEWUSER | flags)
        map_user(user, group)


def fork_apart(flags: int) -> tuple[int, bool]:
    """Fork into new namespaces; return the process id, 0 in the child, and whether it must map its user.

    In a new one for processes the child is process 1: nothing of the others can be signalled from there, nor can
    itself be ended or stopped by what it starts, and when it ends all of that does.
    """
    if not LINUX:
        raise not_here()
    try:
        return _clone(flags), False
    except PermissionError:  # only root may do that; anybody may as root of a namespace of users
        return _clone(flags | NEWUSER), True


def _clone(flags: int) -> int:
    # As `os.fork` does it; only the system call is another one. The lock of the interpreter is not let go.
    library, python = ctypes.PyDLL(None, use_errno=True), ctypes.pythonapi
    arguments = (ctypes.c_uint64 * 8)(flags, 0, 0, 0, signal.SIGCHLD, 0, 0, 0)
    python.PyOS_BeforeFork()
    pid: int = library.syscall(ctypes.c_long(_CLONE3), arguments, ctypes.c_size_t(ctypes.sizeof(arguments)))
    if pid == 0:
        python.PyOS_AfterFork_Child()
    else:
        python.PyOS_AfterFork_Parent()
    if pid < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return pid


def map_user(user: int, group: int) -> None:
    """Have the same user and group in this namespace of users as around it."""
    maps = {"setgroups": "deny", "uid_map": f"{user} {user} 1", "gid_map": f"{group} {group} 1"}
    for name, text in maps.items():
        with open(f"/proc/self/{name}", "w") as file:
            file.write(text)


def mount(source: str, target: str, kind: str, flags: int, options: str = "") -> None:
    """Mount something, or raise OSError."""
    try:
        call(
            "mount",
            os.fsencode(source),
            os.fsencode(target),
            os.fsencode(kind) or None,
            ctypes.c_ulong(flags),
            os.fsencode(options) or None,
        )
    except OSError as error:
        raise OSError(error.errno, f"{error.strerror}: {target}") from error


def unmount(path: str) -> None:
    """Take away what was mounted last at a path, as soon as nobody uses it; raise OSError if nothing was."""
    call("umount2", os.fsencode(path), _MNT_DETACH)


def set_read_only(path: str, read_only: bool, *, all_below: bool = False) -> None:
    """Have a mount be read-only or not, with all that is mounted below it if asked."""
    attributes = (ctypes.c_uint64 * 4)(RDONLY if read_only else 0, 0 if read_only else RDONLY, 0, 0)
    call(
        "syscall",
        ctypes.c_long(_MOUNT_SETATTR),
        ctypes.c_int(_AT_FDCWD),
        os.fsencode(path),
        ctypes.c_uint(_AT_RECURSIVE if all_below else 0),
        attributes,
        ctypes.c_size_t(ctypes.sizeof(attributes)),
    )


def give_up_powers() -> None:
    """Have all that this process starts be without power over mounts, devices and the kernel, superuser or not."""
    for power in range(64):
        if power not in _KEPT and ctypes.CDLL(None).prctl(_PR_CAPBSET_DROP, ctypes.c_ulong(power), 0, 0, 0) < 0:
            break  # the kernel knows no more of them


def allow_no_new_powers() -> None:
    """Have no program, whoever owns it, give more power to what this process starts than it has itself."""
    call("prctl", _PR_SET_NO_NEW_PRIVS, ctypes.c_ulong(1), 0, 0, 0)


def mount_of(descriptor: int) -> int:
    """Return by number on which mount a file lies."""
    if LINUX:
        with open(f"/proc/self/fdinfo/{descriptor}", "rb") as file:
            for line in file:
                if line.startswith(b"mnt_id:"):
                    return int(line.split()[1])
    return os.fstat(descriptor).st_dev


def mount_points() -> list[str]:
    """Return where something is mounted."""
    with open("/proc/self/mountinfo", "rb") as file:
        words = [line.split()[4] for line in file]
    escaped = {rb"\040": b" ", rb"\011": b"\t", rb"\012": b"\n", rb"\134": b"\\"}
    for code, sign in escaped.items():
        words = [word.replace(code, sign) for word in words]
    return [os.fsdecode(word) for word in words]
