"""The options that describe the failure of a command which is given instead of a check."""

from __future__ import annotations

import argparse
from pathlib import Path

from minrepro.cli.help_text import FAILURE
from minrepro.cli.options.check_options import seconds
from minrepro.errors import UsageError


def add_failure_options(command: argparse.ArgumentParser, *, has_input: bool = True) -> None:
    """Add what describes the failure of a command, which has an input or is itself what is reduced."""
    at = "If COMMAND does not name the input, write @@ for its path. " if has_input else ""
    group = command.add_argument_group(
        FAILURE,
        "minrepro runs COMMAND in the current directory to learn the failure: its error message, signal and exit "
        f"status. {at}If you use any --expect-* option, only the conditions you state are checked.",
    )
    group.add_argument("--choose", action="store_true", help="List what the failure could be, then exit")
    group.add_argument(
        "--failure", dest="failure_number", type=int, metavar="N", help="Use failure N of that list [default: 1]"
    )
    group.add_argument(
        "--allow-other-errors",
        action="store_true",
        help="Accept candidates that print errors which the input does not print",
    )
    group.add_argument("--expect-exit", dest="exit", type=int, metavar="N", help="Require this exit status")
    group.add_argument("--expect-signal", dest="signal", metavar="NAME", help="Require this signal, e.g. SEGV")
    group.add_argument(
        "--expect-stderr",
        dest="stderr",
        action="append",
        metavar="REGEX",
        help="Require standard error to match (repeatable)",
    )
    group.add_argument(
        "--expect-stdout",
        dest="stdout",
        action="append",
        metavar="REGEX",
        help="Require standard output to match (repeatable)",
    )
    group.add_argument(
        "--expect-hang", dest="hangs", type=seconds, metavar="SECONDS", help="Require COMMAND to run longer than this"
    )
    group.add_argument(
        "--require",
        dest="whiles",
        action="append",
        metavar="COMMAND",
        help="Also require that COMMAND exits 0 on the candidate (repeatable)",
    )
    command.set_defaults(differs=None)
    if has_input:
        group.add_argument(
            "--compare",
            dest="differs",
            nargs=2,
            metavar=("COMMAND", "COMMAND"),
            help="Require the outputs of two commands to differ (instead of -- COMMAND)",
        )
    group.add_argument("--save-check", type=Path, metavar="FILE", help="Save the derived check as a shell script")


_OPTIONS = {
    "choose": "--choose",
    "failure_number": "--failure",
    "allow_other_errors": "--allow-other-errors",
    "exit": "--expect-exit",
    "signal": "--expect-signal",
    "stderr": "--expect-stderr",
    "stdout": "--expect-stdout",
    "hangs": "--expect-hang",
    "whiles": "--require",
    "save_check": "--save-check",
}


def has_failing_command(args: argparse.Namespace) -> bool:
    """Tell whether there is a failing command instead of a check, or say what contradicts that."""
    if args.failing or args.differs:
        if args.failing and args.differs:
            raise UsageError("--compare names the two commands to run; it cannot be combined with -- COMMAND")
        return True
    for name, option in _OPTIONS.items():
        if getattr(args, name) not in (None, False):
            raise UsageError(
                f"{option} requires a failing command\nhint: minrepro {args.command} INPUT {option} … -- COMMAND"
            )
    return False
