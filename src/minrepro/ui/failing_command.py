"""`… -- COMMAND`: the failing command itself is the oracle; it is watched on the input to learn what the failure is."""

from __future__ import annotations

import argparse
import re
import shlex
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from signal import Signals
from typing import Any

from minrepro.errors import CheckError, NotFailing, UsageError
from minrepro.executors.processes import Processes
from minrepro.invocations import CANDIDATE, Ending, Invocation
from minrepro.oracles.command import reason_of, trouble_of
from minrepro.oracles.failure import Failure, FailureOracle, crash_of, derived
from minrepro.oracles.saving import check_script
from minrepro.oracles.scenario import Command, Scenario, note_of
from minrepro.oracles.signature import signature_of
from minrepro.search import Outcome, Verdict
from minrepro.ui.folders import GivenFiles
from minrepro.ui.given import Given
from minrepro.ui.output import ResultFile

_RUNS = 3
_SLOW = 20.0
"""A command that takes longer is watched twice only."""
_PATIENCE = 120.0
"""Seconds after which a command on its input counts as running forever."""
_NO_TERMINAL = re.compile(rb"(?i)not a (?:tty|terminal)|inappropriate ioctl|TERM environment variable not set")


@dataclass
class _Watch:
    """Runs a scenario as it is, and keeps how it ended."""

    words: tuple[str, ...]
    files: Callable[[bytes], Mapping[str, Any]]
    environment: dict[str, str]
    stdin: bool
    endings: list[Ending] = field(default_factory=list)

    def invocation(self, case: Any) -> Invocation:
        return Invocation(self.words, self.files(case), case if self.stdin else b"", self.environment)

    def judge(self, ending: Ending) -> Verdict:
        self.endings.append(ending)
        return Verdict(Outcome.UNRESOLVED, seconds=ending.seconds)


def failure_oracle(args: argparse.Namespace, given: Given | GivenFiles) -> FailureOracle:
    """Return the oracle for the failing command, after having seen it fail on the input."""
    scenario = _scenario(args, given)
    plain = replace(scenario, whiles=())
    endings = _watched(plain, given, args.timeout, _RUNS)
    if args.hangs is not None:
        failure = Failure(hangs=True, shown=f"still running after {args.hangs:g} s")
    elif scenario.differs:
        failure = _differing(scenario, endings[0])
    else:
        failure = _stated(args) or _derived(scenario, endings, given)
    failure = replace(failure, stdout=tuple(args.stdout or ()), stderr=tuple(args.stderr or ()))
    for ending in endings:
        if different := failure.difference(ending):
            raise NotFailing(
                f"{scenario.text} does not show the failure on {given.label} ({different}), so there is nothing to "
                f"reduce.\nWhat should show: {failure.shown}. What was seen: {_seen(ending)}."
            )
    for number, command in enumerate(scenario.whiles):
        alone = Scenario(command, stdin=scenario.stdin)
        ending = _watched(alone, given, args.timeout, 1)[0]
        if ending.status != 0:
            raise CheckError(
                f"--while {shlex.quote(args.whiles[number])} does not succeed on {given.label} itself "
                f"({reason_of(ending.status)}).\nWhat must still hold while reducing must hold at the begin."
            )
    if args.save_check:
        _save(args.save_check, check_script(scenario, failure, given.name))
    return FailureOracle(scenario, failure, given.place, given.files)


def _scenario(args: argparse.Namespace, given: Given | GivenFiles) -> Scenario:
    for option, texts in (("--stdout", args.stdout), ("--stderr", args.stderr)):
        for text in texts or ():
            try:
                re.compile(text)
            except re.error as error:
                raise UsageError(f"{option} {text!r} is not a regular expression: {error}.") from None
    whiles = tuple(Command.of_text(text, given.inputs) for text in args.whiles or ())
    if args.differs:
        pair = tuple(Command.of_text(text, given.inputs) for text in args.differs)
        return Scenario(None, whiles, differs=pair, stdin=bool(given.name))
    main = Command.of_words(args.failing, given.inputs)
    return Scenario(main, whiles, args.hangs, stdin=bool(given.name))


def _watched(scenario: Scenario, given: Given | GivenFiles, timeout: float | None, times: int) -> list[Ending]:
    """Run a scenario on the input, so many times, and return how it ended."""
    case = given.place
    watch = _Watch(
        scenario.words(case), given.files, {"MINREPRO_CASE": case}, scenario.reads_stdin and scenario.is_plain
    )
    with Processes(watch, timeout=timeout or _PATIENCE) as executor:
        while len(watch.endings) < times:
            job = executor.start(given.data)
            while not executor.wait([job], 1.0):
                pass
            ending = watch.endings[-1]
            if ending.trouble:
                raise CheckError(trouble_of(scenario.first.text.split()[0], ending.trouble))
            if ending.limit is not None:
                raise CheckError(
                    f"{scenario.text} is still running on {given.label} after {ending.limit:g} s.\n"
                    "If that is the failure say --hangs with a number of seconds; otherwise allow more with --timeout."
                )
            if ending.seconds > _SLOW:
                times = min(times, 2)
    return watch.endings


def _stated(args: argparse.Namespace) -> Failure | None:
    """Return the failure that the options state, or None when they leave it to us."""
    if args.exit is None and args.signal is None and not args.stdout and not args.stderr:
        return None
    signal = "" if args.signal is None else _signal_name(args.signal)
    if signal and args.exit is not None:
        raise UsageError("a command that dies of a signal has no exit status: give --exit or --signal, not both.")
    parts = [signal, "" if args.exit is None else f"exit status {args.exit}"]
    parts += [f"standard output matches {text!r}" for text in args.stdout or ()]
    parts += [f"standard error matches {text!r}" for text in args.stderr or ()]
    return Failure(signal, args.exit, shown=", ".join(part for part in parts if part))


def _signal_name(text: str) -> str:
    name = text.upper().removeprefix("SIG")
    if name.isdecimal() and int(name) in {signal.value for signal in Signals}:
        return Signals(int(name)).name
    if f"SIG{name}" not in Signals.__members__:
        raise UsageError(f"there is no signal {text!r}; SEGV and ABRT are such names.")
    return f"SIG{name}"


def _differing(scenario: Scenario, ending: Ending) -> Failure:
    match note_of(ending):
        case ["differ", one, other]:
            return Failure(statuses=(int(one), int(other)), shown=f"the outputs differ (exit status {one} and {other})")
    raise NotFailing(f"{scenario.text} print the same on the input, so there is no difference to reduce.")


def _derived(scenario: Scenario, endings: Sequence[Ending], given: Given | GivenFiles) -> Failure:
    failure = derived(endings, given.known)
    if failure is not None:
        if scenario.reads_stdin and not scenario.differs:
            _require_reading(scenario, failure, given)
        return failure
    if any(_NO_TERMINAL.search(ending.stderr) for ending in endings):
        raise CheckError(
            f"{scenario.text} seems to need a terminal: {_seen(endings[0])}.\n"
            f"Give it one:  script -qec {shlex.quote(scenario.text)} /dev/null"
        )
    seen = Counter(map(_seen, endings))
    if len(seen) > 1:
        how = "; ".join(f"{count} of {len(endings)} times {what}" for what, count in seen.most_common())
        raise NotFailing(
            f"{scenario.text} does not fail the same way each time on {given.label}: {how}.\n"
            "Say what counts (--exit, --signal, --stderr, --stdout), or take away what varies (threads, hash seeds)."
        )
    raise NotFailing(
        f"{scenario.text} does not fail on {given.label}: {_seen(endings[0])}.\n"
        "If the failure shows in what it prints say how: --stdout REGEX, --stderr REGEX, or --differs for two commands."
    )


def _require_reading(scenario: Scenario, failure: Failure, given: Given | GivenFiles) -> None:
    """Refuse a command that neither names the candidate nor reads it."""
    empty = replace(given, data=b"")
    ending = _watched(scenario, empty, None, 1)[0]
    if not failure.difference(ending):
        raise CheckError(
            f"{scenario.text} fails the same way on empty standard input, so it does not seem to read {given.label} "
            f"there.\nWrite {CANDIDATE} where the command has the name of its input."
        )


def _seen(ending: Ending) -> str:
    how = crash_of(ending.status) or f"exit status {ending.status}"
    told = signature_of(ending)
    return f"{how}, “{told}”" if told and told != how else how


def _save(path: Path, script: str) -> None:
    ResultFile(path, 0o755).write(script.encode())
