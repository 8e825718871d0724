"""The folder that holds all folders of a run's checks, known by descriptors: whatever is done to its path, what is
emptied is the folder that was made.

Used in the supervisor and the check runners, which are bare interpreters: the standard library only. Whoever has it
open holds a lock on it, so that a later run can tell what is left of one that was killed with all its processes.
"""

# ruff: noqa: PTH106, PTH115, PTH208

from __future__ import annotations

import contextlib
import fcntl
import os
import re
import stat

from minrepro.executors.local.cleanup import empty_folder, remove_folder

PREFIX = "minrepro-run-"
_NAME = re.compile(re.escape(PREFIX) + "[0-9a-f]{12}")
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW


def new_name() -> str:
    """Return a name that no other run has."""
    return PREFIX + os.urandom(6).hex()


class RunFolder:
    """An open folder in another one that was opened before it."""

    def __init__(self, path: str) -> None:
        """Make the folder, and lock it."""
        self.path = path
        parent, self._name = os.path.split(path)
        self._parent = os.open(parent, os.O_RDONLY | os.O_DIRECTORY)
        while True:
            with contextlib.suppress(FileExistsError):
                os.mkdir(self._name, 0o700, dir_fd=self._parent)
            # Between these steps it looks like something left behind, which another run may remove.
            with contextlib.suppress(FileNotFoundError):
                self.descriptor = os.open(self._name, _FOLDER, dir_fd=self._parent)
                with contextlib.suppress(BlockingIOError):
                    fcntl.flock(self.descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    if self.is_there():
                        return
                os.close(self.descriptor)

    def is_there(self) -> bool:
        """Tell whether the path still leads to this folder."""
        try:
            return os.path.samestat(os.lstat(self.path), os.fstat(self.descriptor))
        except OSError:
            return False

    def remove(self) -> None:
        """Remove the folder with all that is in it, wherever it was moved, and what was put in its place if a link."""
        empty_folder(self.descriptor)
        with contextlib.suppress(OSError):
            found = os.lstat(self._name, dir_fd=self._parent)
            if os.path.samestat(found, os.fstat(self.descriptor)):
                os.rmdir(self._name, dir_fd=self._parent)
            elif stat.S_ISLNK(found.st_mode):
                os.unlink(self._name, dir_fd=self._parent)
        with contextlib.suppress(OSError):  # which only Linux tells
            moved = os.readlink(f"/proc/self/fd/{self.descriptor}")
            if os.path.samestat(os.lstat(moved), os.fstat(self.descriptor)):
                os.rmdir(moved)  # which removes nothing but an empty folder

    def sweep(self) -> None:
        """Remove the folders beside this one that were left by runs of the same user whose processes are all gone."""
        for name in os.listdir(self._parent):
            if _NAME.fullmatch(name) and name != self._name:
                remove_left(name, self._parent)


def remove_left(name: str, parent: int) -> None:
    """Remove the folder of a run unless a process of it is alive."""
    with contextlib.suppress(OSError):
        descriptor = os.open(name, _FOLDER, dir_fd=parent)
        try:
            if os.fstat(descriptor).st_uid == os.getuid():
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                remove_folder(name, parent)
        finally:
            os.close(descriptor)
