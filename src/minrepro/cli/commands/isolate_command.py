"""`minrepro isolate GOOD BAD -- COMMAND`: the smallest difference between a good and a bad file."""

from __future__ import annotations

import argparse
import sys
from difflib import unified_diff
from pathlib import Path

from minrepro.cli.exit_status import exit_status
from minrepro.cli.help_text import CLUSTER, RESEARCH, RESULT, group, move_to_end
from minrepro.cli.options.check_options import add_check_options, result_path
from minrepro.cli.options.failure_options import add_failure_options, has_failing_command
from minrepro.cli.options.language_options import add_language_options
from minrepro.cli.options.safety_options import (
    add_keeping_options,
    add_limit_options,
    add_record_options,
    add_trust_options,
)
from minrepro.cli.oracle_of import explained, oracle_of
from minrepro.cli.progress import shown
from minrepro.cli.settings_of import failing_command_of, settings_of
from minrepro.cli.summaries import print_json, print_summary
from minrepro.core.verdicts import Outcome
from minrepro.errors import NotFailing, UsageError
from minrepro.runs.runner import Runner, RunResult
from minrepro.runs.state_folder import state_folder
from minrepro.targets.difference import DifferenceTarget, sides_of
from minrepro.targets.file import FileTarget
from minrepro.targets.target import require_applicable
from minrepro.traces.event_differences import by_events

_EPILOG = """\
COMMAND is the failing command, as typed for BAD. CHECK exits 0 if a candidate reproduces the failure, 125 if that
cannot be decided, and with any other status if it does not. Two files are written, as close to each other as possible:
only one of them reproduces the failure. Their difference is printed: whole subtrees with --units tree, events with
--units events, if the files are traces. Directories cannot be isolated.

Examples:
  minrepro isolate works.json fails.json -- python3 load.py fails.json
  minrepro isolate ./check.sh works.json fails.json     writes fails.passing.json and fails.failing.json
"""


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add this command to the command line."""
    command = commands.add_parser(
        "isolate",
        usage="%(prog)s [OPTIONS] GOOD BAD -- COMMAND [ARG...]\n       %(prog)s [OPTIONS] CHECK GOOD BAD",
        help="Find the smallest difference between a good and a bad file",
        description="Find the smallest difference between GOOD and BAD that makes the failure appear.",
        epilog=_EPILOG,
    )
    command.add_argument(
        "words",
        metavar="CHECK GOOD BAD",
        nargs="+",
        help="CHECK: program that decides (none with -- COMMAND); GOOD: file without the failure; BAD: file with it",
    )
    group(command, RESULT).add_argument(
        "-o",
        "--output",
        metavar="OUT",
        type=result_path,
        help="Write OUT.passing and OUT.failing, with the extension of OUT [default: BAD]",
    )
    add_failure_options(command)
    add_check_options(command)
    add_record_options(command)
    add_keeping_options(command)
    add_trust_options(command)
    add_limit_options(command)
    move_to_end(command, CLUSTER)
    group(command, RESEARCH).add_argument(
        "--units",
        choices=("lines", "characters", "bytes", "lines-then-characters", "tree", "tokens", "events"),
        default="lines-then-characters",
        help="Compare the files by these units: text, syntax (subtrees or tokens), or events of traces"
        " [default: %(default)s]",
    )
    add_language_options(group(command, RESEARCH))
    command.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Isolate the difference, and return the exit status."""
    _take_words(args, has_failing_command(args))
    target = DifferenceTarget.read(args.good, args.bad)
    if args.units == "events":
        target = by_events(target)
    base: Path = args.output or args.bad
    settings = settings_of(args, base)
    require_applicable(settings, target)
    bad = FileTarget(args.bad, target.failing)
    if args.choose:
        from minrepro.runs.observe_command import choices

        print(choices(failing_command_of(args), bad))
        return 0
    sides = sides_of(base)
    hidden = [*sides.values(), state_folder(settings.history, args.bad, sides[Outcome.FAIL])]
    oracle = oracle_of(args, bad, hidden, {"good": target.passing})
    with shown(args.quiet, verbose=args.verbose, json_lines=args.json_lines) as progress:
        try:
            result = Runner(settings, listener=progress, words=args.typed).run(target, oracle)
        except NotFailing as error:
            raise explained(error, args.check, args.bad if error.wanted is Outcome.FAIL else args.good) from None
    if result.had_finished:
        where = " and ".join(map(str, sides.values()))
        print(f"minrepro: the reduction is already finished; results: {where}", file=sys.stderr)
        return 0
    _tell(args, result, sides)
    return exit_status(result.end)


def _take_words(args: argparse.Namespace, failing: bool) -> None:
    """Tell the check from the two files among the words of a command line."""
    words: list[str] = args.words
    if len(words) != (2 if failing else 3):
        raise UsageError(
            f"expected {2 if failing else 3} arguments, not {len(words)}\n"
            "hint: minrepro isolate GOOD BAD -- COMMAND, or minrepro isolate CHECK GOOD BAD"
        )
    args.check = None if failing else words[0]
    args.good, args.bad = (Path(word) for word in words[-2:])
    args.input, args.inputs = args.bad, [args.bad]


def _tell(args: argparse.Namespace, result: RunResult[bytes], sides: dict[Outcome, Path]) -> None:
    assert result.passing is not None
    if args.json:
        print_json(
            result, {"passing": str(sides[Outcome.PASS]), "failing": str(sides[Outcome.FAIL])}, as_event=args.json_lines
        )
    elif not args.quiet:
        before, after = (
            side.decode("utf-8", "backslashreplace").splitlines() for side in (result.passing, result.case)
        )
        names = (str(sides[outcome]) for outcome in (Outcome.PASS, Outcome.FAIL))
        print("\n".join(unified_diff(before, after, next(names), next(names), lineterm="", n=1)), flush=True)
        print_summary(result, {}, {})
