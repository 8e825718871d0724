"""`… -- COMMAND`: the failing command itself is the oracle; it is run on the input to learn what the failure is."""

from __future__ import annotations

import argparse
import re
import shlex
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from signal import Signals

from minrepro.errors import CheckError, NotFailing, UsageError
from minrepro.invocations import Ending
from minrepro.oracles.command import reason_of
from minrepro.oracles.deriving import Observed, Possible, failure_of, possible_failures, seen_in
from minrepro.oracles.diagnostics import Context, lines_of
from minrepro.oracles.failure import Failure, FailureOracle, Folder
from minrepro.oracles.saving import check_script
from minrepro.oracles.scenario import Scenario, note_of
from minrepro.ui.command_bench import PATIENCE, Bench, at_home, bare, bench_of, context_of, copied_by_check
from minrepro.ui.folder_views import placed
from minrepro.ui.folders import GivenFiles
from minrepro.ui.given import Given
from minrepro.ui.observing import NO_TERMINAL, observed_of
from minrepro.ui.output import ResultFile
from minrepro.view import COPY

_NOT_RUN = re.compile(
    r"(?i)command not found|: not found$|no such file or directory|usage:|unrecogni[sz]ed (?:option|argument)"
)
_COMMON_WORDS = frozenset(
    {"command", "not", "found", "no", "such", "file", "or", "directory", "usage", "error", "cannot", "open", "line"}
)


def failure_oracle(
    args: argparse.Namespace,
    given: Given | GivenFiles,
    hidden: Sequence[Path] = (),
    passing: Mapping[str, bytes] | None = None,
) -> FailureOracle:
    """Return the oracle for the failing command, after having seen it fail on the input.

    What is hidden is not seen by the command; what it prints for a passing content is not the failure.
    """
    _require_patterns(args)
    bench, scenario = bench_of(args, given, hidden)
    if args.hangs is not None:
        failure = Failure(hangs=True, shown=f"still running after {args.hangs:g} s")
        endings = bench.on_input(replace(scenario, whiles=()))
    elif scenario.differs:
        endings = bench.on_input(replace(scenario, whiles=()))
        failure = _differing(scenario, endings[0])
    else:
        if bench.view is None or bench.view.kind == COPY:
            _require_same_at_home(bench, replace(scenario, whiles=()))
        plain, observed = observed_of(
            bench, replace(scenario, whiles=()), passing or {}, stated=_stated(args) is not None
        )
        scenario, endings = replace(plain, whiles=scenario.whiles), list(observed.runs)
        failure = _stated(args) or _chosen(bench, scenario, observed)
    failure = replace(failure, stdout=tuple(args.stdout or ()), stderr=tuple(args.stderr or ()))
    for ending in endings:
        if different := failure.difference(ending):
            raise NotFailing(
                f"{scenario.text} does not reproduce the failure on {given.label} ({different})\n"
                f"expected {failure.shown}, but saw {seen_in(ending)}"
            )
    for number, command in enumerate(scenario.whiles):
        ending = bench.on_input(Scenario(command, stdin=scenario.stdin))[0]
        if ending.status != 0:
            raise CheckError(
                f"--require {shlex.quote(args.whiles[number])} fails on {given.label} itself "
                f"({reason_of(ending.status)})\nhint: a --require command must exit 0 on the original input"
            )
    if args.save_check:
        script = check_script(scenario, failure, given.name, copied_by_check(bench))
        ResultFile(args.save_check, 0o755).write(script.encode())
    where = Folder(bench.view, bench.place)
    return FailureOracle(scenario, failure, bench.where.place, bench.where.files, bench.stdin, where, endings[0])


def seen_again(args: argparse.Namespace, given: Given | GivenFiles, oracle: FailureOracle, case: bytes) -> Ending:
    """Return how the failing command ends on a content, as the user would run it."""
    view = oracle.folder.view
    where = bare(given) if view is None else placed(given, view.folder)
    bench = Bench(args, given, view, oracle.folder.place, where, oracle.stdin)
    plain = replace(oracle.scenario, whiles=())
    return bench.run(plain, [case], args.timeout or PATIENCE)[0]


def _require_same_at_home(bench: Bench, scenario: Scenario) -> None:
    """Refuse a command that fails otherwise in the user's own folder than where checks run."""
    here, there = at_home(bench, scenario), bench.on_input(scenario)[0]
    context = context_of(bench, Observed([here, there], {}))
    if context.normalised(seen_in(here)) != context.normalised(seen_in(there)):
        where = "in an empty directory" if bench.view is None else "in a copy of the directory"
        raise CheckError(
            f"{scenario.text} behaves differently {where}, where checks run: {seen_in(there)} instead of "
            f"{seen_in(here)}\nhint: write a check that does not depend on the directory"
        )


def message_in(failure: Failure, ending: Ending) -> str:
    """Return the line in which a run shows the failure, as it was printed."""
    lines = [line for line in lines_of(ending.stdout, ending.stderr) if line.kind or failure.required]
    for fragment in failure.required[:1]:
        for line in lines:
            if fragment.is_in(failure.context.normalised(line.text)):
                return line.text.strip()
    return seen_in(ending)


def _require_patterns(args: argparse.Namespace) -> None:
    for option, texts in (("--expect-stdout", args.stdout), ("--expect-stderr", args.stderr)):
        for text in texts or ():
            try:
                re.compile(text)
            except re.error as error:
                raise UsageError(f"{option} {text!r} is not a regular expression: {error}") from None


def choices(args: argparse.Namespace, given: Given | GivenFiles, hidden: Sequence[Path] = ()) -> str:
    """Return all that the failure could be, numbered."""
    bench, scenario = bench_of(args, given, hidden)
    _, observed = observed_of(bench, replace(scenario, whiles=()), {})
    possible = possible_failures(observed, context_of(bench, observed))
    if not possible:
        return f"no line is specific to the input; seen: {seen_in(observed.runs[0])}"
    lines = [f"{number:3}  {each.shown[:160]}   ({each.why})" for number, each in enumerate(possible, 1)]
    return "\n".join([*lines, "hint: choose one with --failure N, or describe it with --expect-stderr REGEX"])


def _chosen(bench: Bench, scenario: Scenario, observed: Observed) -> Failure:
    """Return the failure that is meant, or say why none can be derived."""
    args, given = bench.args, bench.given
    context = context_of(bench, observed)
    possible = possible_failures(observed, context)
    if args.failure_number is not None and not 0 < args.failure_number <= len(possible):
        raise UsageError(f"no failure {args.failure_number}: --choose lists {len(possible)}")
    number = (args.failure_number or 1) - 1
    chosen = possible[number] if possible else None
    _require_specific(scenario, given, observed, chosen, context)
    return failure_of(observed, chosen, context, allow_others=args.allow_other_errors)


def _require_specific(
    scenario: Scenario, given: Given | GivenFiles, observed: Observed, chosen: Possible | None, context: Context
) -> None:
    """Refuse what is not a failure of the input."""
    ending = observed.runs[0]
    failure = failure_of(observed, chosen, context)
    for name in ("empty", "blank"):
        empty = observed.probes.get(name)
        if empty is not None and not replace(failure, errors=None).difference(empty):
            raise CheckError(
                f"{scenario.text} fails the same way on an empty {given.label}: {seen_in(empty)}; on the input: "
                f"{seen_in(ending)}\nhint: describe what differs with --expect-stderr REGEX or --expect-stdout REGEX"
            )
    if chosen is None and not failure.signal:
        if NO_TERMINAL.search(ending.stderr):
            raise CheckError(
                f"{scenario.text} seems to need a terminal: {seen_in(ending)}\n"
                f"hint: script -qec {shlex.quote(scenario.text)} /dev/null"
            )
        if (ending.stdout + ending.stderr).strip():
            raise CheckError(
                f"{scenario.text} exits {ending.status}, but nothing it prints says why: {seen_in(ending)}\n"
                f"hint: --expect-exit {ending.status} accepts any such failure; --expect-stderr REGEX is stricter"
            )
        text = f"{scenario.text} prints nothing, so exit status {ending.status} is all that is checked"
        print(f"minrepro: warning: {text}", file=sys.stderr)
    told = chosen.shown if chosen else ""
    if ending.status in (126, 127) or _NOT_RUN.search(told):
        words = [word for word in re.findall(r"[\w./-]{2,}", told) if word.lower() not in _COMMON_WORDS]
        named = [word for word in words if word.strip("./-") and Path(word).name not in context.names]
        if chosen is None or not any(word.strip(".") in context.text for word in named if len(word) > 1):
            raise CheckError(
                f"{scenario.text} does not work here: {seen_in(ending)}\n"
                "hint: does it work for another input? If this is the failure you mean, use "
                f"--expect-exit {ending.status}"
            )


def _stated(args: argparse.Namespace) -> Failure | None:
    """Return the failure that the options state, or None when they leave it to us."""
    if args.exit is None and args.signal is None and not args.stdout and not args.stderr:
        return None
    signal = "" if args.signal is None else _signal_name(args.signal)
    if signal and args.exit is not None:
        raise UsageError("--expect-exit cannot be combined with --expect-signal: a killed command has no exit status")
    parts = [signal, "" if args.exit is None else f"exit status {args.exit}"]
    parts += [f"standard output matches {text!r}" for text in args.stdout or ()]
    parts += [f"standard error matches {text!r}" for text in args.stderr or ()]
    return Failure(signal, args.exit, shown=", ".join(part for part in parts if part))


def _signal_name(text: str) -> str:
    name = text.upper().removeprefix("SIG")
    if name.isdecimal() and int(name) in {signal.value for signal in Signals}:
        return Signals(int(name)).name
    if f"SIG{name}" not in Signals.__members__:
        raise UsageError(f"unknown signal {text!r}\nhint: names are SEGV, ABRT and so on")
    return f"SIG{name}"


def _differing(scenario: Scenario, ending: Ending) -> Failure:
    match note_of(ending):
        case ["differ", one, other]:
            return Failure(statuses=(int(one), int(other)), shown=f"the outputs differ (exit status {one} and {other})")
    raise NotFailing(f"{scenario.text} print the same output on the input")
