"""Overlays of Linux: a folder under its own path, with a layer that takes all that is written.

Used in the check runners, which are bare interpreters: the standard library only.
"""

# Every test passes through here, and functions on strings take half the time of those on `Path`.
# ruff: noqa: PTH101, PTH102, PTH208

from __future__ import annotations

import contextlib
import os

from minrepro.executors.local.cleanup import empty_folder, remove_folder
from minrepro.executors.local.system_calls import (
    BIND,
    NEWNS,
    PRIVATE,
    RDONLY,
    REC,
    REMOUNT,
    mount,
    mount_points,
    unmount,
    unshare,
)


def enter_mount_namespace() -> None:
    """Leave this process where what it mounts is seen by nobody else; raise OSError where that is not possible."""
    unshare(NEWNS)
    mount("none", "/", "", REC | PRIVATE)


class Covered:
    """A folder of the machine as it was before anything was mounted over it, with what is mounted inside it."""

    def __init__(self, root: str) -> None:
        self.root = root
        self.descriptor = os.open(root, os.O_PATH | os.O_DIRECTORY)
        self._inside: dict[str, int] = {}
        self._known = False

    def look_inside(self) -> None:
        """Take note of what is mounted inside, so that it can be seen there again."""
        if not self._known:
            self._known = True
            for path in sorted(set(mount_points())):
                if path.startswith(f"{self.root}/") and not any(path.startswith(f"{each}/") for each in self._inside):
                    with contextlib.suppress(OSError):
                        self._inside[path] = os.open(path, os.O_PATH)

    def cover(self, upper: str, work: str, *, protect: bool) -> None:
        """Put a layer over the folder; what is mounted inside is seen as it is, or read-only to protect it."""
        # By number, because a path may have signs that mean something in options.
        options = f"lowerdir=/proc/self/fd/{self.descriptor},upperdir={upper},workdir={work}"
        try:
            mount("overlay", self.root, "overlay", 0, options)
        except OSError:  # in a namespace of users marks are kept in attributes that anybody may write
            mount("overlay", self.root, "overlay", 0, options + ",userxattr")
        for path, descriptor in self._inside.items():
            mount(f"/proc/self/fd/{descriptor}", path, "", BIND | REC)
            if protect:
                with contextlib.suppress(OSError):
                    mount("none", path, "", BIND | REMOUNT | RDONLY)

    def uncover(self) -> None:
        """Take the layer away."""
        unmount(self.root)


class Layer:
    """A layer over a folder that is fresh for each check."""

    def __init__(self, covered: Covered, folder: str) -> None:
        """The folder, which is made, holds what is written."""
        self.covered = covered
        self._folder = folder
        self._upper, self._work = f"{folder}/upper", f"{folder}/work"
        os.mkdir(folder)
        self._put_on()

    @property
    def written(self) -> str:
        """The folder that holds what was written."""
        return self._upper

    def is_clean(self) -> bool:
        """Tell whether nothing is left of what was written, after removing what can be removed without a new layer."""
        names = os.listdir(self._opened)
        if names:
            # What hides nothing of the folder itself leaves no trace when it is removed.
            for name in names:
                if self._is_below(name):
                    return False
                try:
                    os.unlink(name, dir_fd=self._top)
                except OSError:
                    remove_folder(name, self._top)
            if os.listdir(self._opened):
                return False
        return self._look() == self._fresh

    def renew(self) -> None:
        """Put on a layer on which nothing is written; all that was mounted in the folder since then is gone."""
        self.take_off()
        self._put_on()

    def take_off(self) -> None:
        """Take the layer away with all that was written."""
        os.close(self._opened)
        os.close(self._top)
        self.covered.uncover()
        inside = os.open(self._folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            empty_folder(inside)
        finally:
            os.close(inside)

    def _is_below(self, name: str) -> bool:
        """Tell whether the folder itself has something of this name."""
        try:
            os.stat(name, dir_fd=self.covered.descriptor, follow_symlinks=False)
        except FileNotFoundError:
            return False
        return True

    def _look(self) -> tuple[int, int, int]:
        """Return what becomes another when the folder itself gets another owner or other rights."""
        seen = os.fstat(self._opened)
        return seen.st_mode, seen.st_uid, seen.st_gid

    def _put_on(self) -> None:
        os.mkdir(self._upper)
        os.mkdir(self._work)
        seen = os.fstat(self.covered.descriptor)
        with contextlib.suppress(OSError):  # in a namespace of users there may be no such user
            os.chown(self._upper, seen.st_uid, seen.st_gid)
        os.chmod(self._upper, seen.st_mode & 0o7777)
        self._opened = os.open(self._upper, os.O_RDONLY | os.O_DIRECTORY)
        self._fresh = self._look()
        self.covered.cover(self._upper, self._work, protect=False)
        self._top = os.open(self.covered.root, os.O_RDONLY | os.O_DIRECTORY)
