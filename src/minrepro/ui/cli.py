"""The command `minrepro`: finds the command that was asked for, and turns its errors into a line or two."""

from __future__ import annotations

import argparse
import gc
import os
import signal
import sys
from collections.abc import Sequence
from importlib import import_module
from types import FrameType
from typing import NoReturn

from minrepro.errors import MinreproError
from minrepro.run import Stopped
from minrepro.ui.given import split_failing
from minrepro.ui.options import exit_status
from minrepro.version import VERSION

COMMANDS = (
    "reduce",
    "isolate",
    "explain",
    "report",
    "lint",
    "tree",
    "languages",
    "traces",
    "web",
    "resume",
    "runs",
    "show",
    "clean",
)
"""Each is in a module of its own, imported only when it is asked for: most need none of the others' libraries."""

TAKING_A_COMMAND = (["reduce"], ["explain"])
"""Commands whose check may be a failing command behind `--`."""

_EPILOG = """\
A check is a program of yours that exits with status 0 while the failure still shows.

example:
  minrepro reduce ./check.sh crash.c        writes the smallest failing crash.c to crash.min.c
  minrepro reduce crash.c -- gcc -O2 @@     the same without a check: the failing command itself
"""


class _Parser(argparse.ArgumentParser):
    """Says in a line what is wrong with the words given, and where to read what would be right."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {message}\nTry:  {self.prog} -h\n")


def parser(names: Sequence[str] = COMMANDS) -> argparse.ArgumentParser:
    """Return the parser of the command line, as far as these commands go."""
    whole = _Parser(
        prog="minrepro",
        description="Takes something that makes a program fail and finds the smallest version that still fails.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    whole.add_argument("--version", action="version", version=f"minrepro {VERSION}")
    commands = whole.add_subparsers(title="commands", dest="command", metavar="COMMAND", required=True)
    for name in names:
        import_module(f"minrepro.ui.{name}_command").add_to(commands)
    return whole


def parsed(given: list[str]) -> argparse.Namespace:
    """Return what the words of a command line mean."""
    names = given[:1] if given[:1] and given[0] in COMMANDS else COMMANDS
    if given[:1] in TAKING_A_COMMAND:
        words, failing = split_failing(given)
        args = parser(names).parse_args(words)
        args.failing = failing
    else:
        args = parser(names).parse_args(given)
    args.typed = given
    return args


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit status."""
    given = list(sys.argv[1:] if argv is None else argv)
    args = parsed(given)
    # Trees and plans are many objects that live long and hold no cycles: to look through them often is in vain.
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)
    signal.signal(signal.SIGTERM, _end)
    signal.signal(signal.SIGHUP, _end)
    try:
        return int(args.run(args))
    except Stopped as stopped:
        print(f"minrepro: {stopped}, before the failure was seen", file=sys.stderr)
        return exit_status(str(stopped)) or 2
    except MinreproError as error:
        print(f"{type(error).__name__}: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("minrepro: interrupted", file=sys.stderr)
        return 128 + signal.SIGINT
    except BrokenPipeError:  # whoever read our output went away
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1


def _end(signum: int, frame: FrameType | None) -> None:
    raise Stopped(f"ended by {signal.Signals(signum).name}")
