"""The command `minrepro`: finds the command that was asked for, and turns its errors into a line or two."""

from __future__ import annotations

import argparse
import os
import signal
import sys
from collections.abc import Sequence
from importlib.metadata import version
from types import FrameType

from minrepro.errors import MinreproError
from minrepro.run import Stopped
from minrepro.ui import isolate_command, reduce_command

COMMANDS = (reduce_command, isolate_command)

_EPILOG = """\
A check is a program of yours that exits with status 0 while the failure still shows.

example:
  minrepro reduce ./check.sh crash.c        writes the smallest failing crash.c to crash.min.c
"""


def parser() -> argparse.ArgumentParser:
    """Return the parser of the whole command line."""
    whole = argparse.ArgumentParser(
        prog="minrepro",
        description="Takes something that makes a program fail and finds the smallest version that still fails.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    whole.add_argument("--version", action="version", version=f"minrepro {version('minrepro')}")
    commands = whole.add_subparsers(title="commands", dest="command", metavar="COMMAND", required=True)
    for command in COMMANDS:
        command.add_to(commands)
    return whole


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit status."""
    args = parser().parse_args(argv)
    signal.signal(signal.SIGTERM, _end)
    signal.signal(signal.SIGHUP, _end)
    try:
        return int(args.run(args))
    except MinreproError as error:
        print(f"{type(error).__name__}: {error}", file=sys.stderr)
        return 2
    except Stopped as stopped:  # before there was anything to keep
        print(f"minrepro: {stopped}", file=sys.stderr)
        return 128 + signal.SIGTERM
    except KeyboardInterrupt:
        print("minrepro: interrupted", file=sys.stderr)
        return 128 + signal.SIGINT
    except BrokenPipeError:  # whoever read our output went away
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1


def _end(signum: int, frame: FrameType | None) -> None:
    raise Stopped(f"ended by {signal.Signals(signum).name}")
