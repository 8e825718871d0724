"""Replay by a command: the check finds the candidate trace in a file, and may say at which event it stopped.

The last line of its output may be `minrepro: event K`, where K counts from 1: the event at which the failure showed, or
that could not be fired. All candidates that begin alike are then known without another replay. A check that goes on
without events that cannot be fired says which they were: `minrepro: skipped 2 5`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Generic, TypeVar

from minrepro.core.invocations import Invocation, ProcessEnd
from minrepro.core.verdicts import Outcome, Verdict
from minrepro.oracles.command import CommandOracle

C = TypeVar("C")

_SKIPPED = re.compile(rb"^minrepro: skipped((?: [1-9]\d*)+)\s*$", re.MULTILINE)
_STOPPED = re.compile(rb"minrepro: event (\d+)\s*$")


class TraceCheck(Generic[C]):
    """Asks a command about traces."""

    def __init__(self, command: CommandOracle, render: Callable[[C], bytes]) -> None:
        """`render` turns a trace into the content of the file that the command reads."""
        self._command = command
        self._render = render

    def invocation(self, case: C) -> Invocation:
        """Return the command with a trace to replay."""
        return self._command.invocation(self._render(case))

    def judge(self, ending: ProcessEnd) -> Verdict:
        """Return what the exit status and the last line of the output mean."""
        verdict = self._command.judge(ending)
        if ending.status < 0 and ending.limit is None:
            # A check that was killed has told nothing, least of all that the failure is absent.
            verdict = replace(verdict, outcome=Outcome.UNRESOLVED, reason=f"the check was {verdict.reason}")
        verdict = replace(verdict, skipped=skipped(ending))
        return verdict if verdict.outcome is Outcome.PASS else replace(verdict, stopped_at=stopped_at(ending))


def stopped_at(ending: ProcessEnd) -> int | None:
    """Return the number of the event at which a check says that it stopped."""
    for output in (ending.stdout, ending.stderr):
        lines = output.rstrip().rsplit(b"\n", 1)
        if (match := _STOPPED.search(lines[-1])) and int(match[1]):
            return int(match[1])
    return None


def skipped(ending: ProcessEnd) -> tuple[int, ...]:
    """Return the places of the events that a check says it left out."""
    found = _SKIPPED.search(ending.stdout) or _SKIPPED.search(ending.stderr)
    return tuple(sorted({int(number) - 1 for number in found[1].split()})) if found else ()
