"""The command `minrepro`: finds the command that was asked for, and turns its errors into a line or two."""

from __future__ import annotations

import argparse
import gc
import json
import signal
import sys
import time
from collections.abc import Callable, Collection, Iterable, Sequence
from difflib import get_close_matches
from importlib import import_module
from typing import Any, NoReturn

from minrepro._version import VERSION
from minrepro.cli.exit_status import exit_status
from minrepro.cli.help_text import ENVIRONMENT, Layout, short_help
from minrepro.cli.interruption import signals_heeded
from minrepro.cli.refusals import why_not
from minrepro.cli.short_help import SHORT
from minrepro.errors import ExecutorLost, MinreproError, NotFailing, Stopped

COMMANDS = {
    "reduce": "Make a failing file or directory as small as possible",
    "isolate": "Find the smallest difference between a good and a bad file",
    "args": "Find the arguments that make a command fail",
    "explain": "Show why each part of a result is needed",
    "report": "Write an HTML or Markdown report for a bug tracker",
    "lint": "Find common mistakes in a check",
    "tree": "Show the syntax tree of a file",
    "languages": "List supported languages",
    "grammar": "Check a grammar of your own",
    "traces": "Reduce failing sequences of events",
    "web": "Record, replay and reduce failing browser sessions",
    "resume": "Continue an interrupted reduction",
    "list": "List recorded reductions",
    "show": "Show what a recorded reduction did",
    "clean": "Delete recorded reductions",
    "completion": "Print a completion script for a shell",
}
"""What each command does. Each is in a module of its own, imported only when it is asked for: help and errors about the
command line as a whole need none of them, and most commands need none of the others' libraries."""

_MODULES = {"list": "runs"}
"""Commands whose modules have another name."""

TAKING_A_COMMAND = (["reduce"], ["args"], ["explain"], ["isolate"], ["lint"])
"""Commands whose check may be a failing command after `--`."""

_WITH_PARTS = ("grammar", "traces", "web")
"""Commands that are nothing without a command of their own."""

_EPILOG = """\
A check is a program that exits 0 if a candidate still reproduces the failure.

Examples:
  minrepro reduce crash.json -- python3 load.py crash.json     no script needed: minrepro watches the failing command
  minrepro reduce ./check.sh crash.json                        writes the result to crash.min.json

Exit status:
  0    done, also if --max-tests or --max-time stopped it
  1    no: the input does not reproduce the failure, lint found problems, a replay failed
  2    usage error; an input, check, journal or output that cannot be used
  3    stopped by the machine: a scheduler, worker or browser was lost, or memory ran out; the best so far is kept
  129, 130, 143    stopped by SIGHUP, Ctrl-C or SIGTERM; the result holds the best so far
  141  standard output was closed

"""


class _ShortHelp(argparse.Action):
    """Print one screen of help."""

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> NoReturn:
        print(SHORT.get(parser.prog) or short_help(parser), end="")
        parser.exit()


class _Parser(argparse.ArgumentParser):
    """Says in a line what is wrong with the words given, and where to read what would be right."""

    def __init__(self, **settings: Any) -> None:
        # An abbreviation that works today would break with the next option of the same beginning.
        super().__init__(allow_abbrev=False, add_help=False, **{**settings, "formatter_class": Layout})
        self._positionals.title, self._optionals.title = "Arguments", "Options"
        self.add_argument("-h", action=_ShortHelp, nargs=0, help="Show the main options")
        self.add_argument("--help", action="help", help="Show all options")

    def add_subparsers(self, **settings: Any) -> Any:
        return super().add_subparsers(prog=self.prog, **settings)

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if isinstance(action, argparse._SubParsersAction) and value not in action.choices:
            self.error(f"unknown command {value!r}{_meant(value, action.choices)}")
        super()._check_value(action, value)

    def _print_message(self, message: str, file: Any = None) -> None:
        (file or sys.stderr).write(message)  # where that is not possible somebody must hear of it

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"minrepro: error: {message}\nhint: {self.prog} -h\n")


def parser(names: Collection[str] = COMMANDS, listed: Collection[str] = ()) -> argparse.ArgumentParser:
    """Return the parser of the command line, as far as these commands go; others may be listed, unread."""
    whole = _Parser(
        prog="minrepro",
        description="Reduce a failing test case to a minimal one that still reproduces the failure.",
        epilog=_EPILOG + ENVIRONMENT,
    )
    version = f"minrepro {VERSION}"
    whole.add_argument("-V", "--version", action="version", version=version, help="Show the version")
    commands = whole.add_subparsers(title="Commands", dest="command", metavar="COMMAND", required=True)
    for name, summary in COMMANDS.items():
        if name in names:
            import_module(f"minrepro.cli.commands.{_MODULES.get(name, name)}_command").add_to(commands)
        elif name in listed:
            commands.add_parser(name, help=summary)
    return whole


def parsed(given: list[str]) -> argparse.Namespace:
    """Return what the words of a command line mean."""
    if given[:1] in TAKING_A_COMMAND:
        words, failing = _split_failing(given)
        args = _read(parser(given[:1]), words)
        args.failing = failing
    elif given and given[0] in COMMANDS:
        args = _read(parser(given[:1]), given)
    else:
        named = [word for word in given if not word.startswith("-")][:1]
        args = _read(parser(named, listed=COMMANDS), given)
    args.typed, args.began = given, time.monotonic()
    return args


def _split_failing(argv: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return the words before and behind the first `--`."""
    words = list(argv)
    at = words.index("--") if "--" in words else len(words)
    return words[:at], words[at + 1 :]


def _read(whole: argparse.ArgumentParser, words: Sequence[str]) -> argparse.Namespace:
    """Return what words mean, or say which of them mean nothing, with what was perhaps meant."""
    args, unknown = whole.parse_known_args(words)
    if unknown:
        name, command = unknown[0].partition("=")[0], " ".join(filter(None, (args.command, getattr(args, "part", ""))))
        if why := why_not(command, name):
            whole.exit(2, f"minrepro: error: minrepro {command} has no {name}: {why}\nhint: minrepro {command} -h\n")
        kind, meant = ("option", _meant(name, _options(whole))) if name.startswith("-") else ("argument", "")
        whole.exit(2, f"minrepro: error: unknown {kind} {name}{meant}\nhint: {whole.prog} {args.command} -h\n")
    return args


def _meant(word: str, known: Iterable[str]) -> str:
    """Return a question about the known word that is nearest to one that is not known."""
    near = get_close_matches(word, list(known), 1)
    return f"; did you mean {near[0]}?" if near else ""


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
    if given[0] == "help":
        given = [*given[1:], "--help"] if given[1:] else ["-h"]
    elif given[1:] == [] and given[0] in _WITH_PARTS:
        given.append("-h")
    if given[-1] == "-h" and (shown := SHORT.get(" ".join(["minrepro", *given[:-1]]))):
        print(shown, end="")
        return 0
    args = parsed(given)
    # Trees and plans are many objects that live long and hold no cycles: looking through them often finds nothing.
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)
    try:
        with signals_heeded():
            return int(_asked_for(args)(args))
    except Stopped as stopped:
        return _failed(args, f"{stopped} before the failure was reproduced", exit_status(stopped.end) or 2)
    except ExecutorLost as error:
        return _failed(args, str(error), 3)
    except MinreproError as error:
        return _failed(args, str(error), 1 if isinstance(error, NotFailing) else 2)
    except KeyboardInterrupt:
        print("minrepro: interrupted", file=sys.stderr)
        return 128 + signal.SIGINT


def _failed(args: argparse.Namespace, message: str, status: int) -> int:
    """Say what went wrong, also to a program that reads events, and return the exit status."""
    print(f"minrepro: error: {message}", file=sys.stderr)
    if getattr(args, "json_lines", False):
        print(json.dumps({"event": "error", "text": message, "exit_status": status}), flush=True)
    return status


def _asked_for(args: argparse.Namespace) -> Callable[[argparse.Namespace], int]:
    """Return what carries out a command; several versions of a program are several reductions."""
    if getattr(args, "versions", None) is None:
        run: Callable[[argparse.Namespace], int] = args.run
        return run
    if args.command in ("traces", "web"):
        from minrepro.cli.events_version_chain import reduce_events_across_versions

        return reduce_events_across_versions
    from minrepro.cli.version_chain import reduce_across_versions

    return reduce_across_versions
