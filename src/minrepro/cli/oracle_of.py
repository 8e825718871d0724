"""What decides whether a candidate reproduces the failure, as the words of a command line say."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from minrepro.cli.settings_of import failing_command_of
from minrepro.core.invocations import ProcessOracle
from minrepro.core.verdicts import Outcome
from minrepro.errors import NotFailing
from minrepro.oracles.brought import brought_oracle
from minrepro.oracles.command import CommandOracle
from minrepro.oracles.failure import FailureOracle
from minrepro.targets.result_file import ResultFile
from minrepro.targets.target import InputTarget


def oracle_of(
    args: argparse.Namespace,
    given: InputTarget,
    hidden: Sequence[Path] = (),
    passing: Mapping[str, bytes] | None = None,
) -> ProcessOracle:
    """Return what decides whether a candidate reproduces the failure: the check, or the failing command."""
    if args.check is not None:
        if (own := brought_oracle(args.check, given.layout)) is not None:
            return own
        return CommandOracle.from_text(args.check, given.name, stdin=args.stdin, files=given.layout.files)
    from minrepro.runs.observe_command import failure_oracle  # all the shapes of failures take a while to load

    save = None
    if args.save_check is not None:
        script = ResultFile(args.save_check, 0o755)
        save = lambda text: script.write(text.encode())  # noqa: E731
    oracle = failure_oracle(failing_command_of(args), given, hidden, passing, save)
    args.check = oracle.scenario.text
    if not args.quiet:
        print(f"minrepro: target failure: {oracle.failure.shown}", file=sys.stderr)
    return oracle


def explained(error: NotFailing, check: str, path: Path, printed: str = "") -> NotFailing:
    """Return the same error in the words of somebody who wrote a check."""
    if error.verdict is None:
        return error
    if error.wanted is Outcome.PASS:
        return NotFailing(
            f"{check} reproduces the failure on {path}, or cannot decide: {error.verdict.reason}\n"
            f"hint: on GOOD a check must exit neither 0 nor 125; run: {check} {path}; echo $?"
        )
    return NotFailing(
        f"{check} does not reproduce the failure on {path}: {error.verdict.reason}{printed}\n"
        f"hint: a check must exit 0 if the failure reproduces; run: {check} {path}; echo $?"
    )


def focus_of(oracle: ProcessOracle) -> tuple[int, ...]:
    """Return the lines of the input in which the failure is said to be."""
    return oracle.failure.lines if isinstance(oracle, FailureOracle) else ()
