"""The folder in which a check runs: an empty one, or a private view of the folder where the user typed the command.

Used in the check runners, which are bare interpreters: the standard library only. In a view everything has the path
that it has for the user, only the candidate is in the input's place, and whatever a check writes goes into a layer that
is thrown away. Where the kernel has mount namespaces the view is an overlay, whose cost does not depend on how much is
in the folder; elsewhere it is a copy, which is brought back to what it was after each check.
"""

# Every test passes through here, and functions on strings take half the time of those on `Path`.
# ruff: noqa: PTH102, PTH103, PTH106, PTH108, PTH114, PTH118, PTH119, PTH120, PTH123, PTH208, PTH211

from __future__ import annotations

import contextlib
import os
import stat

from minrepro.core.view import OVERLAY, View
from minrepro.executors.local.cleanup import empty_folder
from minrepro.executors.local.folder_copies import State, bring_back, states_of
from minrepro.executors.local.overlay_mounts import BIND, enter_mount_namespace, mount, mount_overlay, unmount

INTRUDED = "another process changed the temporary directory of a check; if checks share files or ports, use -j 1"

Files = dict[str, "bytes | tuple[int, bytes]"]


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


class FreshFolder:
    """An empty folder for each check."""

    def __init__(self, place: str) -> None:
        """The place is a folder of the check runner alone."""
        self.place = place
        self.folder = ""
        """What `{folder}` stands for."""
        self.noticed = ""
        self._inside: int | None = None
        self._empty = (0, 0, 0)
        self._generation = 0

    @property
    def written(self) -> str:
        """The folder that holds what a check wrote."""
        return self.folder

    def prepare(self) -> None:
        """Make a folder for the next check and go there, unless the last check left its own as it was."""
        # Making one takes longer than all else that a check runner does for a check, so it is used as long as it
        # serves.
        if self._inside is not None:
            with contextlib.suppress(OSError):
                known, seen = os.fstat(self._inside), os.lstat(self.folder)
                if known.st_ino == seen.st_ino and known.st_dev == seen.st_dev and not os.listdir(self._inside):
                    self._empty = self._state(self._inside)
                    return
            # All that the last check started was ended and all that it wrote was removed, so it was not that one.
            self.noticed = INTRUDED
            self.remove()
        while self._inside is None:
            self.folder = f"{self.place}/{self._generation}"
            try:
                os.mkdir(self.folder, 0o700)
                self._inside = os.open(self.folder, os.O_RDONLY | os.O_DIRECTORY)
            except FileExistsError:
                self._generation += 1
        os.fchdir(self._inside)
        self._empty = self._state(self._inside)

    def write(self, files: Files) -> None:
        """Write a case into the folder."""
        if self._inside is not None and self._state(self._inside) != self._empty:
            self.noticed = INTRUDED
            empty_folder(self._inside, self.place)
        write_new(files)

    def clean(self) -> None:
        """Remove all that a check left."""
        if self._inside is not None:
            empty_folder(self._inside, self.place)

    def remove(self) -> None:
        """Remove the folder in which checks ran."""
        if self._inside is not None:
            empty_folder(self._inside, self.place)
            os.close(self._inside)
            self._inside = None
            os.chdir("/")
            with contextlib.suppress(OSError):
                if os.path.islink(self.folder):
                    os.unlink(self.folder)
                else:
                    os.rmdir(self.folder)

    def in_words(self, word: str) -> str:
        """Return a word of a command as it is to be run here."""
        return word.replace("{folder}", self.folder)

    def in_output(self, output: bytes) -> bytes:
        """Return what a check printed, with the paths that the user knows."""
        return output

    @staticmethod
    def _state(folder: int) -> tuple[int, int, int]:
        """Return what becomes another when something is put into an open folder."""
        seen = os.fstat(folder)
        return seen.st_mtime_ns, seen.st_size, seen.st_nlink


class OverlayFolder:
    """The user's folder under its own path, with a layer for each check that takes all that is written."""

    def __init__(self, place: str, view: View) -> None:
        """Enter a mount namespace, in which nothing that is mounted can be seen from outside."""
        self.folder = view.folder
        self.noticed = ""
        self._place = place
        self._view = view
        self._generation = 0
        self._mounted: list[str] = []
        self._layer = f"{place}/layer-0"
        enter_mount_namespace()
        self._lower = os.open(view.roots[0], os.O_PATH | os.O_DIRECTORY)  # before anything is put over it

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
        for number, root in enumerate(self._view.roots):
            upper, work = f"{self._layer}/{number}", f"{self._layer}/{number}.work"
            os.mkdir(upper)
            os.mkdir(work)
            for name in self._hidden_in(root):
                os.makedirs(os.path.dirname(f"{upper}/{name}"), exist_ok=True)
                # What an overlay takes for a file that was removed, whether there is one below or not yet.
                os.mknod(f"{upper}/{name}", stat.S_IFCHR, 0)
            mount_overlay(root, upper, work)
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
        if self._is_clean():
            return
        os.chdir("/")
        for path in reversed(self._mounted):
            unmount(path)
        self._mounted.clear()
        with contextlib.suppress(OSError):
            inside = os.open(self._layer, os.O_RDONLY | os.O_DIRECTORY)
            try:
                empty_folder(inside, self._place)
            finally:
                os.close(inside)
            os.rmdir(self._layer)

    def remove(self) -> None:
        """Take all layers away."""
        self._view = self._view._replace(whole="?")
        self.clean()

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
            os.stat(name, dir_fd=self._lower, follow_symlinks=False)
        except FileNotFoundError:
            return False
        return True


class CopiedFolder:
    """A copy of the user's folders elsewhere, for systems without mount namespaces."""

    def __init__(self, place: str, view: View) -> None:
        """Make the copies."""
        self._place = place
        self._copies = {root: f"{place}/copy-{number}" for number, root in enumerate(view.roots)}
        self._view = view._replace(
            folder=self._moved(view.folder),
            whole=view.whole and self._moved(view.whole),
            names=tuple(self._moved(name) if name.startswith("/") else name for name in view.names),
        )
        self.folder = self._view.folder
        self.noticed = ""
        self._states: dict[str, dict[str, State]] = {}
        for root, copy in self._copies.items():
            os.mkdir(copy, 0o700)
            bring_back(root, copy, {}, (place, *view.hidden))
            self._states[root] = states_of(copy)

    @property
    def written(self) -> str:
        """The folder that holds what a check wrote."""
        return self._place

    def prepare(self) -> None:
        """Go to where the command was typed."""
        os.chdir(self.folder)

    def write(self, files: Files) -> None:
        """Put a candidate in the place of the input."""
        if self._view.whole:
            os.chdir(self._view.whole)
            inside = os.open(".", os.O_RDONLY | os.O_DIRECTORY)
            try:
                empty_folder(inside, self._place)
            finally:
                os.close(inside)
            write_new(files)
            os.chdir(self.folder)
        else:
            replace_files(self._view, {self._moved(name): content for name, content in files.items()})

    def clean(self) -> None:
        """Bring the copies back to what they were."""
        os.chdir("/")
        for root, copy in self._copies.items():
            bring_back(root, copy, self._states[root], (self._place, *self._view.hidden))
            self._states[root] = states_of(copy)

    def remove(self) -> None:
        """Remove the copies."""
        os.chdir("/")
        for copy in self._copies.values():
            with contextlib.suppress(OSError):
                inside = os.open(copy, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
                try:
                    empty_folder(inside, self._place)
                finally:
                    os.close(inside)
                os.rmdir(copy)

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


WorkFolder = FreshFolder | OverlayFolder | CopiedFolder


def work_folder(place: str, view: View | None) -> WorkFolder:
    """Return the folder in which the checks of a check runner run."""
    if view is None:
        return FreshFolder(place)
    return OverlayFolder(place, view) if view.kind == OVERLAY else CopiedFolder(place, view)


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
            folder = OverlayFolder(place, view)
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
