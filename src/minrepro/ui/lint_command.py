"""`minrepro lint CHECK INPUT`: what is wrong with a check, before hours are spent with it."""

from __future__ import annotations

import argparse
import contextlib
import os
import signal
import subprocess
import sys
import tempfile
import time

from minrepro.executors.processes import Processes
from minrepro.invocations import Ending, Invocation
from minrepro.oracles.command import CommandOracle
from minrepro.oracles.lint import Subject, findings
from minrepro.search import Outcome, Verdict
from minrepro.ui.given import given_of, take_words
from minrepro.ui.options import seconds

_EPILOG = """\
The exit status is 0 when nothing is wrong, and 1 otherwise.

example:
  minrepro lint ./check.sh crash.c
"""


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add this command to the command line."""
    command = commands.add_parser(
        "lint",
        help="look for what is wrong with a check",
        description="Run CHECK a few times to see whether it accepts the empty input, depends on the working folder, "
        "leaves processes behind, or needs much longer on candidates than on INPUT.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    command.add_argument("words", metavar="CHECK INPUT", nargs="+", help="the check, and the input that fails")
    command.add_argument("--stdin", action="store_true", help="give the candidate on standard input")
    command.add_argument("--timeout", type=seconds, default=60.0, metavar="S", help="end a check after S seconds")
    command.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Look at a check, and return the exit status."""
    take_words(args, failing=False)
    given = given_of(args)
    oracle = CommandOracle.from_text(args.check, given.name, stdin=args.stdin, files=given.files)
    half = given.data[: len(given.data) // 2] if given.name else b""
    watch = _Watch()
    with Processes(watch, timeout=args.timeout) as executor:

        def alone(invocation: Invocation) -> Ending:
            job = executor.start(invocation)
            while not executor.wait([job], 1.0):
                pass
            return watch.endings[-1]

        check = Subject(oracle.invocation, oracle.judge, given.data, half)
        found = findings(check, alone, lambda invocation: _here(invocation, str(args.input.absolute()), args.timeout))
    for text in found:
        print(f"minrepro: {args.check}: {text}", file=sys.stderr)
    if not found:
        print(f"minrepro: {args.check}: nothing is wrong", file=sys.stderr)
    return 1 if found else 0


class _Watch:
    """Runs invocations as they are, and keeps how they ended."""

    def __init__(self) -> None:
        self.endings: list[Ending] = []

    def invocation(self, case: Invocation) -> Invocation:
        return case

    def judge(self, ending: Ending) -> Verdict:
        self.endings.append(ending)
        return Verdict(Outcome.UNRESOLVED, seconds=ending.seconds)


def _here(invocation: Invocation, path: str, timeout: float) -> Ending:
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
            env={**os.environ, "MINREPRO_CASE": path},
            start_new_session=True,
        )
        try:
            status = check.wait(timeout)
        except subprocess.TimeoutExpired:
            return Ending(-signal.SIGKILL, timeout, limit=timeout)
        finally:
            with contextlib.suppress(OSError):
                os.killpg(check.pid, signal.SIGKILL)  # also what it has left behind
            check.wait()
        printed.seek(0)
        return Ending(status, time.monotonic() - began, stderr=printed.read(1 << 16))
