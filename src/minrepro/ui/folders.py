"""Folders and several files as input, and a folder as result."""

from __future__ import annotations

import ctypes
import os
import shutil
import stat
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from minrepro.documents.files import Content, Files
from minrepro.errors import InputError, OutputError, UsageError
from minrepro.invocations import CANDIDATE
from minrepro.notices import Accepted, Notice
from minrepro.search import Outcome
from minrepro.ui.output import ResultFile, file_state, read_input

LEFT_OUT = frozenset({".git", ".hg", ".svn"})
"""Histories: no part of what fails, and large."""
MANY = 20_000
_SECONDS_BETWEEN_WRITES = 1.0


@dataclass(frozen=True)
class GivenFiles:
    """A folder, or several files."""

    paths: tuple[Path, ...]
    root: Path
    """The folder of which a check gets a copy."""
    table: Files
    data: bytes
    warnings: tuple[str, ...] = ()
    name: str = field(default="", init=False)
    """Empty: a check gets a folder."""
    place: str = field(default="{folder}", init=False)

    @property
    def path(self) -> Path:
        """The first of the paths that were given."""
        return self.paths[0]

    @property
    def label(self) -> str:
        """How it is called when spoken of."""
        return str(self.path) if len(self.paths) == 1 else f"{self.path} and {len(self.paths) - 1} more"

    def files(self, case: bytes) -> Mapping[str, Any]:
        """Return the files that a candidate is made of."""
        return self.table.unpacked(case)

    def size(self, case: bytes) -> int:
        """Return how many bytes the files of a candidate have."""
        return self.table.size(case)

    def rendered(self, case: bytes) -> str:
        """Return a candidate as text: each file below its name."""
        texts = []
        for name, (mode, content) in self.table.unpacked(case).items():
            kind = " (link)" if stat.S_ISLNK(mode) else ""
            text = content.decode("utf-8", "backslashreplace").rstrip("\n")
            texts.append(f"──── {name}{kind}\n{text}\n")
        return "".join(texts)

    def count(self, case: bytes) -> int:
        """Return how many files a candidate is made of."""
        return sum(1 for _ in self.table.spans(case))

    def inputs(self, word: str) -> str | None:
        """Return what stands for a word of a command that is the path of an input, or of something in it."""
        try:
            path = Path(word).resolve() if word else None
            if path is None or not path.exists():
                return None
        except (OSError, ValueError):
            return None
        if path == self.root and len(self.paths) == 1:
            return CANDIDATE
        try:
            inside = str(path.relative_to(self.root))
        except ValueError:
            return None
        return inside if inside in self.table.names or len(self.paths) == 1 else None


def read_files(paths: Sequence[Path]) -> GivenFiles:
    """Return a folder or several files, read, or say what is wrong with them."""
    if len(paths) == 1:
        root = paths[0].resolve()
        found, warnings = _walk(root)
    else:
        for path in paths:
            if path.is_dir():
                raise UsageError(f"{path} is a directory: expected one directory, or several files")
        absolute = [Path(os.path.abspath(path)) for path in paths]  # noqa: PTH100  # a link stays a link
        root = Path(os.path.commonpath([path.parent for path in absolute]))
        found, warnings = {}, []
        for path in absolute:
            if not path.is_symlink():
                read_input(path, may_be_empty=True)
            found[str(path.relative_to(root))] = path
    if not found:
        raise InputError(f"{paths[0]} has no files")
    if len(found) > MANY:
        warnings.append(f"{len(found):,} files: each check run gets a copy of all that are left")
    contents = {name: _content(path) for name, path in sorted(found.items())}
    table, data = Files.packed(contents)
    return GivenFiles(tuple(paths), root, table, data, tuple(warnings))


def _walk(root: Path) -> tuple[dict[str, Path], list[str]]:
    """Return all files below a folder by their names there, and what was left out."""
    found: dict[str, Path] = {}
    skipped: dict[str, list[str]] = {}
    pending = [root]
    while pending:
        folder = pending.pop()
        try:
            entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
        except OSError as error:
            raise InputError(f"cannot read {folder}: {error.strerror}") from None
        for entry in entries:
            mode = entry.stat(follow_symlinks=False).st_mode
            path = Path(entry.path)
            if stat.S_ISDIR(mode):
                if entry.name in LEFT_OUT:
                    skipped.setdefault("version history", []).append(entry.name)
                else:
                    pending.append(path)
                    if not any(os.scandir(path)):
                        found[str(path.relative_to(root))] = path
            elif stat.S_ISREG(mode) or stat.S_ISLNK(mode):
                found[str(path.relative_to(root))] = path
            else:
                skipped.setdefault("neither files, directories nor links", []).append(entry.name)
    return found, [f"left out: {', '.join(names[:5])} ({why})" for why, names in skipped.items()]


def _content(path: Path) -> Content:
    mode = path.lstat().st_mode
    try:
        if stat.S_ISLNK(mode):
            return mode, os.fsencode(path.readlink())
        return mode, b"" if stat.S_ISDIR(mode) else path.read_bytes()
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror}") from None


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


class ResultFolder(ResultFile):
    """A folder that holds the best so far, replaced as a whole; a listener of a run."""

    seconds_between_writes = _SECONDS_BETWEEN_WRITES

    def __init__(self, path: Path, table: Files, *, ours: bool = False) -> None:
        """Make sure that the folder can be written, and that nothing is there that would be lost unless it is ours."""
        self.path = self._file = path
        self.mode = 0o644
        self.warn = lambda text: None
        self._table = table
        self._ours = ours
        self._outcome = Outcome.FAIL
        self._held = self._state = None
        self._trouble = ""
        self._written_at = 0.0
        if path.exists() and not ours and (not path.is_dir() or any(path.iterdir())):
            raise OutputError(f"{path} already exists\nhint: delete it, or choose another directory with -o")
        if not path.parent.is_dir():
            raise OutputError(f"cannot write {path}: no directory {path.parent}")
        try:
            self._fresh().rmdir()
        except OSError as error:
            raise self._explained(error) from None
        self._remove_leftovers()

    def __call__(self, notice: Notice) -> None:
        # The input is there already, and a copy of many files takes as long as a test.
        if not (isinstance(notice, Accepted) and notice.label == "input"):
            super().__call__(notice)

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

    def write(self, data: bytes) -> None:
        """Replace the folder by these files, unless it holds them already."""
        if self._held is not None and file_state(self.path) != self._state:
            self.warn(f"another process changed the result {self.path}; does the check write there?")
        elif data == self._held:
            return
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
        self._held, self._written_at, self._state = data, time.monotonic(), file_state(self.path)

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
