"""What to run for a case and how that ended: all that an oracle and an executor say to each other about processes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from minrepro.core.verdicts import Verdict

CANDIDATE = "@@"
"""Stands for the candidate in a command as it is typed."""

File = bytes | tuple[int, bytes]
"""The bytes of a file, or with its mode as `stat` gives it; of a link, where it leads; of an empty folder, nothing."""


@dataclass(frozen=True, slots=True)
class Invocation:
    """One process to run in a fresh folder: its words, the files it finds there, and what it reads.

    `{folder}` in a word or in an environment value stands for the absolute path of that folder.
    """

    argv: tuple[str, ...]
    files: Mapping[str, File] = field(default_factory=dict)
    stdin: bytes = b""
    environment: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ProcessEnd:
    """How a process ended: its exit status (negative: the signal that killed it), what it said, how long it took."""

    status: int
    seconds: float
    stdout: bytes = b""
    stderr: bytes = b""
    limit: float | None = None
    """The time limit that ended it, or None when it ended by itself."""
    trouble: str = ""
    """Why it could not be run at all; empty when it ran."""
    exceeded: str = ""
    """Which limit other than that of time it ran into; empty when none."""
    noticed: str = ""
    """What the user should know although it says nothing about the case."""


class ProcessOracle(Protocol):
    """An oracle that is asked by running a process."""

    def invocation(self, case: Any) -> Invocation:
        """Return what to run for a case."""
        ...

    def judge(self, ending: ProcessEnd) -> Verdict:
        """Return what the end of that process means."""
        ...
