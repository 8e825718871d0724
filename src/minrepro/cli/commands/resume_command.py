"""`minrepro resume [DIR]`: continue an interrupted reduction."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from minrepro.cli.options.check_options import duration, positive
from minrepro.cli.recorded_runs import story_in
from minrepro.errors import JournalError

_BUDGETS = ("max_tests", "max_seconds")

_EPILOG = """\
Examples:
  minrepro resume                       the only interrupted reduction here
  minrepro resume crash.c.minrepro -j 8
"""


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add this command to the command line."""
    command = commands.add_parser(
        "resume",
        help="Continue an interrupted reduction",
        description="Continue the newest interrupted reduction in DIR. Candidates that were already checked are not "
        "checked again.",
        epilog=_EPILOG,
    )
    command.add_argument(
        "folder",
        metavar="DIR",
        type=Path,
        nargs="?",
        help="State directory, e.g. crash.c.minrepro [default: the only *.minrepro here]",
    )
    command.add_argument(
        "-j", "--jobs", type=positive, metavar="N", help="Run N checks in parallel [default: as before]"
    )
    command.add_argument(
        "--max-tests",
        type=positive,
        metavar="N",
        help="Stop after N checks, including earlier ones [default: as before, unless that was reached]",
    )
    command.add_argument(
        "--max-time",
        dest="max_seconds",
        type=duration,
        metavar="TIME",
        help="Stop after TIME (90, 10m, 2h) [default: as before, unless that was reached]",
    )
    command.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Run the recorded command again, with its journal, and return its exit status."""
    from minrepro.cli.main import parsed

    story = story_in(args.folder)
    state = story.path.parent.absolute()
    try:
        os.chdir(story.asked.folder)
    except OSError as error:
        raise JournalError(
            f"{story.path} records a reduction in {story.asked.folder}, which cannot be entered: {error.strerror}"
        ) from None
    again = parsed(story.asked.words)
    again.resume, again.state = True, state
    again.jobs = args.jobs or again.jobs
    for name in _BUDGETS:
        given = getattr(args, name)
        if given is not None or (story.end is not None and story.end.budget_spent):
            setattr(again, name, given)
    return int(again.run(again))
