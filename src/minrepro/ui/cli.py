"""The command `minrepro`: finds the command that was asked for, and turns its errors into a line or two."""

from __future__ import annotations

import argparse
import gc
import os
import signal
import sys
from collections.abc import Sequence
from difflib import get_close_matches
from importlib import import_module
from types import FrameType
from typing import Any, NoReturn

from minrepro.errors import MinreproError, NotFailing, Stopped
from minrepro.ui.given import split_failing
from minrepro.ui.short_help import SHORT
from minrepro.ui.summaries import exit_status
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

TAKING_A_COMMAND = (["reduce"], ["explain"], ["isolate"], ["lint"])
"""Commands whose check may be a failing command behind `--`."""

_EPILOG = """\
A check is a program that exits 0 if a candidate still reproduces the failure.

examples:
  minrepro reduce crash.json -- python3 load.py crash.json     no script needed: minrepro watches the failing command
  minrepro reduce ./check.sh crash.json                        writes the result to crash.min.json
"""


class _ShortHelp(argparse.Action):
    """Prints one screen of help, where there is more than that to tell."""

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> NoReturn:
        print(SHORT.get(parser.prog) or parser.format_help(), end="")
        parser.exit()


class _Parser(argparse.ArgumentParser):
    """Says in a line what is wrong with the words given, and where to read what would be right."""

    def __init__(self, **settings: Any) -> None:
        # An abbreviation that works today would break with the next option of the same beginning.
        super().__init__(allow_abbrev=False, add_help=False, **settings)
        self.add_argument("-h", action=_ShortHelp, nargs=0, help="Show the main options")
        self.add_argument("--help", action="help", help="Show all options")

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {message}\nTry:  {self.prog} -h\n")


def parser(names: Sequence[str] = COMMANDS) -> argparse.ArgumentParser:
    """Return the parser of the command line, as far as these commands go."""
    whole = _Parser(
        prog="minrepro",
        description="Reduce a failing test case to a minimal one that still reproduces the failure.",
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
        args = _read(parser(names), words)
        args.failing = failing
    else:
        args = _read(parser(names), given)
    args.typed = given
    return args


def _read(whole: argparse.ArgumentParser, words: Sequence[str]) -> argparse.Namespace:
    """Return what words mean, or say which of them mean nothing, with what was perhaps meant."""
    args, unknown = whole.parse_known_args(words)
    if unknown:
        name = unknown[0].partition("=")[0]
        near = get_close_matches(name, _options(whole), 1) if name.startswith("-") else []
        meant = f"; did you mean {near[0]}?" if near else ""
        command = f"{whole.prog} {args.command}"
        whole.exit(2, f"{command}: there is no {name}{meant}\nTry:  {command} -h\n")
    return args


def _options(parser: argparse.ArgumentParser) -> list[str]:
    """Return the names of all options of a parser and of the commands below it."""
    found: list[str] = []
    for action in parser._actions:
        found += action.option_strings
        if isinstance(action, argparse._SubParsersAction):
            found += [name for command in action.choices.values() for name in _options(command)]
    return found


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit status."""
    given = list(sys.argv[1:] if argv is None else argv) or ["-h"]
    if given in (["-h"], ["help"]):
        print(SHORT["minrepro"], end="")
        return 0
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
        print(f"minrepro: error: {error}", file=sys.stderr)
        return 1 if isinstance(error, NotFailing) else 2
    except KeyboardInterrupt:
        print("minrepro: interrupted", file=sys.stderr)
        return 128 + signal.SIGINT
    except BrokenPipeError:  # whoever read our output went away
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 128 + signal.SIGPIPE


def _end(signum: int, frame: FrameType | None) -> None:
    raise Stopped(f"ended by {signal.Signals(signum).name}")
