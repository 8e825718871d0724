"""A copy of a folder that is brought back to what it was after each check.

Used in the check runners, which are bare interpreters: the standard library only.
"""

# Every test passes through here, and functions on strings take half the time of those on `Path`.
# ruff: noqa: PTH101, PTH102, PTH106, PTH108, PTH115, PTH123, PTH211

from __future__ import annotations

import contextlib
import os
import shutil
import stat
from collections.abc import Collection

MOST_COPIED, MOST_BYTES = 5_000, 200_000_000
"""A folder with more entries or bytes is not copied where there is no overlay."""

State = tuple[int, int, int, int, int]


def is_small(roots: tuple[str, ...]) -> bool:
    """Tell whether folders are small enough to be copied."""
    entries = size = 0
    pending = list(roots)
    while pending:
        with contextlib.suppress(OSError), os.scandir(pending.pop()) as found:
            for entry in found:
                entries += 1
                if entry.is_dir(follow_symlinks=False):
                    pending.append(entry.path)
                else:
                    size += entry.stat(follow_symlinks=False).st_size
                if entries > MOST_COPIED or size > MOST_BYTES:
                    return False
    return True


def keep_folder(folder: str, place: str) -> None:
    """Copy what a check has left; what an overlay notes as removed is no file."""
    with contextlib.suppress(OSError, shutil.Error):
        shutil.copytree(folder, place, symlinks=True)


def states_of(root: str) -> dict[str, State]:
    """Return what becomes another when something below a folder is written, by its path there."""
    states: dict[str, State] = {}
    pending = [""]
    while pending:
        inside = pending.pop()
        with os.scandir(f"{root}/{inside}") as entries:
            for entry in entries:
                name, seen = f"{inside}{entry.name}", entry.stat(follow_symlinks=False)
                times = (0, 0) if stat.S_ISDIR(seen.st_mode) else (seen.st_mtime_ns, seen.st_ctime_ns)
                states[name] = (seen.st_mode, seen.st_ino, seen.st_size if times[0] else 0, *times)
                if stat.S_ISDIR(seen.st_mode):
                    pending.append(f"{name}/")
    return states


def bring_back(root: str, copy: str, known: dict[str, State], left_out: Collection[str]) -> None:
    """Make a copy of a folder what it was, given the states of all that has not changed if it is as it was then."""
    now = states_of(copy)
    for name in sorted(now, key=len, reverse=True):
        if now[name] != known.get(name):
            with contextlib.suppress(OSError):
                path = f"{copy}/{name}"
                os.rmdir(path) if stat.S_ISDIR(now[name][0]) else os.unlink(path)
    pending = [""]
    while pending:
        inside = pending.pop()
        try:
            with os.scandir(f"{root}/{inside}") as found:
                entries = sorted(found, key=lambda entry: entry.name)
        except OSError:
            continue
        for entry in entries:
            name, path = f"{inside}{entry.name}", f"{copy}/{inside}{entry.name}"
            if f"{root}/{name}" in left_out:
                continue
            if entry.is_dir(follow_symlinks=False):
                with contextlib.suppress(FileExistsError):
                    os.mkdir(path)
                pending.append(f"{name}/")
            elif not os.path.lexists(path):
                with contextlib.suppress(OSError):
                    copy_entry(f"{root}/{name}", path)


def copy_entry(source: str, target: str) -> None:
    """Copy a file or a link, with its rights and times."""
    seen = os.lstat(source)
    if stat.S_ISLNK(seen.st_mode):
        os.symlink(os.readlink(source), target)
    elif stat.S_ISREG(seen.st_mode):
        with open(source, "rb") as reader, open(target, "wb") as writer:
            while chunk := reader.read(1 << 20):
                writer.write(chunk)
        os.chmod(target, stat.S_IMODE(seen.st_mode))
        os.utime(target, ns=(seen.st_atime_ns, seen.st_mtime_ns))
