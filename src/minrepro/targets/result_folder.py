"""A folder as result: replaced as a whole, and never where something is that would be lost."""

from __future__ import annotations

import ctypes
import os
import shutil
import stat
import tempfile
from collections.abc import Mapping
from pathlib import Path

from minrepro.documents.packed_files import Content, PackedFiles
from minrepro.errors import OutputError
from minrepro.targets.result_file import ResultStore

_SECONDS_BETWEEN_WRITES = 1.0


def write_folder(folder: Path, files: Mapping[str, Content]) -> None:
    """Write files into a folder that is there and empty."""
    for name, (mode, content) in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if stat.S_ISLNK(mode):
            path.symlink_to(os.fsdecode(content))
        elif stat.S_ISDIR(mode):
            path.mkdir(exist_ok=True)
        else:
            path.write_bytes(content)
            path.chmod(stat.S_IMODE(mode))


class ResultFolder(ResultStore):
    """A folder that holds the best so far, replaced as a whole."""

    seconds_between_writes = _SECONDS_BETWEEN_WRITES

    def __init__(self, path: Path, table: PackedFiles, *, ours: bool = False) -> None:
        """Make sure that the folder can be written, and that nothing is there that would be lost unless it is ours."""
        super().__init__(path, path)
        self._table = table
        self._ours = ours
        if path.exists() and not ours and (not path.is_dir() or any(path.iterdir())):
            raise OutputError(f"{path} already exists\nhint: delete it, or choose another directory with -o")
        if not path.parent.is_dir():
            raise OutputError(f"cannot write {path}: no directory {path.parent}")
        try:
            self._fresh().rmdir()
        except OSError as error:
            raise self._explained(error) from None
        self._remove_leftovers()

    def at(self, path: Path) -> ResultFolder:
        """Return another folder like this one."""
        return ResultFolder(path, self._table)

    def beside(self, word: str) -> ResultFolder:
        """Return another folder like this one, with a word behind its name, and a number if that is taken."""
        path, number = self.path.with_name(f"{self.path.name}.{word}"), 1
        while path.exists() and not self._ours:
            number += 1
            path = self.path.with_name(f"{self.path.name}.{word}.{number}")
        return ResultFolder(path, self._table, ours=True)

    def _put(self, data: bytes) -> None:
        try:
            fresh = self._fresh()
            try:
                fresh.chmod(0o755)
                write_folder(fresh, self._table.unpacked(data))
                self._replace_by(fresh)
            finally:
                self._discard(fresh)
        except OSError as error:
            raise self._explained(error) from None

    def _fresh(self) -> Path:
        prefix = f".{self.path.name}.{os.getpid()}."
        return Path(tempfile.mkdtemp(prefix=prefix, suffix=".part", dir=self.path.parent))

    def _replace_by(self, fresh: Path) -> None:
        """Let a fresh folder have the name of the result; what was there is left in its place, to be discarded."""
        if not self.path.exists():
            fresh.rename(self.path)
        elif not _exchanged(fresh, self.path):  # then there is a moment in which the result has another name
            old = fresh.with_name(f"{fresh.name.removesuffix('.part')}-old.part")
            self.path.rename(old)
            fresh.rename(self.path)
            self._discard(old)

    @staticmethod
    def _discard(temporary: Path) -> None:
        shutil.rmtree(temporary, ignore_errors=True)


def _exchanged(one: Path, other: Path) -> bool:
    """Let two paths change places in one step, and tell whether this system can."""
    rename = getattr(ctypes.CDLL(None), "renameat2", None)
    here, exchange = -100, 2
    return rename is not None and rename(here, os.fsencode(one), here, os.fsencode(other), exchange) == 0
