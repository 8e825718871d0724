"""`minrepro explain CHECK RESULT`: why each part of a result is there, what may be anything, what makes it pass."""

from __future__ import annotations

import argparse
import json
import sys

from rich.console import Console

from minrepro.errors import NotFailing
from minrepro.runs.executor_stack import base_executor
from minrepro.targets.choosing import target_at
from minrepro.targets.folder import FolderTarget
from minrepro.ui.explaining import as_json, explanations_of, show_all
from minrepro.ui.failure_options import add_failure_options, has_failing_command
from minrepro.ui.given import take_words
from minrepro.ui.options import add_check_options
from minrepro.ui.progress import shown
from minrepro.ui.reduce_command import explained, oracle_of
from minrepro.ui.settings_of import execution_of

_EPILOG = """\
Each part of RESULT is removed, and each name, number, text and expression is replaced by fresh ones, to see what the
check says. What the listing claims was seen in a test, each claim alone and all of them together.

examples:
  minrepro explain ./check.sh crash.min.c
  minrepro explain crash.min.c -- gcc -O2 @@
  minrepro explain ./check.sh crash.min.c --json
  minrepro explain ./check.sh project.min/              each file of a folder
"""


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add this command to the command line."""
    command = commands.add_parser(
        "explain",
        usage="%(prog)s [options] CHECK RESULT\n       %(prog)s [options] RESULT -- COMMAND @@",
        help="tell why each part of a result is there",
        description="Tell what happens without each part of RESULT, what may be anything, and what makes it pass.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    command.add_argument(
        "words",
        metavar="CHECK RESULT",
        nargs="+",
        help="the check (none with -- COMMAND), and a small failing file or folder",
    )
    add_failure_options(command)
    add_check_options(command)
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
        print(json.dumps({"files": told} if isinstance(given, FolderTarget) else told[given.name]))
    else:
        show_all(explanations, Console(file=sys.stdout, highlight=False, soft_wrap=True))
    return 0
