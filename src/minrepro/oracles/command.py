"""A check script as oracle: exit 0 while the failure shows, 125 when it cannot tell, anything else when it is absent.

125 means the same as in `git bisect run`.
"""

from __future__ import annotations

import os
import shlex
import shutil
import signal
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from minrepro.core.invocations import Invocation, ProcessEnd
from minrepro.core.verdicts import Outcome, Verdict
from minrepro.core.view import View
from minrepro.errors import CheckError

CANNOT_TELL = 125
"""The exit status of a check that cannot tell whether the failure shows."""


@dataclass(frozen=True)
class Folder:
    """Where a command runs: in a view of the user's folder if there is one, whose layers are in a place."""

    view: View | None = None
    place: Path | None = None


EMPTY_FOLDER = Folder()
"""Where a command sees nothing but the candidate."""


class CommandOracle:
    """Shows a case to a command, as a file or on standard input, and reads the answer from its exit status."""

    def __init__(
        self,
        argv: Sequence[str],
        name: str,
        stdin: bool = False,
        files: Callable[[Any], Mapping[str, Any]] | None = None,
        folder: Folder = EMPTY_FOLDER,
    ) -> None:
        """The name is that of the file in which the command finds the case; empty for a folder, made of `files`."""
        self.argv = (find_command(argv[0]), *map(located, argv[1:]))
        place = "{folder}/" + name if name else "{folder}"
        self._words = self.argv if stdin else (*self.argv, place)
        self._name = name
        self._stdin = stdin
        self._files = files
        self._environment = {"MINREPRO_CANDIDATE": place}
        self.folder = folder

    @classmethod
    def from_text(
        cls, text: str, name: str, stdin: bool = False, files: Callable[[Any], Mapping[str, Any]] | None = None
    ) -> CommandOracle:
        """Return the oracle for a command as typed: the path of a check, or words as in a shell."""
        return cls(words_of(text), name, stdin, files)

    def invocation(self, case: Any) -> Invocation:
        """Return the command with a case to look at."""
        files = {self._name: case} if self._files is None else self._files(case)
        stdin = files.get(self._name, case) if self._stdin else b""
        return Invocation(self._words, files, stdin, self._environment)

    def judge(self, ending: ProcessEnd) -> Verdict:
        """Return what an exit status means."""
        if ending.trouble:
            raise CheckError(trouble_of(self.argv[0], ending.trouble))
        if ending.limit is not None:
            reason = f"timed out after {ending.limit:.1f} s"
            return Verdict(Outcome.UNRESOLVED, reason, ending.seconds, ending.limit)
        if ending.status == 0:
            outcome = Outcome.FAIL
        elif ending.status == CANNOT_TELL:
            outcome = Outcome.UNRESOLVED
        else:
            outcome = Outcome.PASS
        return Verdict(outcome, reason_of(ending.status), ending.seconds)


def words_of(text: str) -> list[str]:
    """Return the words of a command as typed; the path of a file is one word, whatever is in it."""
    if _there(text):
        return [text]
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise CheckError(f"cannot parse the check {text!r}: {error}") from error
    if not words:
        raise CheckError(
            "the check is empty\nhint: a check is a program that exits 0 if a candidate reproduces the failure"
        )
    return words


def find_command(word: str) -> str:
    """Return the absolute path of a command, or say why it cannot be run."""
    path = Path(word)
    if not _there(word) or ("/" not in word and not path.is_file()):
        found = shutil.which(word)
        if found is not None:
            return str(Path(found).absolute())
    if not _there(word):
        where = "" if "/" in word else " here or on PATH"
        raise CheckError(
            f"the check {word!r} does not exist{where}\nhint: use the path of a script, or a command with its arguments"
        )
    if path.is_dir():
        raise CheckError(
            f"the check {word} is a directory\n"
            "hint: a check is a program that exits 0 if a candidate reproduces the failure"
        )
    if not os.access(path, os.X_OK):
        raise CheckError(f"the check {word} is not executable\nhint: chmod +x {shlex.quote(word)}")
    return str(path.absolute())


def located(word: str) -> str:
    """Return a word of a command; as an absolute path if it is the path of something."""
    # The check runs in another folder: the script in `python check.py` must be found from there too.
    found = _there(word) and ("/" in word or Path(word).is_file())
    return str(Path(word).absolute()) if found else word


def _there(word: str) -> bool:
    try:
        return word != "" and Path(word).exists()
    except (OSError, ValueError):  # a word may be a whole script, too long for a path
        return False


def reason_of(status: int) -> str:
    """Return in words how a process ended."""
    if status >= 0:
        return f"exit {status}"
    try:
        return f"killed by {signal.Signals(-status).name}"
    except ValueError:
        return f"killed by signal {-status}"


def trouble_of(command: str, trouble: str) -> str:
    """Return in words why a command could not be run."""
    kind, _, text = trouble.partition(": ")
    if kind == "ENOEXEC":
        return (
            f"the check {command} is neither a program nor a script with a first line such as #!/bin/sh\n"
            "hint: add that line, or name the interpreter: 'sh " + shlex.quote(command) + "'"
        )
    if kind in ("ENOENT", "EACCES") and Path(command).exists():
        return (
            f"cannot run the check {command}: {text}\n"
            "hint: the interpreter in its first line (#!) does not exist or is not executable"
        )
    return f"cannot run the check {command}: {text} ({kind})"
