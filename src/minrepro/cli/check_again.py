"""The check, run once more for a person to see: on an input that it refuses, and on the result."""

from __future__ import annotations

import argparse
import sys

from minrepro.cli.settings_of import failing_command_of
from minrepro.core.invocations import ProcessOracle
from minrepro.oracles.command import CommandOracle
from minrepro.oracles.failure import FailureOracle
from minrepro.runs.check_once import CheckOnce
from minrepro.settings import RunSettings
from minrepro.targets.target import InputTarget

_PATIENCE = 60.0
"""Seconds after which a check that is run for its output is ended, unless it has a shorter limit."""
_MOST_LINES = 5


def printed_by(settings: RunSettings, oracle: ProcessOracle, case: bytes) -> str:
    """Return the last lines that a check prints for a case, for a person who wonders why it says no."""
    if not isinstance(oracle, CommandOracle) or settings.execution.cluster.address:
        return ""
    execution, folder = settings.execution, oracle.folder
    limit = min(execution.timeout or _PATIENCE, _PATIENCE)
    with CheckOnce(limit, place=folder.place, view=folder.view, containment=execution.containment) as checks:
        ending = checks.run(oracle.invocation(case))
    lines = (ending.stdout + ending.stderr).decode("utf-8", "replace").strip().splitlines()
    return "\nIt prints:\n" + "\n".join(f"  {line}" for line in lines[-_MOST_LINES:]) if lines else ""


def confirmed(args: argparse.Namespace, given: InputTarget, oracle: ProcessOracle, case: bytes) -> int:
    """Run the failing command once more on the result, show both messages, and return the exit status."""
    if not isinstance(oracle, FailureOracle) or oracle.original is None or args.cluster:
        return 0
    from minrepro.runs.observe_command import message_in, seen_again

    ending = seen_again(failing_command_of(args), given, oracle, case)
    before, after = message_in(oracle.failure, oracle.original), message_in(oracle.failure, ending)
    if different := oracle.failure.difference(ending):
        print(
            f"minrepro: error: the result does not reproduce the failure when it is checked again ({different})\n"
            f"  original: {before}\n  result:   {after}",
            file=sys.stderr,
        )
        return 1
    if not args.quiet and before:
        same = " (the same message)" if before == after else ""
        lines = [f"minrepro: original failure: {before}"] * (before != after) + [
            f"minrepro: failure of the result: {after}{same}"
        ]
        print("\n".join(lines), file=sys.stderr)
    return 0
