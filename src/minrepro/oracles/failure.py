"""A failing command as oracle: what it did on the input is the failure, and a candidate must do the same.

The same means: the same signal or exit status, the same message about the same thing from the same place in the
program that fails, and no error that the input did not show.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from signal import Signals
from typing import Any

from minrepro.core.invocations import Invocation, ProcessEnd
from minrepro.core.verdicts import Outcome, Verdict
from minrepro.errors import CheckError
from minrepro.oracles.command import EMPTY_FOLDER, Folder, reason_of, trouble_of
from minrepro.oracles.diagnostics import Context, Fragment
from minrepro.oracles.kinds import lines_of
from minrepro.oracles.scenario import Scenario, note_of
from minrepro.oracles.signature import signal_of, signature_of

_TIMED_OUT = 124
"""The exit status of `timeout` when time was up."""
_NOTHING = ("true",)
"""What is run in place of a command that would be looking at white space."""
_CRASHES = frozenset({"SIGSEGV", "SIGABRT", "SIGBUS", "SIGFPE", "SIGILL", "SIGTRAP", "SIGSYS", "SIGXCPU", "SIGXFSZ"})


@dataclass(frozen=True)
class FailureSpec:
    """What must be seen for the failure to reproduce."""

    signal: str = ""
    status: int | None = None
    """The exit status; None when any will do."""
    unsuccessful: bool = False
    """Whether the exit status may be any but 0."""
    required: tuple[Fragment, ...] = ()
    """What must be printed."""
    errors: tuple[Fragment, ...] | None = None
    """All errors that the input shows: a candidate may show no other, and none more often; None allows any."""
    lines: tuple[int, ...] = ()
    """Lines of the input that are named where the failure is shown."""
    leads: bool = False
    """Whether it must be the first error that is printed, as it is for the input."""
    in_stdout: bool = False
    """Whether errors are written to standard output."""
    excluded: tuple[str, ...] = ()
    """What is printed for the empty input, with its positions: only at another place it is the failure."""
    context: Context = field(default_factory=Context)
    stdout: tuple[str, ...] = ()
    stderr: tuple[str, ...] = ()
    hangs: bool = False
    statuses: tuple[int, int] | None = None
    """How the two commands must end whose outputs must differ."""
    shown: str = ""
    """What was seen, for a person."""

    @property
    def exact_status(self) -> int | None:
        """The exit status that a shell sees, if there is only one that will do."""
        if self.hangs:
            return _TIMED_OUT
        if self.statuses:
            return self.statuses[0]
        return shell_status(self.signal) if self.signal else self.status

    @cached_property
    def _patterns(self) -> dict[str, re.Pattern[bytes]]:
        return {text: re.compile(text.encode(), re.MULTILINE) for text in (*self.stdout, *self.stderr)}

    def difference(self, ending: ProcessEnd) -> str:
        """Return in what a run does not reproduce the failure; empty when it does."""
        if self.statuses is not None:
            different = self._other_difference(ending)
        elif self.hangs:
            different = "" if ending.status == _TIMED_OUT or ending.limit is not None else reason_of(ending.status)
        else:
            different = self._other_end(ending)
        if different:
            return different
        for texts, output in ((self.stdout, ending.stdout), (self.stderr, ending.stderr)):
            for text in texts:
                if not self._patterns[text].search(output):
                    return "another message"
        if self.required or self.errors is not None:
            return self._other_message(ending)
        return ""

    def _other_end(self, ending: ProcessEnd) -> str:
        how = reason_of(ending.status)
        if self.signal:
            return "" if crash_of(ending.status) == self.signal else how
        if self.status is not None:
            return "" if ending.status == self.status else how
        return how if self.unsuccessful and ending.status == 0 else ""

    def _other_message(self, ending: ProcessEnd) -> str:
        missing, unused = list(self.required), list(self.errors or ())
        leading = self.leads
        for line in lines_of(ending.stdout, ending.stderr):
            error = self.errors is not None and self.context.is_error(line, self.in_stdout)
            if not line.kind and not missing:
                continue
            normal = self.context.normalised(line.text)
            if error and leading:
                leading = False
                if not any(fragment.is_in(normal) for fragment in self.required):
                    return f"another error first: {line.text.strip()[:200]}"
            if not self.excluded or self.context.placed(line.text) not in self.excluded:
                missing = [fragment for fragment in missing if not fragment.is_in(normal)]
            if error:
                known = next((fragment for fragment in unused if fragment.is_in(normal, whole=True)), None)
                if known is None:
                    return f"another error: {line.text.strip()[:200]}"
                unused.remove(known)
        return "another message" if missing else ""

    def _other_difference(self, ending: ProcessEnd) -> str:
        match note_of(ending):
            case ["while", _]:
                return ""
            case ["differ", one, other]:
                return "" if (int(one), int(other)) == self.statuses else f"exit {one} and {other}"
        return "the same output"


class FailureOracle:
    """Runs a scenario for a candidate and tells whether the failure reproduces in it."""

    def __init__(
        self,
        scenario: Scenario,
        failure: FailureSpec,
        place: str,
        files: Callable[[Any], Mapping[str, Any]],
        stdin: bytes = b"",
        folder: Folder = EMPTY_FOLDER,
        original: ProcessEnd | None = None,
    ) -> None:
        """The candidate is found at that place, as the files that a case is made of; `stdin` is what else is read."""
        self.scenario = scenario
        self.failure = failure
        self._files = files
        self.stdin = stdin
        self.folder = folder
        self.original = original
        """How the command ended on the input."""
        self._words = scenario.words(place, failure.exact_status)
        self._environment = {"MINREPRO_CANDIDATE": place}

    @property
    def stands_for(self) -> str:
        """What counts as the failure: outcomes of another failure must not be taken for this one's."""
        return repr(self.failure)

    def invocation(self, case: Any) -> Invocation:
        """Return what to run for a case."""
        if self.failure.excluded and isinstance(case, bytes) and not case.strip():
            return Invocation(_NOTHING, {}, b"", self._environment)  # nothing at another place is nothing, too
        files = self._files(case)
        reads = self.scenario.reads_stdin and self.scenario.is_plain
        stdin: Any = next(iter(files.values())) if reads and len(files) == 1 else self.stdin
        return Invocation(self._words, files, stdin, self._environment)

    def judge(self, ending: ProcessEnd) -> Verdict:
        """Return whether that is the failure, another one, or none."""
        if ending.trouble:
            raise CheckError(trouble_of(self._words[0], ending.trouble))
        if ending.limit is not None:
            return Verdict(Outcome.UNRESOLVED, f"timed out after {ending.limit:.1f} s", ending.seconds, ending.limit)
        different = self.failure.difference(ending)
        note = note_of(ending)
        if not different and note[:1] == ["while"]:
            reason = f"fails: {self.scenario.whiles[int(note[1])].text}"
            return Verdict(Outcome.UNRESOLVED, reason, ending.seconds)
        if not different:
            return Verdict(Outcome.FAIL, self.failure.shown, ending.seconds, signature=self.failure.shown)
        seen = signature_of(ending) if ending.status else ""
        outcome = Outcome.UNRESOLVED if ending.status and not self.failure.hangs else Outcome.PASS
        return Verdict(outcome, f"{different}: {seen}" if seen else different, ending.seconds)


def crash_of(status: int) -> str:
    """Return the signal that ended a program, also where a shell or a driver told of it by its own exit status."""
    signal = signal_of(status)
    return signal if status < 0 or signal in _CRASHES else ""


def shell_status(name: str) -> int:
    """Return the exit status by which a shell tells of a signal."""
    return 128 + Signals[name].value
