"""Leaving nothing behind: ends whatever a check started, and removes whatever it wrote.

Used in the supervisor and the check runners, which are bare interpreters: the standard library only. On Linux they are
child subreapers, so whatever a check starts becomes their child when its parent ends, and "I have no child" means
"nothing of the check is left", whatever it did with sessions, groups and signals. Other systems have no subreapers and
no /proc; there a check is ended by its process group. All that differs between systems is in this file.
"""

# Every test passes through here, and functions on strings take half the time of those on `Path`.
# ruff: noqa: PTH101, PTH106, PTH123, PTH208

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import stat
import sys
import time
from collections.abc import Collection
from typing import Any

PERSISTENCE = 10.0
"""Seconds after which a process that even SIGKILL does not end (a hung disk) is given up."""
LINUX = sys.platform.startswith("linux")
SEPARATE: dict[str, Any] = {"setsid": True} if LINUX else {"setpgroup": 0}
"""How to spawn a process so that a terminal's Ctrl-C does not reach it and its group can be killed."""


def adopt_orphans() -> None:
    """Become the parent of every descendant whose own parent ends."""
    if LINUX:
        pr_set_child_subreaper = 36
        ctypes.CDLL(None).prctl(pr_set_child_subreaper, 1, 0, 0, 0)


def watch_process(pid: int) -> int | None:
    """Return a descriptor that becomes readable when a process ends, where there are such."""
    try:
        return os.pidfd_open(pid)
    except (AttributeError, OSError):
        return None


def descendants(spare: Collection[int] = ()) -> list[int]:
    """Return every descendant of this process, leaving out the spared ones with all theirs."""
    found, pending = [], [os.getpid()]
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


def end_check(pid: int, ended: dict[int, int]) -> None:
    """Kill and reap a check with all that it started."""
    if reap(ended) or not LINUX:
        # The group first, because that is one step for all its members, however fast they fork.
        with contextlib.suppress(OSError):
            os.killpg(pid, signal.SIGKILL)
        if not LINUX and pid not in ended:
            ended[pid] = os.waitpid(pid, 0)[1]
        end_descendants(ended)


def remove_folder(path: str) -> None:
    """Remove a folder with all that is in it."""
    with contextlib.suppress(OSError):
        if stat.S_ISDIR(os.lstat(path).st_mode):
            os.chmod(path, 0o700)  # a check may have taken away the right to open it
        descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
        try:
            empty_folder(descriptor, path)
        finally:
            os.close(descriptor)
        os.rmdir(path)


def empty_folder(folder: int, scratch: str) -> None:
    """Remove all that is in an open folder, whatever its permissions and depth; the scratch folder is a folder above
    it."""
    # Folders are moved to the scratch folder before they are emptied, so no path grows too long to be used. Everything
    # is reached through descriptors, because a check may have put a link to anywhere at the place of its folder.
    pending: list[str] = []
    with contextlib.suppress(OSError):
        _remove(folder, scratch, pending)
    while pending:
        aside = pending.pop()
        with contextlib.suppress(OSError):
            descriptor = os.open(aside, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
            try:
                _remove(descriptor, scratch, pending)
            finally:
                os.close(descriptor)
            os.rmdir(aside)


def _remove(folder: int, scratch: str, pending_folders: list[str]) -> None:
    os.fchmod(folder, 0o700)
    with os.scandir(folder) as entries:
        inside = [(entry.name, entry.is_dir(follow_symlinks=False)) for entry in entries]
    for name, is_folder in inside:
        with contextlib.suppress(OSError):
            if is_folder:
                os.chmod(name, 0o700, dir_fd=folder)  # a folder that may not be written may not be moved either
                aside = f"{scratch}/removed-{time.monotonic_ns()}"
                os.rename(name, aside, src_dir_fd=folder)
                pending_folders.append(aside)
            else:
                os.unlink(name, dir_fd=folder)
