"""`minrepro explain RESULT -- COMMAND`: which parts of a result are needed, and which can be anything."""

from __future__ import annotations

import argparse
import json

from minrepro.cli.command_words import take_words
from minrepro.cli.help_text import CLUSTER, move_to_end
from minrepro.cli.options.check_options import add_check_options
from minrepro.cli.options.failure_options import add_failure_options, has_failing_command
from minrepro.cli.oracle_of import explained, oracle_of
from minrepro.cli.progress import shown
from minrepro.cli.settings_of import execution_of
from minrepro.errors import NotFailing
from minrepro.runs.executor_stack import base_executor, warm_trial
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
    from minrepro.reports.listing import as_json, explanations_of, print_all  # takes a while to load

    with shown(args.quiet, json_lines=args.json_lines) as progress:
        execution = execution_of(args)
        warm = warm_trial(execution, oracle, given.data, progress)
        executor = base_executor(execution, oracle, given.data, progress, warm=warm)
        try:
            explanations = explanations_of(given, given.data, executor)
        except NotFailing as error:
            raise explained(error, args.check, args.input) from None
        finally:
            executor.close()
    if args.json:
        told = {name: as_json(explanation) for name, explanation in explanations.items()}
        summary = told[given.name] if given.table is None else {"files": told}
        print(json.dumps({"event": "ended", **summary} if args.json_lines else summary))
    else:
        print_all(explanations)
    return 0
