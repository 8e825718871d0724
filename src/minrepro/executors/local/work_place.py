"""Where the folders of a check runner are made, and how a case is written there.

Used in the check runners, which are bare interpreters: the standard library only.
"""

# Every test passes through here, and functions on strings take half the time of those on `Path`.
# ruff: noqa: PTH103, PTH211

from __future__ import annotations

import os
import stat
from typing import NamedTuple

from minrepro.executors.local.portable import LINUX

Files = dict[str, "bytes | tuple[int, bytes]"]


class PlaceLost(OSError):
    """The folder of a check runner is no longer where its path leads."""


class Place(NamedTuple):
    """The folder of a check runner alone."""

    path: str
    """As checks know it."""
    descriptor: int
    scratch: str
    """A path for what checks need not reach, which leads to the same folder whatever is done to others."""

    @classmethod
    def opened(cls, path: str) -> Place:
        """Open a folder."""
        descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
        return cls(path, descriptor, f"/proc/self/fd/{descriptor}" if LINUX else path)


def write_fully(descriptor: int, content: bytes) -> None:
    """Write everything, however many steps it takes."""
    rest = memoryview(content)
    while rest:
        rest = rest[os.write(descriptor, rest) :]


def write_new(files: Files) -> None:
    """Write files into the working folder, which must have none of them."""
    made = {""}
    for name, content in files.items():
        parent = name.rpartition("/")[0]
        if parent not in made or name.startswith("/"):
            if name.startswith("/") or ".." in name.split("/"):
                raise ValueError(f"the file name {name!r} leads out of the directory of the check")
            os.makedirs(parent, exist_ok=True)
            made.add(parent)
        mode, content = content if isinstance(content, tuple) else (0o644, content)
        if stat.S_ISLNK(mode):
            os.symlink(content, os.fsencode(name))
        elif stat.S_ISDIR(mode):
            os.makedirs(name, exist_ok=True)
        else:
            descriptor = os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o644)
            try:
                write_fully(descriptor, content)
                if mode != 0o644:
                    os.fchmod(descriptor, stat.S_IMODE(mode))
            finally:
                os.close(descriptor)
