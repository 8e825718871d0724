"""`… -- COMMAND`: the failing command itself is the oracle; it is run on the input to learn what the failure is."""

from __future__ import annotations

import re
import shlex
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from signal import Signals

from minrepro.core.invocations import ProcessEnd
from minrepro.core.view import COPY
from minrepro.errors import CheckError, NotFailing, UsageError
from minrepro.oracles.check_script import check_script
from minrepro.oracles.command import CommandOracle, Folder, reason_of, words_of
from minrepro.oracles.deriving import Observed, Possible, failure_of, possible_failures, seen_in
from minrepro.oracles.diagnostics import Context
from minrepro.oracles.failure import FailureOracle, FailureSpec
from minrepro.oracles.kinds import lines_of
from minrepro.oracles.scenario import Scenario, note_of
from minrepro.runs.command_bench import PATIENCE, Bench, at_home, bare, bench_of, context_of, copied_by_check
from minrepro.runs.command_probes import NO_TERMINAL, observed_of
from minrepro.runs.folder_views import placed
from minrepro.settings import FailingCommand
from minrepro.targets.target import InputTarget

_NOT_RUN = re.compile(
    r"(?i)command not found|: not found$|no such file or directory|usage:|unrecogni[sz]ed (?:option|argument)"
)
_COMMON_WORDS = frozenset(
    {"command", "not", "found", "no", "such", "file", "or", "directory", "usage", "error", "cannot", "open", "line"}
)


def failure_oracle(
    asked: FailingCommand,
    given: InputTarget,
    hidden: Sequence[Path] = (),
    passing: Mapping[str, bytes] | None = None,
    save: Callable[[str], None] | None = None,
) -> FailureOracle:
    """Return the oracle for the failing command, after having seen it fail on the input.

    What is hidden is not seen by the command; what it prints for a passing content is not the failure. `save` takes the
    same as a check script.
    """
    _require_patterns(asked)
    bench, scenario = bench_of(asked, given, hidden)
    if asked.hangs is not None:
        failure = FailureSpec(hangs=True, shown=f"still running after {asked.hangs:g} s")
        endings = bench.on_input(replace(scenario, whiles=()))
    elif scenario.differs:
        endings = bench.on_input(replace(scenario, whiles=()))
        failure = _differing(scenario, endings[0])
    else:
        if bench.view is None or bench.view.kind == COPY:
            _require_same_at_home(bench, replace(scenario, whiles=()))
        plain, observed = observed_of(
            bench, replace(scenario, whiles=()), passing or {}, stated=_stated(asked) is not None
        )
        scenario, endings = replace(plain, whiles=scenario.whiles), list(observed.runs)
        failure = _stated(asked) or _chosen(bench, scenario, observed)
    failure = replace(failure, stdout=tuple(asked.stdout), stderr=tuple(asked.stderr))
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
                f"--require {shlex.quote(asked.requires[number])} fails on {given.label} itself "
                f"({reason_of(ending.status)})\nhint: a --require command must exit 0 on the original input"
            )
    if save is not None:
        save(check_script(scenario, failure, given.name, copied_by_check(bench)))
    where = Folder(bench.view, bench.place)
    return FailureOracle(scenario, failure, bench.where.place, bench.where.files, bench.stdin, where, endings[0])


def oracle_in_view(check: str, asked: FailingCommand, given: InputTarget, hidden: Sequence[Path]) -> CommandOracle:
    """Return a check that runs in a view of the user's folder, as a failing command does."""
    bench, _ = bench_of(asked, given, hidden)
    return CommandOracle(words_of(check), given.name, files=bench.where.files, folder=Folder(bench.view, bench.place))


def seen_again(asked: FailingCommand, given: InputTarget, oracle: FailureOracle, case: bytes) -> ProcessEnd:
    """Return how the failing command ends on a content, as the user would run it."""
    view = oracle.folder.view
    where = bare(given) if view is None else placed(given, view.folder)
    bench = Bench(asked, given, view, oracle.folder.place, where, oracle.stdin)
    plain = replace(oracle.scenario, whiles=())
    return bench.run(plain, [case], asked.execution.timeout or PATIENCE)[0]


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


def message_in(failure: FailureSpec, ending: ProcessEnd) -> str:
    """Return the line in which a run shows the failure, as it was printed."""
    lines = [line for line in lines_of(ending.stdout, ending.stderr) if line.kind or failure.required]
    for fragment in failure.required[:1]:
        for line in lines:
            if fragment.is_in(failure.context.normalised(line.text)):
                return line.text.strip()
    return seen_in(ending)


def _require_patterns(asked: FailingCommand) -> None:
    for option, texts in (("--expect-stdout", asked.stdout), ("--expect-stderr", asked.stderr)):
        for text in texts:
            try:
                re.compile(text)
            except re.error as error:
                raise UsageError(f"{option} {text!r} is not a regular expression: {error}") from None


def choices(asked: FailingCommand, given: InputTarget, hidden: Sequence[Path] = ()) -> str:
    """Return all that the failure could be, numbered."""
    bench, scenario = bench_of(asked, given, hidden)
    _, observed = observed_of(bench, replace(scenario, whiles=()), {})
    possible = possible_failures(observed, context_of(bench, observed))
    if not possible:
        return f"no line is specific to the input; seen: {seen_in(observed.runs[0])}"
    lines = [f"{number:3}  {each.shown[:160]}   ({each.why})" for number, each in enumerate(possible, 1)]
    return "\n".join([*lines, "hint: choose one with --failure N, or describe it with --expect-stderr REGEX"])


def _chosen(bench: Bench, scenario: Scenario, observed: Observed) -> FailureSpec:
    """Return the failure that is meant, or say why none can be derived."""
    asked, given = bench.asked, bench.given
    context = context_of(bench, observed)
    possible = possible_failures(observed, context)
    if asked.number is not None and not 0 < asked.number <= len(possible):
        raise UsageError(f"no failure {asked.number}: --choose lists {len(possible)}")
    number = (asked.number or 1) - 1
    chosen = possible[number] if possible else None
    _require_specific(scenario, given, observed, chosen, context)
    return failure_of(observed, chosen, context, allow_others=asked.allow_other_errors)


def _require_specific(
    scenario: Scenario, given: InputTarget, observed: Observed, chosen: Possible | None, context: Context
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


def _stated(asked: FailingCommand) -> FailureSpec | None:
    """Return the failure that the options state, or None when they leave it to us."""
    if asked.exit is None and asked.signal is None and not asked.stdout and not asked.stderr:
        return None
    signal = "" if asked.signal is None else _signal_name(asked.signal)
    if signal and asked.exit is not None:
        raise UsageError("--expect-exit cannot be combined with --expect-signal: a killed command has no exit status")
    parts = [signal, "" if asked.exit is None else f"exit status {asked.exit}"]
    parts += [f"standard output matches {text!r}" for text in asked.stdout]
    parts += [f"standard error matches {text!r}" for text in asked.stderr]
    return FailureSpec(signal, asked.exit, shown=", ".join(part for part in parts if part))


def _signal_name(text: str) -> str:
    name = text.upper().removeprefix("SIG")
    if name.isdecimal() and int(name) in {signal.value for signal in Signals}:
        return Signals(int(name)).name
    if f"SIG{name}" not in Signals.__members__:
        raise UsageError(f"unknown signal {text!r}\nhint: names are SEGV, ABRT and so on")
    return f"SIG{name}"


def _differing(scenario: Scenario, ending: ProcessEnd) -> FailureSpec:
    match note_of(ending):
        case ["differ", one, other]:
            return FailureSpec(
                statuses=(int(one), int(other)), shown=f"the outputs differ (exit status {one} and {other})"
            )
    raise NotFailing(f"{scenario.text} print the same output on the input")
