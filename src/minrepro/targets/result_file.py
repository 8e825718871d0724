"""The result on disk: written whole or not at all, during the run, and never over the user's input unless asked."""

from __future__ import annotations

import contextlib
import glob
import os
import shutil
import stat
import tempfile
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from pathlib import Path

from minrepro.errors import OutputError

_MODULES = frozenset(
    {".py", ".rs", ".java", ".kt", ".scala", ".hs", ".erl", ".ml", ".mli", ".adb", ".ads", ".nim", ".cr", ".d", ".pas"}
)
"""Languages in which a file's name is the name of a module, so it must not have a dot in it."""


def default_output(path: Path) -> Path:
    """Return the input's name with `.min` before its suffix, or `_min` where the name must stay that of a module."""
    mark = "_min" if path.suffix in _MODULES and path.stem.isidentifier() else ".min"
    return path.with_name(f"{path.stem}{mark}{path.suffix}")


def default_folder(path: Path) -> Path:
    """Return the name of a folder for the result beside the input."""
    named = path if path.name else path.resolve()  # `.` has no name of its own
    return named.with_name(f"{named.name if path.is_dir() else named.stem}.min")


def keep_original(path: Path) -> Path:
    """Copy a file that is about to be overwritten to the first free name of .orig, .orig.2, .orig.3 …"""
    number = 1
    while True:
        copy = path.with_name(f"{path.name}.orig" + (f".{number}" if number > 1 else ""))
        try:
            with copy.open("xb"):
                pass
            shutil.copy2(path, copy)
            return copy
        except FileExistsError:
            number += 1
        except OSError as error:
            raise OutputError(f"cannot write {copy}: {error.strerror}; {path} was not modified") from None


def file_state(path: Path) -> object:
    """Return something that is another when a file, or anything in a folder, has been written, replaced or removed."""
    states, pending = [], [os.fspath(path)]
    while pending:
        place = pending.pop()
        with contextlib.suppress(OSError):
            state = os.stat(place)  # noqa: PTH116 - there may be many, and a string takes half the time of a `Path`
            states.append((place, state.st_ino, state.st_size, state.st_mtime_ns))
            if stat.S_ISDIR(state.st_mode):
                with os.scandir(place) as entries:
                    pending += [entry.path for entry in entries if not entry.is_symlink()]
    return sorted(states)


class ResultStore(ABC):
    """A place on disk that holds the best so far, as one content; never left half-written."""

    seconds_between_writes = 0.0
    """For how long what is there may be behind the best so far."""

    def __init__(self, path: Path, file: Path) -> None:
        """The file is what is replaced, which may have another name than the path that was given."""
        self.path = path
        self.warn: Callable[[str], None] = lambda text: None
        self._file = file
        self._held: bytes | None = None
        self._state: object = None
        self._written_at = 0.0
        self._trouble = ""

    @property
    def due(self) -> bool:
        """Whether so much time has passed since the last time that writing is worth while."""
        return time.monotonic() - self._written_at >= self.seconds_between_writes

    def keep(self, data: bytes) -> None:
        """Write a content that is not the last; what goes wrong is only told, once."""
        try:
            self.write(data)
        except OutputError as error:  # a disk that is full now need not be so in the end, and the best gets smaller
            if str(error) != self._trouble:
                self._trouble = str(error)
                self.warn(f"{error}; minrepro continues and tries again")

    def write(self, data: bytes) -> None:
        """Put a content in the place of what is there in one step, unless it is there already."""
        if self._held is not None and file_state(self._file) != self._state:
            self.warn(f"another process changed the result {self.path}; does the check write there?")
        elif data == self._held:
            return
        self._put(data)
        self._held, self._written_at, self._state = data, time.monotonic(), file_state(self._file)

    def write_or_rescue(self, data: bytes) -> None:
        """Write the last word; where that is not possible keep it where temporary files are, and say so."""
        try:
            self.write(data)
        except OutputError as error:
            try:
                elsewhere = Path(tempfile.mkdtemp(prefix="minrepro-result-")) / self.path.name
                self.at(elsewhere).write(data)
            except (OSError, OutputError):
                raise error from None
            raise OutputError(f"{error}\nhint: the result was saved as {elsewhere}") from None

    @abstractmethod
    def at(self, path: Path) -> ResultStore:
        """Return another place like this one."""

    @abstractmethod
    def beside(self, word: str) -> ResultStore:
        """Return another place like this one, with a word in its name."""

    @abstractmethod
    def _put(self, data: bytes) -> None:
        """Put a content in the place of what is there."""

    def _remove_leftovers(self) -> None:
        """Remove what runs have left that were killed while they wrote."""
        for path in self._file.parent.glob(f".{glob.escape(self._file.name)}.*.part"):
            writer = path.name.split(".")[-3]
            if writer.isdecimal() and not Path("/proc", writer).exists() and Path("/proc/self").exists():
                self._discard(path)

    def _explained(self, error: BaseException) -> BaseException:
        return OutputError(f"cannot write {self.path}: {error.strerror}") if isinstance(error, OSError) else error

    @staticmethod
    @abstractmethod
    def _discard(temporary: Path) -> None:
        """Remove what was written in part."""


class ResultFile(ResultStore):
    """A file that holds the best so far."""

    def __init__(self, path: Path, mode: int = 0o644) -> None:
        """Make sure that the file can be written, without touching what is there."""
        super().__init__(path, path.resolve())  # what a link leads to is replaced, not the link
        self.mode = mode & 0o777
        if path.is_dir():
            raise OutputError(f"{path} is a directory; the result must be a file")
        if self._file.exists() and not self._file.is_file():
            # A file that is put in the place of a device or a pipe would break whatever uses it.
            raise OutputError(f"{path} is not a regular file; the result must be one")
        if not self._file.parent.is_dir():
            raise OutputError(f"cannot write {path}: no directory {path.parent}")
        self._discard(self._written(b""))
        self._remove_leftovers()

    def beside(self, word: str) -> ResultFile:
        """Return another file like this one, with a word before the suffix of its name."""
        return self.at(self.path.with_name(f"{self.path.stem}.{word}{self.path.suffix}"))

    def at(self, path: Path) -> ResultFile:
        """Return another file like this one."""
        return ResultFile(path, self.mode)

    def _put(self, data: bytes) -> None:
        temporary = self._written(data)
        try:
            temporary.replace(self._file)
        except BaseException as error:
            self._discard(temporary)
            raise self._explained(error) from None

    def _written(self, data: bytes) -> Path:
        try:
            prefix = f".{self._file.name}.{os.getpid()}."
            handle, name = tempfile.mkstemp(prefix=prefix, suffix=".part", dir=self._file.parent)
        except OSError as error:
            raise self._explained(error) from None
        temporary = Path(name)
        try:
            with os.fdopen(handle, "wb") as file:
                os.fchmod(handle, self.mode)
                file.write(data)
                if data:
                    file.flush()
                    os.fdatasync(
                        handle
                    )  # else a crash of the machine may leave an empty file in the place of a good one
        except BaseException as error:  # also an interrupt must leave nothing half-written
            self._discard(temporary)
            raise self._explained(error) from None
        return temporary

    @staticmethod
    def _discard(temporary: Path) -> None:
        with contextlib.suppress(OSError):
            temporary.unlink()
