"""Leaving nothing behind: ends whatever a check started, and removes whatever it wrote.

Used in the supervisor and the check runners, which are bare interpreters: the standard library only. On Linux they are
child subreapers, so whatever a check starts becomes their child when its parent ends, and "I have no child" means
"nothing of the check is left", whatever it did with sessions, groups and signals. Other systems have no subreapers and
no /proc; there a check is ended by its process group. All that differs between systems is in this file.
"""

# Every test passes through here, and functions on strings take half the time of those on `Path`.
# ruff: noqa: PTH101, PTH123, PTH208

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import time
from collections.abc import Collection
from itertools import count
from typing import Any

from minrepro.executors.local.portable import LINUX
from minrepro.executors.local.system_calls import mount_of, unmount

PERSISTENCE = 10.0
"""Seconds after which a process that even SIGKILL does not end (a hung disk) is given up."""
SEPARATE: dict[str, Any] = {"setsid": True} if LINUX else {}
"""How to spawn a process that a terminal's Ctrl-C does not reach; elsewhere it leaves the session when it begins."""


def adopt_orphans() -> None:
    """Become the parent of every descendant whose own parent ends."""
    if LINUX:
        pr_set_child_subreaper = 36
        ctypes.CDLL(None).prctl(pr_set_child_subreaper, 1, 0, 0, 0)


def watch_process(pid: int) -> int | None:
    """Return a descriptor that becomes readable when a process ends, where there are such."""
    with contextlib.suppress(OSError):
        return os.pidfd_open(pid) if LINUX else None
    return None


def continue_stopped(pid: int) -> bool:
    """Have a child go on if something has stopped it, and tell whether so; not every system says."""
    with contextlib.suppress(OSError):
        if LINUX and os.waitid(os.P_PID, pid, os.WSTOPPED | os.WNOHANG) is not None:
            os.kill(pid, signal.SIGCONT)
            return True
    return False


def descendants(spare: Collection[int] = ()) -> list[int]:
    """Return every descendant of this process, leaving out the spared ones with all theirs."""
    found: list[int] = []
    pending = [os.getpid()] if LINUX else []
    while pending:
        pid = pending.pop()
        with contextlib.suppress(OSError):
            for task in os.listdir(f"/proc/{pid}/task"):
                with open(f"/proc/{pid}/task/{task}/children", "rb") as children:
                    born = [child for child in map(int, children.read().split()) if child not in spare]
                found += born
                pending += born
    return found


def reap(ended: dict[int, int]) -> bool:
    """Note the wait status of every child that has ended; return whether another one is left."""
    try:
        while True:
            pid, status = os.waitpid(-1, os.WNOHANG)
            if not pid:
                return True
            ended[pid] = status
    except ChildProcessError:
        return False


def end_descendants(ended: dict[int, int], spare: Collection[int] = ()) -> None:
    """Kill and reap every descendant of this process, leaving out the spared ones with all theirs."""
    deadline = time.monotonic() + PERSISTENCE
    while reap(ended) and time.monotonic() < deadline:
        doomed = descendants(spare)
        if not doomed:
            return
        for pid in doomed:
            with contextlib.suppress(OSError):
                os.kill(pid, signal.SIGKILL)
        time.sleep(0.0002)


def end_check(pid: int, ended: dict[int, int], spare: Collection[int] = ()) -> None:
    """Kill and reap a check with all that it started, leaving out the spared ones."""
    if os.getpid() == 1 and not spare:
        # All that is in this namespace of processes was started by the check, and is killed in one step.
        deadline = time.monotonic() + PERSISTENCE
        while reap(ended) and time.monotonic() < deadline:
            with contextlib.suppress(OSError):
                os.kill(-1, signal.SIGKILL)
            time.sleep(0.0002)
    elif reap(ended) or not LINUX:
        # The group first, because that is one step for all its members, however fast they fork.
        with contextlib.suppress(OSError):
            os.killpg(pid, signal.SIGKILL)
        if not LINUX and pid not in ended:
            ended[pid] = os.waitpid(pid, 0)[1]
        end_descendants(ended, spare)


def remove_folder(name: str, inside: int | None = None) -> None:
    """Remove a folder with all that is in it, by its name in an open folder or by its path."""
    with contextlib.suppress(OSError):
        descriptor = _opened(name, inside)
        try:
            empty_folder(descriptor)
        finally:
            os.close(descriptor)
        os.rmdir(name, dir_fd=inside)


def empty_folder(folder: int) -> None:
    """Remove all that is in an open folder, whatever its permissions and depth, and nothing that is elsewhere."""
    # Everything is reached from this descriptor by a single name: a check may have put a link to anywhere at any place,
    # and mounted there what is not its own. Folders are moved up here before they are emptied, so none is too deep.
    here, numbers = mount_of(folder), count(time.monotonic_ns())
    with contextlib.suppress(OSError):
        os.fchmod(folder, 0o700)
        pending = _unlink_files(folder, here)
        while pending:
            name = pending.pop()
            with contextlib.suppress(OSError):
                inside = _opened(name, folder, here)
                try:
                    if mount_of(inside) != here:
                        _unmount(inside)
                    else:
                        for deeper in _unlink_files(inside, here):
                            aside = f"removed-{next(numbers)}"
                            if _moved(deeper, inside, aside, folder, here):
                                pending.append(aside)
                finally:
                    os.close(inside)
                os.rmdir(name, dir_fd=folder)


def _unlink_files(folder: int, here: int) -> list[str]:
    """Remove all that is in an open folder but the folders, and return their names."""
    with os.scandir(folder) as entries:
        inside = [(entry.name, entry.is_dir(follow_symlinks=False)) for entry in entries]
    for name, is_folder in inside:
        if not is_folder:
            try:
                os.unlink(name, dir_fd=folder)
            except OSError:
                with contextlib.suppress(OSError):
                    _unmount_at(name, folder, here)
                    os.unlink(name, dir_fd=folder)
    return [name for name, is_folder in inside if is_folder]


def _moved(name: str, folder: int, aside: str, top: int, here: int) -> bool:
    """Move a folder out of another one, and tell whether it is moved."""
    for attempt in range(3):
        with contextlib.suppress(OSError):
            if attempt == 1:
                _unmount_at(name, folder, here)
            elif attempt == 2:
                _permit(name, folder, here)  # a folder that may not be written may not be moved either
            os.rename(name, aside, src_dir_fd=folder, dst_dir_fd=top)
            return True
    return False


def _opened(name: str, folder: int | None, here: int | None = None) -> int:
    """Open a folder that is no link, even if a check has taken away the right to do so."""
    flags = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW
    try:
        return os.open(name, flags, dir_fd=folder)
    except PermissionError:
        _permit(name, folder, here)
        return os.open(name, flags, dir_fd=folder)


def _permit(name: str, folder: int | None, here: int | None) -> None:
    """Get back all rights to a folder, unless it is on another mount than is said."""
    if not LINUX:
        os.chmod(name, 0o700, dir_fd=folder, follow_symlinks=False)
        return
    descriptor = os.open(name, os.O_PATH | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=folder)
    try:
        if here is None or mount_of(descriptor) == here:
            os.chmod(f"/proc/self/fd/{descriptor}", 0o700)
    finally:
        os.close(descriptor)


def _unmount_at(name: str, folder: int, here: int) -> None:
    """Unmount what a check has mounted over a file or a folder."""
    if LINUX:
        descriptor = os.open(name, os.O_PATH | os.O_NOFOLLOW, dir_fd=folder)
        try:
            if mount_of(descriptor) != here:
                _unmount(descriptor)
        finally:
            os.close(descriptor)


def _unmount(descriptor: int) -> None:
    unmount(f"/proc/self/fd/{descriptor}")
