"""A private folder that shows what is in another one, read-only, where a layer over it is not possible.

Used in the check runners, which are bare interpreters: the standard library only. Without rights over the machine no
layer can be put over a folder in which something is mounted, as that could show what lies below. Then new names can be
written in it, and all that was there is seen as it is, but cannot be changed.
"""

# ruff: noqa: PTH101, PTH102, PTH208

from __future__ import annotations

import contextlib
import errno
import os
import stat

from minrepro.executors.local.cleanup import remove_folder
from minrepro.executors.local.overlay_mounts import Covered
from minrepro.executors.local.system_calls import BIND, REC, mount, unmount

_MOST = 1000
"""A folder with more entries is not shown this way: each of them is mounted."""


class AssembledFolder:
    """Stands in the place of a folder, with all that is in it."""

    def __init__(self, covered: Covered, folder: str) -> None:
        """The folder, which is made, holds what is written."""
        self.covered = covered
        self.written = folder
        self._links: dict[str, str] = {}
        self._shown: set[str] = set()
        os.mkdir(folder)
        names = os.listdir(f"/proc/self/fd/{covered.descriptor}")
        if len(names) > _MOST:
            raise OSError(errno.E2BIG, f"mounts among more than {_MOST:,} entries of {covered.root}")
        seen = os.fstat(covered.descriptor)
        for name in names:
            with contextlib.suppress(FileNotFoundError):  # others remove things from temporary folders at any time
                self._make_room(name)
        os.chmod(folder, seen.st_mode & 0o7777)
        self._opened = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        mount(folder, covered.root, "", BIND)
        for name in self._shown:
            with contextlib.suppress(OSError):  # what may not be looked at is seen as empty
                mount(f"/proc/self/fd/{covered.descriptor}/{name}", f"{covered.root}/{name}", "", BIND | REC)

    def _make_room(self, name: str) -> None:
        """Make something of the same kind on which an entry can be mounted, or the same link."""
        kind = os.stat(name, dir_fd=self.covered.descriptor, follow_symlinks=False).st_mode
        path = f"{self.written}/{name}"
        if stat.S_ISLNK(kind):
            self._links[name] = os.readlink(name, dir_fd=self.covered.descriptor)
            return
        self._shown.add(name)
        if stat.S_ISDIR(kind):
            os.mkdir(path)
        else:
            os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o600))

    def is_clean(self) -> bool:
        """Remove what was written, which is always possible here."""
        for name in set(os.listdir(self._opened)) - self._shown:
            if name not in self._links or self._link(name) != self._links[name]:
                try:
                    os.unlink(name, dir_fd=self._opened)
                except OSError:
                    remove_folder(name, self._opened)
        for name, target in self._links.items():
            with contextlib.suppress(FileExistsError):
                os.symlink(target, name, dir_fd=self._opened)
        return True

    def renew(self) -> None:
        """Do nothing: there is nothing to take away."""

    def take_off(self) -> None:
        """Take the folder away with all that was written."""
        os.close(self._opened)
        unmount(self.covered.root)

    def _link(self, name: str) -> str | None:
        try:
            return os.readlink(name, dir_fd=self._opened)
        except OSError:
            return None
