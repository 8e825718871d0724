"""Whether checks are run by a program that stays loaded: tried out on the first candidates, beside fresh processes.

The input and the first few candidates are run both ways. Only where each ends alike, and the loaded program is much
faster, do the others run in it alone; what matters in the end is still run by a fresh process.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal

from minrepro.core.invocations import ProcessEnd
from minrepro.core.verdicts import Verdict
from minrepro.core.view import COPY, View
from minrepro.executors.local.portable import LINUX
from minrepro.executors.local.warm_runner import COLD, LEARN, TRY, WARM
from minrepro.executors.local.warm_server import Learnt

CANDIDATES = 5
"""So many candidates must end alike both ways, and the input."""
WORTH = 1.5
"""How much faster a loaded program must be."""

_VARYING = re.compile(rb"0x[0-9a-fA-F]+|\d+\.\d+|\b\d{3,}\b|(?<=tmp)[\w-]{6,}")
_PYTHON = re.compile(r"python[\d.]*$")
_ALONE = re.compile(r"-[a-zA-Z]*[IES]")
"""Options with which an interpreter does not look at what it would be stopped by."""


class WarmTrial:
    """Says for each check how it is to be run."""

    def __init__(
        self,
        wish: Literal["auto", "on"],
        tell: Callable[[str], None],
        name: str = "the program",
        server: Sequence[str] = (),
    ) -> None:
        """`tell` is given one line for the user, as soon as it is settled; the name is that of the program.

        A server is the words of a program that answers lines, in the place of the program itself.
        """
        self._wish = wish
        self._tell = tell
        self._name = name
        self._state: Literal["new", "learning", "trying", "on", "off"] = "new"
        self._wants_fresh = False
        self._words: Sequence[str] = ()
        self._under_way = 0
        self._tried: set[Any] = set()
        self._seconds = [0.0, 0.0]
        self._alike = 0
        self.learnt: Learnt | None = (None, tuple(server)) if server else None
        """What a server is to load."""

    @property
    def on(self) -> bool:
        """Whether checks are run by the loaded program."""
        return self._state == "on"

    @contextmanager
    def fresh(self) -> Iterator[None]:
        """Have the checks that are begun inside run by fresh processes."""
        self._wants_fresh = True
        try:
            yield
        finally:
            self._wants_fresh = False

    def how(self, key: Any, words: Sequence[str]) -> int:
        """Return how the next check is to be run, that of a case with this key, by this program."""
        self._words = self._words or words
        if words != self._words:
            return COLD  # such as what stands for an empty candidate
        if self._state == "on" and not self._wants_fresh:
            return WARM
        if self._wants_fresh or key in self._tried:
            return COLD
        if self._state == "new":
            self._state = "learning"
        elif self._state != "trying" or self._alike + self._under_way > CANDIDATES:
            return COLD
        self._tried.add(key)
        self._under_way += 1
        return TRY if self.learnt is not None else LEARN

    def compare(
        self,
        trouble: str,
        learnt: Learnt | None,
        fresh: tuple[ProcessEnd, Verdict] | None,
        warm: tuple[ProcessEnd, Verdict] | None,
    ) -> None:
        """Take notice of how a check ended both ways, or why it did not."""
        self._under_way -= 1
        if self._state == "off":
            return
        if trouble:
            self.turn_off(trouble)
            return
        if learnt is not None:
            self.learnt = learnt
        if self._state == "learning":
            self._state = "trying" if self.learnt is not None else "new"
        if fresh is None or warm is None or any(end.limit is not None or end.exceeded for end, _ in (fresh, warm)):
            return  # it was cancelled, or cut short: nothing can be told from it
        if difference := differing(fresh, warm):
            self.turn_off(f"{difference} in {self._name} that stays loaded")
            return
        self._alike += 1
        for number, (ending, _) in enumerate((fresh, warm)):
            self._seconds[number] += ending.seconds
        if self._alike > CANDIDATES:
            self._settle()

    def turn_off(self, why: str) -> None:
        """Have all further checks run by fresh processes."""
        if self._state != "off":
            self._state = "off"
            self._tell(f"checks run in fresh processes: {why}")

    def _settle(self) -> None:
        factor = self._seconds[0] / max(self._seconds[1], 1e-9)
        if factor < WORTH and self._wish == "auto":
            self.turn_off(f"{self._name} that stays loaded is only {factor:.1f} times as fast")
        else:
            self._state = "on"
            self._tell(f"checks are warm: {self._name} stays loaded, which makes them {factor:.1f} times as fast")


def differing(fresh: tuple[ProcessEnd, Verdict], warm: tuple[ProcessEnd, Verdict]) -> str:
    """Return in words what differs between two runs of a check, apart from times and addresses; empty if nothing."""
    (one, verdict), (other, other_verdict) = fresh, warm
    if verdict.outcome is not other_verdict.outcome:
        return "a check has another outcome"
    if one.status != other.status:
        return "a check has another exit status"
    for before, after in ((one.stdout, other.stdout), (one.stderr, other.stderr)):
        if before != after and _VARYING.sub(b"#", before) != _VARYING.sub(b"#", after):
            return "a check prints something else"
    return ""


def why_not_warm(words: Sequence[str], view: View | None) -> str:
    """Return why a program cannot be kept loaded; empty when it may be possible."""
    if not LINUX:
        return "that is possible on Linux only"
    if view is not None and view.kind == COPY:
        return "checks run in a copy of the directory"
    rest = list(words)
    if Path(rest[0]).name == "env":
        rest = rest[1:]
        while rest and "=" in rest[0]:
            rest = rest[1:]
    found = shutil.which(rest[0]) if rest else None
    if found is None:
        return "it is not a Python program"
    if _PYTHON.match(Path(found).name):
        options = [word for word in rest[1:] if word.startswith("-")]
        if any(map(_ALONE.fullmatch, options[: len(options) if len(options) == len(rest) - 1 else 1])):
            return "it ignores PYTHONPATH or the site module"
        return "" if len(rest) > 1 else "it is an interpreter without a program"
    return "" if b"python" in _first_lines(found) else "it is not a Python program"


def _first_lines(path: str) -> bytes:
    """Return the lines of a script in which its interpreter is named; nothing for any other file."""
    try:
        with open(path, "rb") as file:  # noqa: PTH123
            head = file.read(2 * os.pathconf("/", "PC_NAME_MAX"))
    except OSError:
        return b""
    # An interpreter with a long path is named in the second line, after a first one for /bin/sh.
    return b"\n".join(head.split(b"\n")[:2]) if head.startswith(b"#!") else b""
