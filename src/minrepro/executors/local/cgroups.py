"""Control groups of Linux: a dam against fork bombs that the system keeps, where we may make such a group.

Used in the supervisor, a bare interpreter: the standard library only. A bomb on a busy machine makes processes faster
than anybody who looks is given time to look, so a limit of processes has a second, higher one in a control group with
the pids controller: it holds until the look that ends the check. Groups are made in version 2 of the file system, or in
version 1 where the controller still lives there; where neither may be written there is only the look.
"""

# The supervisor loads no `pathlib`, and starts faster for it.
# ruff: noqa: PTH102, PTH106, PTH118, PTH120, PTH123, PTH110

from __future__ import annotations

import contextlib
import os

_LIMIT = "pids.max"
_MEMBERS = "cgroup.procs"
_EVENTS = "pids.events"


def dam(processes: int) -> int:
    """Return how many tasks there may be at most: threads count too, and a check within its limit may have many."""
    return 8 * processes + 64


def make_group(name: str, processes: int) -> str:
    """Make a group that holds back more than so many processes and return its folder; empty where none can be made."""
    try:
        with open("/proc/self/cgroup") as own, open("/proc/self/mountinfo") as mounts:
            folders = places(own.read(), mounts.read())
    except (OSError, ValueError):
        return ""
    for folder in folders:
        group = os.path.join(folder, name)
        with contextlib.suppress(OSError):
            os.mkdir(group)
            try:
                if os.path.exists(os.path.join(group, _LIMIT)):
                    _write(os.path.join(group, _LIMIT), str(dam(processes)))
                    return group
            except OSError:
                remove_group(group)
                raise
            remove_group(group)
    return ""


def enter_group(group: str) -> None:
    """Put this process, with all that it will start, into a group, if there is one."""
    if group:
        with contextlib.suppress(OSError):
            _write(os.path.join(group, _MEMBERS), str(os.getpid()))


def held_back(group: str) -> int:
    """Return how many processes a group has refused to let begin until now, as far as the system counts them."""
    if group:
        with contextlib.suppress(OSError, ValueError), open(os.path.join(group, _EVENTS)) as file:
            return sum(int(line.split()[1]) for line in file if line.startswith("max "))
    return 0


def remove_group(group: str) -> None:
    """Remove a group without members, if there is one."""
    if group:
        with contextlib.suppress(OSError):
            os.rmdir(group)


def _write(path: str, text: str) -> None:
    descriptor = os.open(path, os.O_WRONLY)  # what is not there must not be made
    try:
        os.write(descriptor, text.encode())
    finally:
        os.close(descriptor)


def places(own: str, mounts: str) -> list[str]:
    """Return where a group with the pids controller might be made, the nearest to this process first.

    Given are the texts of /proc/self/cgroup and /proc/self/mountinfo.
    """
    paths = {kinds: path for _, kinds, path in (line.split(":", 2) for line in own.splitlines())}
    first = next((path for kinds, path in paths.items() if "pids" in kinds.split(",")), "")
    found = []
    for words in map(str.split, mounts.splitlines()):
        kind = words[words.index("-") + 1]
        if kind == "cgroup2":
            path = paths.get("", "")
        elif kind == "cgroup" and "pids" in words[-1].split(","):
            path = first
        else:
            continue
        inside = os.path.relpath(path, words[3]) if path else ".."
        while not inside.startswith(".."):
            # A group that has members itself gives its controllers to none inside it, hence also those around it.
            found.append(os.path.normpath(os.path.join(words[4], inside)))
            inside = ".." if inside == "." else os.path.dirname(inside) or "."
    return found
