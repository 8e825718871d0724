"""The sandbox of a check runner: the machine is read-only but for the checks' own folder, temporary folders and the
home folder are private, and nothing outside can be signalled.

Used in the check runners, which are bare interpreters: the standard library only. A check runner enters its sandbox
once; between two checks only what was written is taken away. It is process 1 there, so whatever it starts can neither
stop nor kill it, and ends with it.
"""

# Every test passes through here, and functions on strings take half the time of those on `Path`.
# ruff: noqa: PTH110, PTH112

from __future__ import annotations

import contextlib
import os
import stat

from minrepro.core.containment import STRICT, TRIAL, Containment
from minrepro.executors.local.assembled_folder import AssembledFolder
from minrepro.executors.local.overlay_mounts import Covered, Layer
from minrepro.executors.local.seccomp import refuse_rare_calls
from minrepro.executors.local.system_calls import (
    BIND,
    NEWIPC,
    NEWNET,
    NEWNS,
    NEWPID,
    NODEV,
    NOEXEC,
    NOSUID,
    PRIVATE,
    RDONLY,
    REC,
    allow_no_new_powers,
    fork_apart,
    give_up_powers,
    mount,
    set_read_only,
    unmount,
)

_PRIVATE = ("/tmp", "/var/tmp", "/dev/shm")
_OF_THE_KERNEL = ("/proc/sys", "/proc/sysrq-trigger", "/proc/irq", "/proc/bus", "/proc/fs")


def fork_into_namespaces(mode: str, network: bool) -> tuple[int, bool]:
    """Fork a process that can have a sandbox; without the network it has no device but a loopback."""
    kinds = NEWNS if mode == TRIAL else NEWNS | NEWPID | NEWIPC
    return fork_apart(kinds | (0 if network else NEWNET))


class Sandbox:
    """What a check runner, and all that it starts, sees of the machine."""

    def __init__(self, containment: Containment, place: str, layers: str) -> None:
        """The place stays writable; the layers are a folder for what is written elsewhere."""
        self._containment = containment
        self._place = place
        self._folder = layers
        self._layers: list[Layer | AssembledFolder] = []
        self._own: list[str] = []

    def enter(self) -> None:
        """Change what is seen, for good; raise OSError where the system does not allow it."""
        mount("none", "/", "", REC | PRIVATE)
        if self._containment.mode == TRIAL:
            self._descriptor = os.open(self._folder, os.O_PATH | os.O_DIRECTORY)
            for path in self._containment.protected:
                mount(path, path, "", BIND | REC)
                set_read_only(path, True)
            return
        covered = [Covered(root) for root in _roots()]
        writable = [path for path in self._containment.writable if os.path.exists(path)]
        for path in (self._folder, self._place, *writable):
            mount(path, path, "", BIND | REC)
            self._own.append(path)
        set_read_only("/", True, all_below=True)
        for path in self._own:
            set_read_only(path, False)
        self._descriptor = os.open(self._folder, os.O_PATH | os.O_DIRECTORY)
        mount("none", self._folder, "tmpfs", RDONLY)  # under its path a check finds nothing
        self._own.append(self._folder)
        for each in covered:
            each.look_inside()
        for number, each in enumerate(covered):
            try:
                self._layers.append(Layer(each, f"{self.scratch}/{number}"))
            except OSError:
                self._layers.append(AssembledFolder(each, f"{self.scratch}/{number}-assembled"))
        mount("proc", "/proc", "proc", NOSUID | NODEV | NOEXEC)
        _protect_kernel()
        _hide_disks()
        give_up_powers()
        if self._containment.mode == STRICT:
            allow_no_new_powers()
            refuse_rare_calls()

    @property
    def scratch(self) -> str:
        """A folder for layers that no check can reach."""
        return f"/proc/self/fd/{self._descriptor}"

    @property
    def written(self) -> list[str]:
        """The folders that hold what a check wrote outside its own."""
        return [layer.written for layer in self._layers]

    def is_clean(self) -> bool:
        """Tell whether all that a check wrote outside its own folder is gone, after removing what is easily removed."""
        clean = [layer.is_clean() for layer in self._layers]
        return all(clean)

    def renew(self) -> None:
        """Take away all that a check wrote outside its own folder; what was mounted since then must be mounted anew."""
        for layer in self._layers:
            if not layer.is_clean():
                layer.renew()

    def leave(self) -> None:
        """Take all layers away, so that the folders of this check runner can be removed."""
        for layer in reversed(self._layers):
            with contextlib.suppress(OSError):
                layer.take_off()
        for path in reversed(self._own):
            with contextlib.suppress(OSError):
                unmount(path)


def _roots() -> list[str]:
    """Return the folders over which checks have a layer: none is inside another."""
    asked = [*_PRIVATE, os.environ.get("TMPDIR", ""), os.environ.get("HOME", "")]
    found = {os.path.realpath(path) for path in asked if path.startswith("/") and os.path.isdir(path)} - {"/"}
    return sorted(root for root in found if not any(root.startswith(f"{other}/") for other in found))


def _protect_kernel() -> None:
    """Have the settings of the kernel be read-only, also for the superuser."""
    for path in _OF_THE_KERNEL:
        if os.path.exists(path):
            mount(path, path, "", BIND | REC)
            set_read_only(path, True)


def _hide_disks() -> None:
    """Put nothing in the place of disks that could be written past all mounts."""
    with os.scandir("/dev") as entries:
        for entry in entries:
            if stat.S_ISBLK(entry.stat(follow_symlinks=False).st_mode) and os.access(entry.path, os.W_OK):
                mount("/dev/null", entry.path, "", BIND)
