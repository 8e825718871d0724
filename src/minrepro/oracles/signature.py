"""What a failure looks like, without what differs from run to run: by its signature one failure is told from another.

A signature is made of the signal that ended the process, if any, and of the most telling line that it printed on
standard error. Addresses, paths, positions and numbers are replaced by placeholders, since they change with every
candidate while the failure stays the same.
"""

from __future__ import annotations

import re
import signal
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from minrepro.core.invocations import Invocation, ProcessEnd, ProcessOracle
from minrepro.core.verdicts import Outcome, Verdict

LONGEST = 240
"""A longer line is cut: what follows is rather the input than the failure."""

_VARYING: list[tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]]] = [
    (re.compile(r"\x1b\[[0-9;?]*[A-Za-z]"), ""),
    (re.compile(r"==\d+=="), ""),
    (re.compile(r"\b0[xX][0-9a-fA-F]+\b"), "<address>"),
    (re.compile(r"(?<![\w.])(?:[A-Za-z]:)?(?:[\w.+~@-]*/)+([\w.+~@-]*)"), lambda match: match[1] or "<folder>"),
    (re.compile(r"(?<=[\w>])(?::\d+)+(?=\b|:)"), ":<position>"),
    (re.compile(r"\b[0-9a-fA-F]*(?:[0-9][a-fA-F]|[a-fA-F][0-9])[0-9a-fA-F]{6,}\b"), "<address>"),
    (re.compile(r"(?<![A-Za-z_])[-+]?\d+(?:[.,]\d+)*(?:[eE][-+]?\d+)?(?![A-Za-z_])"), "<number>"),
    (re.compile(r"\s+"), " "),
]

_PASSING = ("EAGAIN", "EDQUOT", "EIO", "EMFILE", "ENFILE", "ENOMEM", "ENOSPC", "ESTALE")
"""Why a check cannot be run now, though perhaps later: that is no reason to end a run."""


@dataclass(frozen=True)
class Signed:
    """An oracle that notes what a failure looks like; it keeps nothing, so it judges alike wherever a test runs."""

    oracle: ProcessOracle

    def invocation(self, case: Any) -> Invocation:
        """Return what to run for a case."""
        return self.oracle.invocation(case)

    def judge(self, ending: ProcessEnd) -> Verdict:
        """Return what the end of that process means, signed if it shows a failure."""
        if ending.trouble.partition(":")[0] in _PASSING:
            return Verdict(Outcome.UNRESOLVED, f"cannot be run: {ending.trouble.partition(': ')[2]}", ending.seconds)
        verdict = self.oracle.judge(ending)
        if verdict.outcome is not Outcome.FAIL or verdict.signature:
            return verdict
        return replace(verdict, signature=signature_of(ending))


def signature_of(ending: ProcessEnd) -> str:
    """Return what a failure looks like; empty when the process neither printed an error nor died by a signal."""
    if ending.status == 0 and not ending.stderr:
        return ""
    parts = (signal_of(ending.status), telling_line(ending.stderr.decode("utf-8", "replace")))
    return ": ".join(part for part in parts if part)


def signal_of(status: int) -> str:
    """Return the name of the signal that ended a process, also where a shell tells of it as 128 and more."""
    number = -status if status < 0 else status - 128
    try:
        return signal.Signals(number).name
    except ValueError:
        return ""


def telling_line(text: str) -> str:
    """Return the line of an error output that says most about the failure, without what varies."""
    from minrepro.oracles.failure_shapes import (
        telling_of,  # a check that says nothing needs none of these many patterns
    )

    telling = telling_of(text)
    if telling is not None:
        return normalised(" ".join(telling.message))
    lines = [line for line in (line.strip() for line in text.splitlines()) if line]
    return normalised(lines[-1]) if lines else ""


def normalised(line: str) -> str:
    """Return a line with placeholders for addresses, positions and numbers, and without the folders of paths."""
    line = line[: 8 * LONGEST]  # a line may be a whole input on one line
    for pattern, instead in _VARYING:
        line = pattern.sub(instead, line)
    return line.strip()[:LONGEST]
