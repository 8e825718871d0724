"""What a command was given to work on: one file, several, or a folder."""

from __future__ import annotations

import argparse
import atexit
import os
import shlex
import shutil
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from minrepro.errors import UsageError


def take_words(args: argparse.Namespace, failing: bool) -> None:
    """Tell the check from the input among the words of a command line, whose failing command may be the check."""
    words: list[str] = args.words
    if failing:
        args.check, inputs = None, words
        if not inputs:
            raise UsageError(f"a failing command, but no input\nhint: {_with_input(args)}")
    elif not words:
        raise UsageError("no input\nhint: minrepro reduce INPUT -- COMMAND, or minrepro reduce CHECK INPUT")
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


def _with_input(args: argparse.Namespace) -> str:
    """Return the command line that is perhaps meant where the input is only in the failing command."""
    named = [word for word in args.failing[1:] if Path(word).is_file()]
    name = shlex.quote(named[-1]) if named else "INPUT"
    return f"minrepro {args.command} {name} -- {shlex.join(args.failing) or 'COMMAND'}"


def _require_order(check: str, inputs: Sequence[str]) -> None:
    """Refuse a check and an input that were typed in the wrong order, or a command without the `--` before it."""
    program, file = Path(check), Path(inputs[0]) if inputs else None
    if file is None or os.access(program, os.X_OK):
        return
    if program.is_file() and file.is_file() and os.access(file, os.X_OK):
        raise UsageError(
            f"{program} is not executable, but {file} is: are they in the wrong order?\n"
            f"hint: minrepro reduce {shlex.quote(inputs[0])} {shlex.quote(check)}"
        )
    if program.is_file() and not file.exists() and shutil.which(inputs[0]):
        raise UsageError(
            f"{inputs[0]} is a program, not an input: is the -- before the failing command missing?\n"
            f"hint: minrepro reduce {shlex.quote(check)} -- {shlex.join(inputs)}"
        )


def _standard_input() -> Path:
    """Return a file that holds what is on standard input, for as long as this program runs."""
    folder = tempfile.mkdtemp(prefix="minrepro-input-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    path = Path(folder) / "stdin"
    path.write_bytes(sys.stdin.buffer.read())
    return path
