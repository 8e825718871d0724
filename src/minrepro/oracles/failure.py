"""A failing command as oracle: what it did on the input is the failure, and a candidate must do the same.

What makes it the same failure, as far as the input shows it: the signal that ended the command; the message (a
sanitizer's summary, an assertion, a panic, an internal error or an exception) with the innermost function of its stack;
and if there is no such message, the exit status. A compiler that broke down without complaining about the input must
not complain about a candidate either, since what follows from broken input is seldom the failure that was seen.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from signal import Signals
from typing import Any

from minrepro.errors import CheckError
from minrepro.invocations import Ending, Invocation
from minrepro.oracles.command import reason_of, trouble_of
from minrepro.oracles.patterns import Known, literal, pattern_of
from minrepro.oracles.scenario import Scenario, note_of
from minrepro.oracles.shapes import error_lines, telling_of
from minrepro.oracles.signature import signal_of, signature_of
from minrepro.search import Outcome, Verdict

_TIMED_OUT = 124
"""The exit status of `timeout` when time was up."""
_CRASHES = frozenset({"SIGSEGV", "SIGABRT", "SIGBUS", "SIGFPE", "SIGILL", "SIGTRAP", "SIGSYS", "SIGXCPU", "SIGXFSZ"})
_LAST_WORDS = re.compile(r"(?i)\b(?:errors?|fatal|fail(?:ed|ure)?|overflow|corrupt\w*)\b")
_OF_A_SHELL = re.compile(r"(?i)^(?:\S+: )*(?:segmentation fault|aborted|bus error|floating point exception|killed)\b")


@dataclass(frozen=True)
class Failure:
    """What must be seen for the failure to show."""

    signal: str = ""
    status: int | None = None
    """The exit status; None when any will do."""
    unsuccessful: bool = False
    """Whether the exit status may be any but 0."""
    messages: tuple[str, ...] = ()
    """Patterns, each of which must match a line that was printed."""
    stdout: tuple[str, ...] = ()
    stderr: tuple[str, ...] = ()
    clean: bool = False
    """Whether a compiler may not complain about the candidate."""
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
        return {text: re.compile(text.encode(), re.MULTILINE) for text in (*self.messages, *self.stdout, *self.stderr)}

    def difference(self, ending: Ending) -> str:
        """Return in what a run does not show the failure; empty when it does."""
        if self.statuses is not None:
            different = self._other_difference(ending)
        elif self.hangs:
            different = "" if ending.status == _TIMED_OUT or ending.limit is not None else reason_of(ending.status)
        else:
            different = self._other_end(ending)
        if different:
            return different
        both = (ending.stdout, ending.stderr)
        for texts, outputs in ((self.messages, both), (self.stdout, both[:1]), (self.stderr, both[1:])):
            for text in texts:
                if not any(self._patterns[text].search(output) for output in outputs):
                    return "another message"
        if self.clean and error_lines(_printed(ending)):
            return "an error in the input"
        return ""

    def _other_end(self, ending: Ending) -> str:
        how = reason_of(ending.status)
        if self.signal:
            return "" if crash_of(ending.status) == self.signal else how
        if self.status is not None:
            return "" if ending.status == self.status else how
        return how if self.unsuccessful and ending.status == 0 else ""

    def _other_difference(self, ending: Ending) -> str:
        match note_of(ending):
            case ["while", _]:
                return ""
            case ["differ", one, other]:
                return "" if (int(one), int(other)) == self.statuses else f"exit {one} and {other}"
        return "the same output"


class FailureOracle:
    """Runs a scenario for a candidate and tells whether the failure shows in it."""

    def __init__(
        self, scenario: Scenario, failure: Failure, place: str, files: Callable[[Any], Mapping[str, Any]]
    ) -> None:
        """The candidate is found at that place, as the files that a case is made of."""
        self.scenario = scenario
        self.failure = failure
        self._files = files
        self._words = scenario.words(place, failure.exact_status)
        # What counts as the failure is part of what the oracle is: its verdicts are kept apart by what a check sees.
        self._environment = {"MINREPRO_CASE": place, "MINREPRO_FAILURE": repr(failure)[:2000]}

    def invocation(self, case: Any) -> Invocation:
        """Return what to run for a case."""
        stdin = case if self.scenario.reads_stdin and self.scenario.is_plain else b""
        return Invocation(self._words, self._files(case), stdin, self._environment)

    def judge(self, ending: Ending) -> Verdict:
        """Return whether that is the failure, another one, or none."""
        if ending.trouble:
            raise CheckError(trouble_of(self._words[0], ending.trouble))
        if ending.limit is not None:
            return Verdict(Outcome.UNRESOLVED, f"time-out after {ending.limit:.1f} s", ending.seconds, ending.limit)
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


def derived(endings: Sequence[Ending], known: Known) -> Failure | None:
    """Return what several runs of a failing command on the input have in common, or None when they all went well."""
    seen = [_derived(ending, known) for ending in endings]
    failures = [failure for failure in seen if failure is not None]
    if len(failures) < len(seen):
        return None
    first = failures[0]
    common = tuple(text for text in first.messages if all(text in other.messages for other in failures))
    signals, statuses = {failure.signal for failure in failures}, {ending.status for ending in endings}
    if len(signals) > 1 or (len(statuses) > 1 and not common and not first.signal):
        return None
    status = first.status if len({failure.status for failure in failures}) == 1 else None
    if not common and not first.signal:
        status = endings[0].status
    return replace(
        first,
        status=status,
        messages=common,
        unsuccessful=not first.signal and status is None and 0 not in statuses,
        clean=all(failure.clean for failure in failures),
        shown=shown_as(first.signal, status, common, failures),
    )


def _derived(ending: Ending, known: Known) -> Failure | None:
    signal, text = crash_of(ending.status), _printed(ending)
    telling = telling_of(text, known.names)
    if telling is not None and signal and not telling.crash:
        telling = None
    if telling is None:
        if not ending.status:
            return None
        words = _last_words(ending) if signal else ""
        last = (pattern_of(words, known),) if words else ()
        return Failure(signal, None if signal else ending.status, messages=last, shown=words)
    if not ending.status and not telling.crash:
        return None
    kept, *more = telling.message
    head, sign, rest = kept.partition(":")
    # The class of an exception is part of the failure, even when the input speaks of it.
    named = re.fullmatch(r"[\w.$]+", head) and sign
    message = literal(head) + sign + pattern_of(rest, known) if named else pattern_of(kept, known)
    messages = [message, *(pattern_of(line, known) for line in more)]
    if telling.place:
        messages.append(literal(telling.place))
    clean = telling.kind == "internal error" and "compiler" in kept and not error_lines(text)
    shown = " … ".join(part.strip(" ,") for part in (*telling.message, telling.place) if part)
    return Failure(signal, messages=tuple(messages), clean=clean, shown=shown)


def shown_as(signal: str, status: int | None, messages: Iterable[str], failures: Sequence[Failure]) -> str:
    """Return in words what is taken as the failure."""
    parts = [signal or (f"exit status {status}" if status is not None else "")]
    if any(messages):
        parts.append(f"“{failures[0].shown[:200]}”")
    return ", ".join(part for part in parts if part)


def crash_of(status: int) -> str:
    """Return the signal that ended a program, also where a shell or a driver told of it by its own exit status."""
    signal = signal_of(status)
    return signal if status < 0 or signal in _CRASHES else ""


def shell_status(name: str) -> int:
    """Return the exit status by which a shell tells of a signal."""
    return 128 + Signals[name].value


def _last_words(ending: Ending) -> str:
    """Return the last error that a program printed before it died, without its place in the input."""
    lines = [line.strip() for line in ending.stderr.decode("utf-8", "replace").splitlines() if line.strip()]
    while lines and _OF_A_SHELL.match(lines[-1]):
        lines.pop()
    if not lines or not _LAST_WORDS.search(lines[-1]):
        return ""
    return re.sub(r"^\S*:\d+(?::\d+)?: ", "", lines[-1])


def _printed(ending: Ending) -> str:
    return ending.stderr.decode("utf-8", "replace") + "\n" + ending.stdout.decode("utf-8", "replace")
