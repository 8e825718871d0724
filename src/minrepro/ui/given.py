"""What a command was given to work on: one file, several, or a folder."""

from __future__ import annotations

import argparse
import atexit
import os
import shlex
import shutil
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from minrepro.errors import UsageError
from minrepro.invocations import CANDIDATE
from minrepro.ui.output import ResultFile, read_input

if TYPE_CHECKING:
    from minrepro.ui.folders import GivenFiles


@dataclass(frozen=True)
class Given:
    """One input file."""

    path: Path
    data: bytes
    warnings: tuple[str, ...] = ()

    @property
    def label(self) -> str:
        """How it is called when spoken of."""
        return str(self.path)

    @property
    def name(self) -> str:
        """The name of the file that a check is shown."""
        return self.path.name

    @property
    def place(self) -> str:
        """Where a check finds the candidate."""
        return "{folder}/" + self.name

    def files(self, case: bytes) -> Mapping[str, Any]:
        """Return the files that a candidate is made of."""
        return {self.name: case}

    def size(self, case: bytes) -> int:
        """Return how many bytes a candidate has."""
        return len(case)

    def rendered(self, case: bytes) -> str:
        """Return a candidate as text."""
        return case.decode("utf-8", "backslashreplace")

    def count(self, case: bytes) -> int:
        """Return how many files a candidate is made of."""
        return 1

    def inputs(self, word: str) -> str | None:
        """Return what stands for a word of a command that is the path of the input."""
        try:
            return CANDIDATE if word and Path(word).samefile(self.path) else None
        except (OSError, ValueError):
            return None


def split_failing(argv: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return the words before and behind the first `--`."""
    words = list(argv)
    at = words.index("--") if "--" in words else len(words)
    return words[:at], words[at + 1 :]


def take_words(args: argparse.Namespace, failing: bool) -> None:
    """Tell the check from the input among the words of a command line, whose failing command may be the check."""
    words: list[str] = args.words
    if failing:
        args.check, inputs = None, words
    else:
        args.check, inputs = words[0], words[1:]
        _require_order(args.check, inputs)
    if not inputs:
        raise UsageError(
            "a check, but no input\nhint: minrepro reduce INPUT -- COMMAND, or minrepro reduce CHECK INPUT"
        )
    args.inputs = [_standard_input() if word == "-" else Path(word) for word in inputs]
    if "-" in inputs:
        if getattr(args, "in_place", False):
            raise UsageError("--in-place cannot be combined with standard input")
        args.output = getattr(args, "output", None) or Path("stdin.min")
    args.input = args.inputs[0]


def _require_order(check: str, inputs: Sequence[str]) -> None:
    """Refuse a check and an input that were typed in the wrong order."""
    program, file = Path(check), Path(inputs[0]) if inputs else None
    if file is None or not program.is_file() or os.access(program, os.X_OK):
        return
    if file.is_file() and os.access(file, os.X_OK):
        raise UsageError(
            f"{program} is not executable, but {file} is: are they in the wrong order?\n"
            f"hint: minrepro reduce {shlex.quote(inputs[0])} {shlex.quote(check)}"
        )


def _standard_input() -> Path:
    """Return a file that holds what is on standard input, for as long as this program runs."""
    folder = tempfile.mkdtemp(prefix="minrepro-input-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    path = Path(folder) / "stdin"
    path.write_bytes(sys.stdin.buffer.read())
    return path


def is_folder(args: argparse.Namespace) -> bool:
    """Tell whether the input is a folder, or several files, which are reduced as one."""
    return len(args.inputs) > 1 or args.input.is_dir()


def given_of(args: argparse.Namespace) -> Given | GivenFiles:
    """Return the input, read."""
    if not is_folder(args):
        return Given(args.input, read_input(args.input))
    from minrepro.ui.folders import read_files  # few need it, and it takes a while to load

    return read_files(args.inputs)


def result_at(target: Path, given: Given | GivenFiles, resuming: bool) -> ResultFile:
    """Return the file or the folder that holds the best so far."""
    if isinstance(given, Given):
        return ResultFile(target, given.path.stat().st_mode)
    from minrepro.ui.folders import ResultFolder

    return ResultFolder(target, given.table, ours=resuming)
