"""What a journal tells: the question, the verdicts in the order in which they came, and the contents accepted."""

from __future__ import annotations

import base64
import zlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from minrepro.core.events import End
from minrepro.core.keys import key_of
from minrepro.core.plurals import counted
from minrepro.core.prefixes import common_prefix, common_suffix
from minrepro.core.verdicts import Outcome, Verdict
from minrepro.errors import JournalError
from minrepro.runs.history.record_file import decoded, is_of_number, read_records

VERSION = 2
_READABLE = (1, VERSION)
"""Version 1 knew files only; it can be looked at, but not resumed."""
_HEADER = "minrepro journal"


@dataclass(frozen=True)
class RunQuestion:
    """What a run was asked to do, as words and as all that its verdicts and its result depend on."""

    words: list[str]
    folder: str
    program: str
    inputs: dict[str, str]
    """The input files, and what stands for their content."""
    check: dict[str, str]
    """The words of the check, and what stands for the content of its files."""
    options: dict[str, str]
    kept: str = ""
    """Where the original of an input is that the result overwrites."""
    unit: str = "bytes"
    """What sizes are counted in."""

    def differences(self, now: RunQuestion) -> list[str]:
        """Return what is asked differently now, each as a phrase."""
        found = []
        for kind, before, after in (
            ("the input", self.inputs, now.inputs),
            ("the check", self.check, now.check),
            ("the option", self.options, now.options),
        ):
            for name in sorted(before.keys() | after.keys()):
                if before.get(name) != after.get(name):
                    values = f" ({before.get(name, 'not given')}, now {after.get(name, 'not given')})"
                    found.append(f"{kind} {name}{values if kind == 'the option' else ''}")
        return found


@dataclass(frozen=True)
class RunCounts:
    """What a run did, in the same words everywhere."""

    checks: int = 0
    """Candidates whose outcome was found by running the check, however often that took."""
    cache_hits: Mapping[str, int] = field(default_factory=dict)
    """Candidates whose outcome was known, by where it was known from."""
    check_runs: int = 0
    """Runs of the check that ended, those of an interrupted session before included."""
    cancelled_runs: int = 0
    """Runs that were started ahead and cancelled when another outcome made them needless."""
    iterations: int = 0
    """How often ddmin went through its parts; 0 for other algorithms."""


@dataclass(frozen=True, slots=True)
class RecordedVerdict:
    """A verdict as it was received: of the test that was started as the nth, for a case with this key."""

    serial: int
    key: str
    verdict: Verdict

    def record(self, more: bool) -> list[Any]:
        """Return what stands for the answer in a journal; more follow when it was not received alone."""
        verdict = self.verdict
        rest = [verdict.limit, verdict.reason, verdict.signature, int(more)]
        told: list[Any] = []
        if verdict.stopped_at is not None or verdict.fresh:
            told = [verdict.stopped_at, verdict.fresh, *([list(verdict.skipped)] if verdict.skipped else [])]
        return [self.serial, self.key, verdict.outcome.value, verdict.seconds, *rest, *told]


@dataclass(frozen=True, slots=True)
class AcceptedStep:
    """An accepted content, as the bytes that replace a stretch of the one accepted before it."""

    label: str
    size: int
    outcome: Outcome
    smallest: bool
    start: int
    end: int
    middle: bytes
    tests: int = 0
    """How many tests had been run by then, and how many seconds they had taken; known to who reads a journal."""
    seconds: float = 0.0

    @classmethod
    def between(
        cls, before: bytes, after: bytes, label: str, outcome: Outcome, smallest: bool, size: int | None = None
    ) -> AcceptedStep:
        """Return the step from one content to another; the size is in the units of the input, bytes if not given."""
        start = common_prefix(before, after)
        tail = common_suffix(before, after, min(len(before), len(after)) - start)
        middle = after[start : len(after) - tail]
        return cls(label, len(after) if size is None else size, outcome, smallest, start, len(before) - tail, middle)

    def applied(self, content: bytes) -> bytes:
        """Return the accepted content, given the one before it."""
        return content[: self.start] + self.middle + content[self.end :]

    def record(self) -> list[Any]:
        """Return what stands for the step in a journal."""
        middle = base64.b64encode(zlib.compress(self.middle, 1)).decode() if self.middle else ""
        kind = [self.label, self.size, self.outcome.value, int(self.smallest)]
        spent = [self.tests, round(self.seconds, 3)] if self.tests else []
        return ["step", *kind, self.start, self.end, middle, *spent]


@dataclass
class RecordedRun:
    """All that a journal tells."""

    path: Path
    asked: RunQuestion
    version: int = VERSION
    sessions: list[tuple[float, int]] = field(default_factory=list)
    """When the run was begun and gone on with, and how many tests ran at a time."""
    groups: list[list[RecordedVerdict]] = field(default_factory=list)
    """The verdicts, together those that were received together."""
    steps: list[AcceptedStep] = field(default_factory=list)
    ended: str = ""
    """Why the run ended, or nothing while it goes on or was killed."""
    end: End | None = None
    tests: int = 0
    seconds_in_tests: float = 0.0
    notes: list[str] = field(default_factory=list)
    counts: RunCounts | None = None
    """What the run did in all, told when it ended."""

    @property
    def checks(self) -> str:
        """How many checks there were, as far as is known, as words."""
        return counted(self.tests, "check runs") if self.counts is None else counted(self.counts.checks, "checks")

    @property
    def finished(self) -> bool:
        """Whether there is nothing left to do."""
        return self.end is End.FINISHED

    def best(self, original: bytes, outcome: Outcome = Outcome.FAIL) -> bytes:
        """Return the content with an outcome that the run would give back, given the one that it began with."""
        best = content = original
        for step in self.steps:
            if step.outcome is outcome:
                content = step.applied(content)
                best = content if step.smallest else best
        return best

    @property
    def sizes(self) -> tuple[int, int] | None:
        """The size at the beginning and now, if anything was accepted."""
        failing = [step.size for step in self.steps if step.outcome is Outcome.FAIL and step.smallest]
        return (failing[0], failing[-1]) if failing else None


def key_text(encoded: bytes) -> str:
    """Return what stands in a journal for a case that was encoded."""
    key = key_of(encoded)
    assert isinstance(key, bytes)
    return base64.b64encode(key).decode()


def beginning(asked: RunQuestion) -> list[Any]:
    """Return the records with which a journal begins."""
    return [[_HEADER, VERSION, asked.program], ["asked", asdict(asked)]]


@dataclass(frozen=True)
class JournalSummary:
    """What can be told of a journal without reading all of it."""

    asked: RunQuestion
    tests: int
    finished: bool


def glimpse(path: Path) -> JournalSummary:
    """Return what the beginning and the end of a journal tell."""
    try:
        with path.open("rb") as file:
            lines = file.readlines()
    except OSError as error:
        raise JournalError(f"cannot read {path}: {error.strerror}") from None
    asked = _asked(path, decoded(lines[:2])[0])
    last = decoded(lines[-1:])[0]
    return JournalSummary(asked, sum(map(is_of_number, lines)), bool(last) and _is_finished(last[0]))


def _asked(path: Path, records: list[Any]) -> RunQuestion:
    """Return what the first records of a journal say was asked, or say why it cannot be read."""
    if len(records) < 2 or not isinstance(records[0], list) or records[0][:1] != [_HEADER]:
        raise JournalError(f"{path} is not a journal of minrepro, or was cut off before anything was recorded")
    if records[0][1] not in _READABLE:
        raise JournalError(
            f"{path} is a journal of version {records[0][1]}, written by minrepro {records[0][2]}; "
            f"this minrepro reads version {VERSION}\nhint: use the other minrepro, or start over without --resume"
        )
    try:
        return RunQuestion(**records[1][1])
    except (TypeError, KeyError, IndexError) as error:
        raise JournalError(f"{path} has a valid checksum but invalid content ({error})\nhint: delete it") from error


def read_story(path: Path) -> tuple[RecordedRun, int]:
    """Return what a journal tells, and how many of its bytes are sound."""
    records, size = read_records(path)
    story = RecordedRun(path, _asked(path, records[:2]), records[0][1])
    try:
        group: list[RecordedVerdict] = []
        for record in records[2:]:
            if isinstance(record[0], int):
                serial, key, outcome, seconds, limit, reason, signature, more, *told = record
                verdict = Verdict(Outcome(outcome), reason, seconds, limit, signature, *told[:2], *map(tuple, told[2:]))
                group.append(RecordedVerdict(serial, key, verdict))
                story.tests += 1
                story.seconds_in_tests += seconds
                if not more:
                    story.groups.append(group)
                    group = []
            else:
                _take(story, *record)
        if group:  # the process was killed between the verdicts that it received together
            story.groups.append(group)
    except (TypeError, ValueError, KeyError, IndexError) as error:
        raise JournalError(f"{path} has a valid checksum but invalid content ({error})\nhint: delete it") from error
    return story, size


def end_record(why: str, end: End) -> list[Any]:
    """Return what stands for the end of a run in a journal."""
    return ["ended", why, end.value]


def _is_finished(record: Any) -> bool:
    """Tell whether the last record of a journal says that nothing is left to do; in older ones the words said so."""
    return isinstance(record, list) and record[:1] == ["ended"] and record[-1] == End.FINISHED.value


def _end_of(why: str, end: str | None = None) -> End:
    """Return how a run ended; journals that tell only words know few of them."""
    if end is not None:
        return End(end)
    known = {
        "finished": End.FINISHED,
        "interrupted": End.INTERRUPTED,
        "stopped by SIGTERM": End.TERMINATED,
        "stopped by SIGHUP": End.HUNG_UP,
    }
    if why.startswith("stopped by --max-"):
        return End.TESTS_SPENT if why.startswith("stopped by --max-tests") else End.SECONDS_SPENT
    return known.get(why, End.STOPPED)


def _take(story: RecordedRun, kind: str, *values: Any) -> None:
    if kind == "session":
        story.sessions.append((values[0], values[1]))
        story.ended, story.end, story.counts = "", None, None
    elif kind == "step":
        label, size, outcome, smallest, start, end, packed, *spent = values
        middle = zlib.decompress(base64.b64decode(packed)) if packed else b""
        # While a journal is written the verdicts before a step tell what it took; a shortened one has it in the step.
        tests, seconds = spent or (story.tests, story.seconds_in_tests)
        story.steps.append(
            AcceptedStep(label, size, Outcome(outcome), bool(smallest), start, end, middle, tests, seconds)
        )
    elif kind == "counts":
        story.counts = RunCounts(**values[0])
    elif kind == "note":
        story.notes.append(values[0])
    elif kind == "ended":
        story.ended, story.end = values[0], _end_of(*values)
    elif kind == "tests":
        story.tests, story.seconds_in_tests = values
