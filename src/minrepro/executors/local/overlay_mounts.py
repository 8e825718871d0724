"""Mount namespaces and overlays of Linux, by the system calls themselves: no other program is needed.

Used in the check runners, which are bare interpreters: the standard library only.
"""

# Every test passes through here, and functions on strings take half the time of those on `Path`.
# ruff: noqa: PTH123

from __future__ import annotations

import contextlib
import ctypes
import os
import sys

from minrepro.executors.local.cleanup import LINUX

BIND = 0x1000
_CLONE_NEWNS, _CLONE_NEWUSER = 0x00020000, 0x10000000
_MS_REC, _MS_PRIVATE, _MS_REMOUNT, _MS_RDONLY = 0x4000, 0x40000, 0x20, 0x1
_MNT_DETACH = 2


def _libc() -> ctypes.CDLL:
    """Return the C library."""
    return ctypes.CDLL(None, use_errno=True)


def enter_mount_namespace() -> None:
    """Leave this process where what it mounts is seen by nobody else; raise OSError where that is not possible."""
    if not LINUX:
        raise OSError(f"not possible on {sys.platform}")
    library = _libc()
    if library.unshare(_CLONE_NEWNS) != 0:  # only root may do that; anybody may as root of a namespace of users
        user, group = os.getuid(), os.getgid()
        if library.unshare(_CLONE_NEWUSER | _CLONE_NEWNS) != 0:
            raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
        maps = {"setgroups": "deny", "uid_map": f"{user} {user} 1", "gid_map": f"{group} {group} 1"}
        for name, text in maps.items():
            with open(f"/proc/self/{name}", "w") as file:
                file.write(text)
    mount("none", "/", "", _MS_REC | _MS_PRIVATE)


def mount(source: str, target: str, kind: str, flags: int, options: str = "") -> None:
    """Mount something, or raise OSError."""
    words = [os.fsencode(word) for word in (source, target, kind)]
    if _libc().mount(*words[:2], words[2] or None, flags, options.encode() or None) != 0:
        raise OSError(ctypes.get_errno(), f"{os.strerror(ctypes.get_errno())}: {target}")


def mount_overlay(root: str, upper: str, work: str) -> None:
    """Put a layer over a folder, also over what is mounted inside it."""
    inside = [path for path in mount_points() if path.startswith(f"{root}/")]
    held = {path: os.open(path, os.O_PATH) for path in inside}
    lower = os.open(root, os.O_PATH)  # by number, because a path may have signs that mean something in options
    try:
        options = f"lowerdir=/proc/self/fd/{lower},upperdir={upper},workdir={work}"
        try:
            mount("overlay", root, "overlay", 0, options)
        except OSError:  # in a namespace of users marks are kept in attributes that anybody may write
            mount("overlay", root, "overlay", 0, options + ",userxattr")
        for path, descriptor in held.items():
            mount(f"/proc/self/fd/{descriptor}", path, "", BIND)
            with contextlib.suppress(OSError):
                mount("none", path, "", BIND | _MS_REMOUNT | _MS_RDONLY)
    finally:
        for descriptor in (lower, *held.values()):
            os.close(descriptor)


def mount_points() -> list[str]:
    """Return where something is mounted."""
    with open("/proc/self/mountinfo", "rb") as file:
        words = [line.split()[4] for line in file]
    return [os.fsdecode(word.replace(rb"\040", b" ").replace(rb"\011", b"\t")) for word in words]


def unmount(path: str) -> None:
    """Take away what was mounted last at a path, as soon as nobody uses it."""
    _libc().umount2(os.fsencode(path), _MNT_DETACH)
