"""What a failing command does on the input and on probes, and how it gets its input."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Mapping
from dataclasses import replace

from minrepro.core.invocations import CANDIDATE, ProcessEnd
from minrepro.errors import CheckError, NotFailing
from minrepro.oracles.deriving import Observed, probes_of, seen_in
from minrepro.oracles.failure_shapes import telling_of
from minrepro.oracles.scenario import Scenario
from minrepro.runs.command_bench import PATIENCE, Bench, differ, is_standard_input
from minrepro.targets.target import InputTarget

_SLOW = 10.0
"""A command that takes longer is run on the empty probes only."""
NO_TERMINAL = re.compile(rb"(?i)not a (?:tty|terminal)|inappropriate ioctl|TERM environment variable not set")
_PART_FOR_PROBES = 0.3
_MOST_RUNS = 7
"""So often a command is run before the reduction begins, probes included; the input once more when it does."""


def observed_of(
    bench: Bench, scenario: Scenario, passing: Mapping[str, bytes], *, stated: bool = False
) -> tuple[Scenario, Observed]:
    """Return how the command gets its input, and what it did on the input and on probes."""
    asked, given = bench.asked, bench.given
    scenario, first, empty = _found_input(bench, scenario)
    if stated:
        return scenario, Observed([first], {})
    if first.status == 0 and not _crashed(first):
        raise _no_failure(scenario, given, first)
    probes = {name: content for name, content in probes_of(given.data).items() if given.name or name == "empty"}
    if first.seconds > _SLOW:
        probes = {name: content for name, content in probes.items() if name in ("empty", "blank")}
    if empty is not None:
        probes.pop("empty", None)
    most = min(_MOST_RUNS - 1 - len(bench.used), _affordable(bench, first))
    wanted = dict(list({**passing, **probes}.items())[:most])
    timeout = asked.execution.timeout or min(PATIENCE, 10 + 5 * first.seconds)
    again, *others = bench.run(
        scenario, [given.data, *wanted.values()], timeout, asked.execution.workers or os.cpu_count() or 1
    )
    seen = {name: ending for name, ending in zip(wanted, others, strict=True) if ending.limit is None}
    if empty is not None:
        seen["empty"] = empty
    observed = Observed([first, again], seen)
    _require_same_end(scenario, given, observed)
    return scenario, observed


def _affordable(bench: Bench, first: ProcessEnd) -> int:
    """Return how many probes there is time for, where the time is limited: most of it is for the reduction."""
    seconds = bench.asked.seconds
    if not seconds:
        return _MOST_RUNS
    return max(1, int(seconds * _PART_FOR_PROBES / max(first.seconds, 0.001)) - 1)


def _found_input(bench: Bench, scenario: Scenario) -> tuple[Scenario, ProcessEnd, ProcessEnd | None]:
    """Return how the command gets its input, how it ended on it, and if it was needed for that, on an empty one.

    A command that does not name the input finds it by a fixed name, or reads it on standard input.
    """
    unnamed = scenario.stdin and not scenario.first.names_candidate
    if not unnamed or bench.view is None or is_standard_input(bench.given):
        ending = bench.on_input(scenario)[0]
        if not unnamed:
            return scenario, ending, None
        return scenario, ending, _require_reading(bench, scenario, ending)
    by_name = replace(scenario, stdin=False)
    ending = bench.on_input(by_name)[0]
    if ending.status or _crashed(ending):
        empty = bench.run(by_name, [b""], bench.asked.execution.timeout or PATIENCE)[0]
        if differ(ending, empty):
            return by_name, ending, empty
    on_stdin = bench.on_input(scenario)[0]
    if ending.status == 0 and on_stdin.status == 0 and not _crashed(on_stdin):
        return scenario, on_stdin, None
    return scenario, on_stdin, _require_reading(bench, scenario, on_stdin)


def _require_reading(bench: Bench, scenario: Scenario, ending: ProcessEnd) -> ProcessEnd:
    """Refuse a command that does not look at the input; return how it ended on an empty one."""
    empty = bench.run(scenario, [b""], bench.asked.execution.timeout or PATIENCE)[0]
    if (ending.status or _crashed(ending)) and not differ(ending, empty):
        raise CheckError(
            f"{scenario.text} fails the same way without {bench.given.label} ({seen_in(ending)}), so it does not "
            f"seem to read it\nhint: write {CANDIDATE} for the path of the input"
        )
    return empty


def _crashed(ending: ProcessEnd) -> bool:
    """Tell whether a command printed that it broke down, whatever its exit status."""
    told = telling_of((ending.stderr + b"\n" + ending.stdout).decode("utf-8", "replace"))
    return told is not None and told.crash


def _require_same_end(scenario: Scenario, given: InputTarget, observed: Observed) -> None:
    statuses = {ending.status for ending in observed.runs}
    if 0 in statuses and len(statuses) > 1:
        how = "; ".join(dict.fromkeys(map(seen_in, observed.runs)))
        raise NotFailing(
            f"{scenario.text} does not fail every time on {given.label}: {how}\n"
            "hint: state the failure with --expect-stderr etc., or make it deterministic (fix threads and seeds)"
        )


def _no_failure(scenario: Scenario, given: InputTarget, ending: ProcessEnd) -> Exception:
    if NO_TERMINAL.search(ending.stderr):
        return CheckError(
            f"{scenario.text} seems to need a terminal: {seen_in(ending)}\n"
            f"hint: script -qec {shlex.quote(scenario.text)} /dev/null"
        )
    return NotFailing(
        f"{scenario.text} does not fail on {given.label}: {seen_in(ending)}\n"
        "hint: if the failure is in its output, use --expect-stdout REGEX, --expect-stderr REGEX or --compare"
    )
