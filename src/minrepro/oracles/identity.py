"""What a check is: its words, the content of its files, what it sees of the environment. A verdict belongs to one."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from minrepro.core.invocations import Invocation, ProcessOracle
from minrepro.core.keys import digest
from minrepro.errors import CheckError

VARIABLES = ("PATH", "LANG", "LC_ALL", "LD_LIBRARY_PATH", "LD_PRELOAD", "PYTHONPATH")
"""Variables of the environment on which the verdict of a check may well depend."""
_READ_WHOLE = 64 << 20
"""Files above this size are told apart by their size and time: reading them would take longer than a check."""


def identity_of(oracle: ProcessOracle, variables: Iterable[str] = (), nothing: Any = b"") -> dict[str, str]:
    """Return all that makes a check what it is, by name; of the environment only the variables that are named.

    `nothing` is a case with nothing in it.
    """
    shown = oracle.invocation(nothing)
    parts = {"words": repr(shown.argv), "reads": repr(sorted(shown.files))}
    parts["sees"] = repr(sorted(shown.environment.items()))
    if failure := getattr(oracle, "stands_for", ""):
        parts["failure"] = digest(failure.encode())
    parts |= {f"file {path}": state_of(path)[1] for path in files_of(shown)}
    return parts | {f"${name}": os.environ[name] for name in variables if name in os.environ}


def files_of(shown: Invocation) -> list[Path]:
    """Return the files that a check consists of: its program, and every word that is the path of one."""
    found = []
    inputs = {Path(name).absolute() for name in shown.files}
    for number, word in enumerate(shown.argv):
        try:
            path = Path(word if number or "/" in word else shutil.which(word) or word).absolute()
            if path not in inputs and path.is_file():
                found.append(path)
        except (OSError, ValueError):  # a word may be a whole script, too long for a path
            continue
    return found


def state_of(path: Path) -> tuple[object, str]:
    """Return what changes when a file is written, and what stands for its content."""
    try:
        state = path.stat()
        written = (state.st_ino, state.st_size, state.st_mtime_ns)
        return written, digest(path.read_bytes()) if state.st_size <= _READ_WHOLE else repr(written)
    except OSError as error:
        return None, f"unreadable: {error.strerror}"


class CheckFiles:
    """The files that a check consists of, as they were when a run began."""

    def __init__(self, oracle: ProcessOracle, nothing: Any = b"") -> None:
        self._states = {path: state_of(path) for path in files_of(oracle.invocation(nothing))}

    def require_unchanged(self) -> None:
        """Raise if the content of a file is another one than it was."""
        for path, (written, content) in self._states.items():
            try:
                state = path.stat()
            except OSError:
                continue  # if that matters the check cannot be run, and that is told
            if (state.st_ino, state.st_size, state.st_mtime_ns) != written:
                self._states[path] = state_of(path)
                if self._states[path][1] != content:
                    raise CheckError(
                        f"{path} changed during the reduction, so earlier outcomes may be wrong\n"
                        "hint: the best so far is kept; undo the change and resume, or start over"
                    )
