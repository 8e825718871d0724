"""A folder, or several files, as something to be reduced."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

from minrepro.core.invocations import CANDIDATE
from minrepro.core.verdicts import Outcome, Verdict
from minrepro.documents.packed_files import Content, PackedFiles
from minrepro.engine.memory import Memory
from minrepro.engine.tester import Tester
from minrepro.errors import InputError, UsageError
from minrepro.settings import OutputSettings, RunSettings, SearchSettings
from minrepro.targets.reading import read_input
from minrepro.targets.result_file import ResultStore
from minrepro.targets.result_folder import ResultFolder
from minrepro.targets.target import DDMIN_OPTIONS, REFINEMENTS, Codec, PlainBytes, Search, TextPart

LEFT_OUT = frozenset({".git", ".hg", ".svn"})
"""Histories: no part of what fails, and large."""
MANY = 20_000


_REFUSED = {
    **dict.fromkeys(("--units", "--algorithm"), "several files are reduced by passes, one file by an algorithm"),
    **dict.fromkeys(DDMIN_OPTIONS, "several files are reduced by passes; this is an option of ddmin, for one file"),
    **dict.fromkeys(REFINEMENTS, "several files are reduced by passes; this is asked of an algorithm, for one file"),
    **dict.fromkeys(
        ("--language", "--grammar", "--start", "--encoding"),
        "each of several files has a language of its own, told by its name",
    ),
    "--formatter": "the files of a folder are left as they are: a formatter is for one file",
    "--in-place": "the result of a folder or of several files is a new folder",
}
"""Options that are for one file."""


@dataclass(frozen=True)
class FolderLayout:
    """The files of a table."""

    table: PackedFiles
    place: ClassVar[str] = "{folder}"

    def files(self, case: bytes) -> Mapping[str, Any]:
        """Return the files that a candidate is made of."""
        return self.table.unpacked(case)


@dataclass(frozen=True)
class FolderTarget:
    """A folder, or several files."""

    paths: tuple[Path, ...]
    root: Path
    """The folder of which a check gets a copy."""
    table: PackedFiles
    data: bytes
    warnings: tuple[str, ...] = ()

    name: ClassVar[str] = ""
    """Empty: a check gets a folder."""
    unit: ClassVar[str] = "bytes"
    empty: ClassVar[bytes] = b""
    codec: ClassVar[Codec[bytes]] = PlainBytes()

    @property
    def path(self) -> Path:
        """The first of the paths that were given."""
        return self.paths[0]

    @property
    def label(self) -> str:
        """How it is called when spoken of."""
        return str(self.path) if len(self.paths) == 1 else f"{self.path} and {len(self.paths) - 1} more"

    @property
    def layout(self) -> FolderLayout:
        """How a candidate is laid out for a check."""
        return FolderLayout(self.table)

    @property
    def originals(self) -> Mapping[Outcome, bytes]:
        """The failing files."""
        return {Outcome.FAIL: self.data}

    @property
    def sources(self) -> Sequence[Path]:
        """The paths that were given."""
        return self.paths

    def question(self) -> Mapping[str, str]:
        """Return nothing: content, check and settings say it all."""
        return {}

    def memory(self, steady: bool) -> Memory:
        """Return a memory by content."""
        return Memory()

    def stores(self, output: OutputSettings, resuming: bool) -> Mapping[Outcome, ResultStore]:
        """Return the folder of the result."""
        if output.path is None:
            return {}
        return {Outcome.FAIL: ResultFolder(output.path, self.table, ours=resuming)}

    def written(self, case: bytes) -> bytes:
        """Return the case."""
        return case

    def refused(self, settings: RunSettings) -> Mapping[str, str]:
        """Return what is for one file."""
        by_config = settings.search.cache == "config"
        return {**_REFUSED, "--cache": "several files are remembered by content"} if by_config else _REFUSED

    def search(self, settings: SearchSettings) -> Search:
        """Return the reduction by passes."""
        from minrepro.engine.files_reducer import files_reducer  # takes a while to load

        def reducer(case: bytes, tester: Tester, committed: Callable[[bytes, str, Verdict], None]) -> bytes:
            how = {"effort": settings.effort, "deterministic": settings.deterministic, "golf": settings.golf}
            return files_reducer(self.table, case, **how)(case, tester, committed)  # type: ignore[arg-type]

        return lambda run: run.reduce_by_edits(self.data, reducer, empty=b"")

    def measures(self, case: bytes) -> dict[str, int]:
        """Return how many files a candidate has, and how many bytes in them."""
        return {"files": sum(1 for _ in self.table.spans(case)), "bytes": self.table.size(case)}

    def shown(self, case: bytes) -> str:
        """Return a candidate as text: each file below its name."""
        texts = []
        for name, (mode, content) in self.table.unpacked(case).items():
            kind = " (link)" if stat.S_ISLNK(mode) else ""
            text = content.decode("utf-8", "backslashreplace").rstrip("\n")
            texts.append(f"──── {name}{kind}\n{text}\n")
        return "".join(texts)

    def texts(self, case: bytes) -> Sequence[TextPart[bytes]]:
        """Return the files that have something in them."""
        parts = []
        for span in self.table.spans(case):
            before, behind = case[: span.start], case[span.end :]
            if content := case[span.start : span.end]:
                parts.append(TextPart(span.name, content, partial(_between, before, behind)))
        return parts

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


def _between(before: bytes, behind: bytes, content: bytes) -> bytes:
    return before + content + behind


def read_files(paths: Sequence[Path]) -> FolderTarget:
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
    table, data = PackedFiles.packed(contents)
    return FolderTarget(tuple(paths), root, table, data, tuple(warnings))


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
        if not entries and folder != root:
            found[str(folder.relative_to(root))] = folder
        for entry in entries:
            mode = entry.stat(follow_symlinks=False).st_mode
            path = Path(entry.path)
            if stat.S_ISDIR(mode):
                if entry.name in LEFT_OUT:
                    skipped.setdefault("version history", []).append(entry.name)
                else:
                    pending.append(path)
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
