"""The folder in which a check runs: an empty one, or a private view of the folder where the user typed the command.

Used in the check runners, which are bare interpreters: the standard library only.
"""

# Every test passes through here, and functions on strings take half the time of those on `Path`.
# ruff: noqa: PTH208

from __future__ import annotations

import contextlib
import os

from minrepro.core.view import OVERLAY, View
from minrepro.executors.local.cleanup import empty_folder
from minrepro.executors.local.view_folders import CopiedFolder, OverlayFolder
from minrepro.executors.local.work_place import Files, Place, PlaceLost, write_new

INTRUDED = "another process changed the temporary directory of a check; if checks share files or ports, use -j 1"


class FreshFolder:
    """An empty folder for each check."""

    def __init__(self) -> None:
        self._place: Place
        self.folder = ""
        """What `{folder}` stands for."""
        self.noticed = ""
        self._inside: int | None = None
        self._empty = (0, 0, 0)
        self._generation = 0

    def settle(self, place: Place) -> None:
        """Have all folders be made here."""
        self._place = place

    @property
    def written(self) -> str:
        """The folder that holds what a check wrote."""
        return self.folder

    def prepare(self) -> None:
        """Make a folder for the next check and go there, unless the last check left its own as it was."""
        # Making one takes longer than all else that a check runner does for a check, so it is used as long as it
        # serves.
        if self._inside is not None:
            if self._is_there(self._inside) and not os.listdir(self._inside):
                self._empty = self._state(self._inside)
                return
            # All that the last check started was ended and all that it wrote was removed, so it was not that one.
            self.noticed = INTRUDED
            self.remove()
        while self._inside is None:
            name = str(self._generation)
            self.folder = f"{self._place.path}/{name}"
            try:
                os.mkdir(name, 0o700, dir_fd=self._place.descriptor)
                flags = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW
                self._inside = os.open(name, flags, dir_fd=self._place.descriptor)
            except FileExistsError:
                self._generation += 1
        if not self._is_there(self._inside):
            raise PlaceLost(f"another folder is at {self._place.path}")
        os.fchdir(self._inside)
        self._empty = self._state(self._inside)

    def write(self, files: Files) -> None:
        """Write a case into the folder."""
        if self._inside is not None and self._state(self._inside) != self._empty:
            self.noticed = INTRUDED
            empty_folder(self._inside)
        write_new(files)

    def clean(self) -> None:
        """Remove all that a check left."""
        if self._inside is not None:
            empty_folder(self._inside)

    def remove(self) -> None:
        """Remove the folder in which checks ran."""
        if self._inside is not None:
            empty_folder(self._inside)
            os.close(self._inside)
            self._inside = None
            os.chdir("/")
            for remove in (os.unlink, os.rmdir):  # a check may have put a link there
                with contextlib.suppress(OSError):
                    remove(str(self._generation), dir_fd=self._place.descriptor)

    def in_words(self, word: str) -> str:
        """Return a word of a command as it is to be run here."""
        return word.replace("{folder}", self.folder)

    def in_output(self, output: bytes) -> bytes:
        """Return what a check printed, with the paths that the user knows."""
        return output

    def _is_there(self, folder: int) -> bool:
        """Tell whether the path still leads to an open folder."""
        try:
            return os.path.samestat(os.fstat(folder), os.lstat(self.folder))
        except OSError:
            return False

    @staticmethod
    def _state(folder: int) -> tuple[int, int, int]:
        """Return what becomes another when something is put into an open folder."""
        seen = os.fstat(folder)
        return seen.st_mtime_ns, seen.st_size, seen.st_nlink


WorkFolder = FreshFolder | OverlayFolder | CopiedFolder


def work_folder(view: View | None, *, sandboxed: bool) -> WorkFolder:
    """Return the folder in which the checks of a check runner run."""
    if view is None:
        return FreshFolder()
    return OverlayFolder(view, sandboxed=sandboxed) if view.kind == OVERLAY else CopiedFolder(view)
