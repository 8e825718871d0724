"""Whether there can be sandboxes where tests run."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from minrepro.core.containment import ON, Containment
from minrepro.core.invocations import Invocation, ProcessEnd
from minrepro.core.verdicts import Outcome, Verdict
from minrepro.executors.local.process_pool import Processes


class Shell:
    """An oracle that runs each case as a line of shell, and keeps how it ended."""

    def __init__(self, stdin: bytes = b"") -> None:
        self._stdin = stdin
        self.endings: list[ProcessEnd] = []

    def invocation(self, case: str) -> Invocation:
        return Invocation(("/bin/sh", "-c", case, "sh", "{folder}"), {"in.txt": b"case"}, self._stdin)

    def judge(self, ending: ProcessEnd) -> Verdict:
        self.endings.append(ending)
        return Verdict(Outcome.PASS, ending.trouble, ending.seconds)


@cache
def why_none() -> str:
    """Return why there can be no sandbox here; empty if there can."""
    with Processes(Shell(), containment=Containment(ON)) as executor:
        return executor.why_open


def endings(place: Path, *lines: str, mode: str = ON, writable: tuple[Path, ...] = ()) -> list[ProcessEnd]:
    """Return how lines of shell end, one after another, in the same sandbox."""
    oracle = Shell()
    with Processes(oracle, place=place, containment=Containment(mode, tuple(map(str, writable)))) as executor:
        for line in lines:
            assert executor.wait([executor.start(line)], 120.0)
    return oracle.endings
