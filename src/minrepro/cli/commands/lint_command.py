"""`minrepro lint CHECK INPUT`: common mistakes in a check, before hours are spent with it."""

from __future__ import annotations

import argparse
import contextlib
import os
import signal
import subprocess
import sys
import tempfile
import time

from minrepro.cli.command_words import take_words
from minrepro.cli.options.check_options import seconds
from minrepro.cli.options.failure_options import add_failure_options, has_failing_command
from minrepro.cli.oracle_of import oracle_of
from minrepro.cli.settings_of import failing_command_of
from minrepro.core.invocations import Invocation, ProcessEnd
from minrepro.oracles.check_lint import CheckUnderLint, findings
from minrepro.oracles.command import CommandOracle
from minrepro.runs.check_once import CheckOnce
from minrepro.runs.observe_command import choices
from minrepro.targets.choosing import target_at
from minrepro.targets.target import InputTarget

_EPILOG = """\
The exit status is 1 if problems were found.

Examples:
  minrepro lint ./check.sh crash.c
  minrepro lint crash.json -- python3 load.py crash.json      how the failure of a command is recognized
"""


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add this command to the command line."""
    command = commands.add_parser(
        "lint",
        usage="%(prog)s [OPTIONS] INPUT... -- COMMAND [ARG...]\n       %(prog)s [OPTIONS] CHECK INPUT...",
        help="Find common mistakes in a check",
        description="Run CHECK a few times to see whether it accepts the empty input, depends on the working "
        "directory, leaves processes behind, or takes much longer on candidates than on INPUT.",
        epilog=_EPILOG,
    )
    command.add_argument(
        "words",
        metavar="CHECK INPUT",
        nargs="*",
        help="CHECK: program that decides (none with -- COMMAND); INPUT: file, files or directory that fails",
    )
    command.add_argument(
        "--stdin", action="store_true", help="Pass the candidate on standard input [default: as an argument]"
    )
    command.add_argument(
        "--timeout", type=seconds, default=60.0, metavar="SECONDS", help="Kill a check run after SECONDS [default: 60]"
    )
    add_failure_options(command)
    command.set_defaults(run=run, jobs=None, cluster=None, quiet=False)


def run(args: argparse.Namespace) -> int:
    """Look at a check, and return the exit status."""
    take_words(args, failing=has_failing_command(args))
    given = target_at(args.inputs)
    if args.check is None:
        return _lint_command(args, given)
    oracle = CommandOracle.from_text(args.check, given.name, stdin=args.stdin, files=given.layout.files)
    half = given.data[: len(given.data) // 2] if given.name else b""
    with CheckOnce(args.timeout) as checks:
        check = CheckUnderLint(oracle.invocation, oracle.judge, given.data, half)
        path = str(args.input.absolute())
        found = findings(check, checks.run, lambda invocation: _here(invocation, path, args.timeout))
    for text in found:
        print(f"minrepro: {args.check}: {text}", file=sys.stderr)
    if not found:
        print(f"minrepro: {args.check}: no problems found", file=sys.stderr)
    return 1 if found else 0


def _lint_command(args: argparse.Namespace, given: InputTarget) -> int:
    """Show how the failure of a command is recognized, and what else it could be."""
    oracle_of(args, given)
    print(choices(failing_command_of(args), given))
    return 0


def _here(invocation: Invocation, path: str, timeout: float) -> ProcessEnd:
    """Run a check in the folder where the user is, on the input itself."""
    words = [path if word.startswith("{folder}") else word for word in invocation.argv]
    began = time.monotonic()
    with tempfile.TemporaryFile() as source, tempfile.TemporaryFile() as printed:
        source.write(invocation.stdin)
        source.seek(0)
        check = subprocess.Popen(
            words,
            stdin=source,
            stdout=printed,
            stderr=subprocess.STDOUT,
            env={**os.environ, "MINREPRO_CANDIDATE": path},
            start_new_session=True,
        )
        try:
            status = check.wait(timeout)
        except subprocess.TimeoutExpired:
            return ProcessEnd(-signal.SIGKILL, timeout, limit=timeout)
        finally:
            with contextlib.suppress(OSError):
                os.killpg(check.pid, signal.SIGKILL)  # also what it has left behind
            check.wait()
        printed.seek(0)
        return ProcessEnd(status, time.monotonic() - began, stderr=printed.read(1 << 16))
