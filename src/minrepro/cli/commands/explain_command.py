"""`minrepro explain RESULT -- COMMAND`: which parts of a result are needed, and which can be anything."""

from __future__ import annotations

import argparse
import json
import sys

from rich.console import Console

from minrepro.cli.command_words import take_words
from minrepro.cli.commands.reduce_command import explained, oracle_of
from minrepro.cli.help_text import CLUSTER, move_to_end
from minrepro.cli.options.check_options import add_check_options
from minrepro.cli.options.failure_options import add_failure_options, has_failing_command
from minrepro.cli.progress import shown
from minrepro.cli.settings_of import execution_of
from minrepro.errors import NotFailing
from minrepro.reports.listing import as_json, explanations_of, show_all
from minrepro.runs.executor_stack import base_executor
from minrepro.targets.choosing import target_at

_EPILOG = """\
minrepro removes each part of RESULT and replaces each name, number, string and expression by others, and checks these
candidates. Every claim was seen in a check run, each alone and all of them together.

Examples:
  minrepro explain crash.min.c -- gcc -O2 crash.min.c
  minrepro explain ./check.sh crash.min.c --json
  minrepro explain ./check.sh project.min/              each file of a directory
"""


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add this command to the command line."""
    command = commands.add_parser(
        "explain",
        usage="%(prog)s [OPTIONS] RESULT -- COMMAND [ARG...]\n       %(prog)s [OPTIONS] CHECK RESULT",
        help="Show why each part of a result is needed",
        description="Show which parts of RESULT are needed, which can be anything, and a small change that makes the "
        "failure disappear.",
        epilog=_EPILOG,
    )
    command.add_argument(
        "words",
        metavar="CHECK RESULT",
        nargs="*",
        help="CHECK: program that decides (none with -- COMMAND); RESULT: small failing file or directory",
    )
    add_failure_options(command)
    add_check_options(command)
    move_to_end(command, CLUSTER)
    command.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Explain a result, and return the exit status."""
    take_words(args, failing=has_failing_command(args))
    given = target_at(args.inputs)
    oracle = oracle_of(args, given)
    with shown(args.quiet) as progress:
        executor = base_executor(execution_of(args), oracle, given.data, progress)
        try:
            explanations = explanations_of(given, given.data, executor)
        except NotFailing as error:
            raise explained(error, args.check, args.input) from None
        finally:
            executor.close()
    if args.json:
        told = {name: as_json(explanation) for name, explanation in explanations.items()}
        print(json.dumps(told[given.name] if given.table is None else {"files": told}))
    else:
        show_all(explanations, Console(file=sys.stdout, highlight=False, soft_wrap=True))
    return 0
