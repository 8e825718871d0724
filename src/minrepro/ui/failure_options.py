"""The options that tell the failure of a command which is given instead of a check."""

from __future__ import annotations

import argparse
from pathlib import Path

from minrepro.errors import UsageError
from minrepro.ui.options import seconds


def add_failure_options(command: argparse.ArgumentParser) -> None:
    """Add what tells the failure of a command that is given instead of a check."""
    group = command.add_argument_group(
        "instead of a check: the failing command, behind --",
        "The command is run on the input to see what the failure is: the signal, the message, the exit status. "
        "@@ stands for the candidate; without it, the candidate is on standard input. "
        "Of the first five, only what is given counts.",
    )
    group.add_argument("--exit", type=int, metavar="N", help="it ends with this exit status")
    group.add_argument("--signal", metavar="NAME", help="it dies of this signal, such as SEGV")
    group.add_argument("--stderr", action="append", metavar="REGEX", help="its standard error matches")
    group.add_argument("--stdout", action="append", metavar="REGEX", help="its standard output matches")
    group.add_argument("--hangs", type=seconds, metavar="S", help="it is still running after S seconds")
    group.add_argument(
        "--while", dest="whiles", action="append", metavar="COMMAND", help="another command must still succeed"
    )
    group.add_argument(
        "--differs", nargs=2, metavar=("COMMAND", "COMMAND"), help="the outputs of two commands differ (without --)"
    )
    group.add_argument("--save-check", type=Path, metavar="FILE", help="write the same as a check script")


def has_failing_command(args: argparse.Namespace) -> bool:
    """Tell whether there is a failing command instead of a check, or say what contradicts that."""
    if args.failing or args.differs:
        if args.failing and args.differs:
            raise UsageError("--differs names the two commands to run, so nothing may stand behind --.")
        return True
    for option in ("exit", "signal", "stderr", "stdout", "hangs", "while", "save-check"):
        name = {"while": "whiles", "save-check": "save_check"}.get(option, option)
        if getattr(args, name) is not None:
            raise UsageError(
                f"--{option} is about a failing command.\nGive it behind --:  minrepro reduce INPUT -- COMMAND @@"
            )
    return False
