"""A private view of the folder where the user typed the command, in which a check runs.

Used in the check runners, which are bare interpreters: the standard library only. In a view everything has the path
that it has for the user, only the candidate is in the input's place, and whatever a check writes goes into a layer that
is thrown away. Where the kernel has mount namespaces the view is an overlay, whose cost does not depend on how much is
in the folder; elsewhere it is a copy, which is brought back to what it was after each check.
"""

# Every test passes through here, and functions on strings take half the time of those on `Path`.
# ruff: noqa: PTH102, PTH103, PTH106, PTH108, PTH118, PTH119, PTH120, PTH123, PTH208

from __future__ import annotations

import contextlib
import os
import stat

from minrepro.core.view import View
from minrepro.executors.local.cleanup import empty_folder
from minrepro.executors.local.folder_copies import State, bring_back, states_of
from minrepro.executors.local.overlay_mounts import Covered, enter_mount_namespace
from minrepro.executors.local.portable import LINUX
from minrepro.executors.local.system_calls import BIND, mount, unmount
from minrepro.executors.local.work_place import Files, Place, PlaceLost, write_fully, write_new


class OverlayFolder:
    """The user's folder under its own path, with a layer for each check that takes all that is written."""

    def __init__(self, view: View, *, sandboxed: bool) -> None:
        """Enter a mount namespace, unless that is done, in which nothing that is mounted can be seen from outside."""
        self.folder = view.folder
        self.noticed = ""
        self._view = view
        self._sandboxed = sandboxed
        self._generation = 0
        self._mounted: list[str] = []
        self._layer = ""
        if not sandboxed:
            enter_mount_namespace()
        self._covered = [Covered(root) for root in view.roots]  # before anything is put over them

    def settle(self, place: Place) -> None:
        """Have all layers be made here."""
        self._place = place.scratch

    @property
    def written(self) -> str:
        """The folder that holds what a check wrote."""
        return self._layer

    def prepare(self) -> None:
        """Put fresh layers over the user's folders, and go to where the command was typed."""
        if self._mounted:
            return
        self._generation += 1
        self._layer = f"{self._place}/layer-{self._generation}"
        os.makedirs(self._layer)
        for number, covered in enumerate(self._covered):
            root = covered.root
            upper, work = f"{self._layer}/{number}", f"{self._layer}/{number}.work"
            os.mkdir(upper)
            os.mkdir(work)
            for name in self._hidden_in(root):
                os.makedirs(os.path.dirname(f"{upper}/{name}"), exist_ok=True)
                # What an overlay takes for a file that was removed, whether there is one below or not yet.
                os.mknod(f"{upper}/{name}", stat.S_IFCHR, 0)
            covered.look_inside()
            covered.cover(upper, work, protect=not self._sandboxed)
            self._mounted.append(root)
        if self._view.whole:
            inside = f"{self._layer}/whole"
            os.mkdir(inside)
            mount(inside, self._view.whole, "", BIND)
            self._mounted.append(self._view.whole)
        os.chdir(self._view.folder)

    def write(self, files: Files) -> None:
        """Put a candidate in the place of the input."""
        if self._view.whole:
            os.chdir(self._view.whole)
            try:
                write_new(files)
            finally:
                os.chdir(self._view.folder)
        else:
            replace_files(self._view, files)

    def clean(self) -> None:
        """Take the layers away with all that a check wrote, unless that is easily removed."""
        if not self._is_clean():
            self.remove()

    def remove(self) -> None:
        """Take all layers away."""
        os.chdir("/")
        for path in reversed(self._mounted):
            unmount(path)
        self._mounted.clear()
        with contextlib.suppress(OSError):
            inside = os.open(self._layer, os.O_RDONLY | os.O_DIRECTORY)
            try:
                empty_folder(inside)
            finally:
                os.close(inside)
            os.rmdir(self._layer)

    def in_words(self, word: str) -> str:
        """Return a word of a command as it is to be run here."""
        return word.replace("{folder}", self.folder)

    def in_output(self, output: bytes) -> bytes:
        """Return what a check printed, with the paths that the user knows."""
        return output

    def _hidden_in(self, root: str) -> list[str]:
        """Return the names of what is hidden in a folder."""
        return [path[len(root) + 1 :] for path in self._view.hidden if path.startswith(f"{root}/")]

    def _is_clean(self) -> bool:
        """Tell whether nothing is left of a check but one file of the candidate, after removing files that it made."""
        # Most checks write nothing or a file or two, and to mount anew costs more than to write over one file.
        view = self._view
        if view.whole or len(view.roots) != 1 or len(view.names) != 1:
            return False
        root, path = view.roots[0], os.path.join(view.folder, view.names[0])
        if os.path.dirname(path) != root:
            return False
        own, upper = os.path.basename(path), f"{self._layer}/0"
        expected = {own, *self._hidden_in(root)}
        with contextlib.suppress(OSError):
            for name in set(os.listdir(upper)) - expected:
                # What is no plain file, or hides a file of the user's, goes with its layer.
                if not stat.S_ISREG(os.lstat(f"{upper}/{name}").st_mode) or self._is_below(name):
                    return False
                os.unlink(f"{root}/{name}")
            return set(os.listdir(upper)) == expected and stat.S_ISREG(os.lstat(f"{upper}/{own}").st_mode)
        return False

    def _is_below(self, name: str) -> bool:
        """Tell whether the user has a file of this name, which the layer hides."""
        try:
            os.stat(name, dir_fd=self._covered[0].descriptor, follow_symlinks=False)
        except FileNotFoundError:
            return False
        return True


class CopiedFolder:
    """A copy of the user's folders elsewhere, for systems without mount namespaces."""

    def __init__(self, view: View) -> None:
        self._typed = view
        self.noticed = ""
        self._states: dict[str, dict[str, State]] = {}

    def settle(self, place: Place) -> None:
        """Make the copies here."""
        view = self._typed
        self._place = place
        self._copies = {root: f"{place.path}/copy-{number}" for number, root in enumerate(view.roots)}
        self._opened: dict[str, int] = {}
        self._view = view._replace(
            folder=self._moved(view.folder),
            whole=view.whole and self._moved(view.whole),
            names=tuple(self._moved(name) if name.startswith("/") else name for name in view.names),
        )
        self.folder = self._view.folder
        for number, root in enumerate(view.roots):
            os.mkdir(f"copy-{number}", 0o700, dir_fd=place.descriptor)
            flags = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW
            self._opened[root] = os.open(f"copy-{number}", flags, dir_fd=place.descriptor)
            bring_back(root, self._path(root), {}, (place.path, *view.hidden))
            self._states[root] = states_of(self._path(root))

    def _path(self, root: str) -> str:
        """Return a path to a copy that leads there whatever a check did to the folders above."""
        return f"/proc/self/fd/{self._opened[root]}" if LINUX else self._copies[root]

    @property
    def written(self) -> str:
        """The folder that holds what a check wrote."""
        return self._place.scratch

    def prepare(self) -> None:
        """Go to where the command was typed."""
        for root, copy in self._copies.items():
            if not os.path.samestat(os.lstat(copy), os.fstat(self._opened[root])):
                raise PlaceLost(f"another folder is at {copy}")
        os.chdir(self.folder)

    def write(self, files: Files) -> None:
        """Put a candidate in the place of the input."""
        if self._view.whole:
            os.chdir(self._view.whole)
            inside = os.open(".", os.O_RDONLY | os.O_DIRECTORY)
            try:
                empty_folder(inside)
            finally:
                os.close(inside)
            write_new(files)
            os.chdir(self.folder)
        else:
            replace_files(self._view, {self._moved(name): content for name, content in files.items()})

    def clean(self) -> None:
        """Bring the copies back to what they were."""
        os.chdir("/")
        for root in self._copies:
            bring_back(root, self._path(root), self._states[root], (self._place.path, *self._view.hidden))
            self._states[root] = states_of(self._path(root))

    def remove(self) -> None:
        """Remove the copies."""
        os.chdir("/")
        for number, descriptor in enumerate(self._opened.values()):
            empty_folder(descriptor)
            os.close(descriptor)
            with contextlib.suppress(OSError):
                os.rmdir(f"copy-{number}", dir_fd=self._place.descriptor)

    def in_words(self, word: str) -> str:
        """Return a word of a command as it is to be run here."""
        return self._moved(word.replace("{folder}", self.folder))

    def in_output(self, output: bytes) -> bytes:
        """Return what a check printed, with the paths that the user knows."""
        for root, copy in self._copies.items():
            output = output.replace(os.fsencode(copy), os.fsencode(root))
        return output

    def _moved(self, text: str) -> str:
        """Return a text with the paths of the copies."""
        for root, copy in self._copies.items():
            if text == root or f"{root}/" in text:
                text = text.replace(f"{root}/", f"{copy}/") if text != root else copy
        return text


def replace_files(view: View, files: Files) -> None:
    """Write the files of a candidate over those that are there, and remove those that it does not have."""
    for name in view.names:
        if name not in files:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(os.path.join(view.folder, name))
    for name, content in files.items():
        path = os.path.join(view.folder, name)
        if isinstance(content, tuple) and not stat.S_ISREG(content[0]):
            continue  # a link leads where it led, and a folder is there
        data = content[1] if isinstance(content, tuple) else content
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW
        try:
            descriptor = os.open(path, flags, 0o644)
        except PermissionError:  # a file that may not be written keeps its rights
            mode = stat.S_IMODE(os.lstat(path).st_mode)
            os.unlink(path)
            descriptor = os.open(path, flags, 0o600)
            os.fchmod(descriptor, mode)
        try:
            write_fully(descriptor, data)
        finally:
            os.close(descriptor)


def why_no_overlay(view: View, place: str) -> str:
    """Return why checks cannot see the user's folder through a layer on this system; empty when they can."""
    read, write = os.pipe()
    pid = os.fork()
    if not pid:
        why = "?"
        try:
            folder = OverlayFolder(view, sandboxed=False)
            folder.settle(Place.opened(place))
            folder.prepare()
            folder.remove()
            why = ""
        except OSError as error:
            why = str(error)
        finally:
            os.write(write, why.encode())
            os._exit(0)
    os.close(write)
    with open(read, "rb") as pipe:
        text = pipe.read().decode()
    os.waitpid(pid, 0)
    return text
