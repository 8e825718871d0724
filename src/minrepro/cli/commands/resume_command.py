"""`minrepro resume [DIR]`: continue an interrupted reduction."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from pathlib import Path

from minrepro.cli.options.check_options import duration, positive
from minrepro.errors import JournalError
from minrepro.runs.history.recorded_run import RecordedRun
from minrepro.runs.state_folder import last_finished, last_unfinished, state_folders

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


def story_in(folder: Path | None) -> RecordedRun:
    """Return the recorded reduction to continue."""
    if folder is None:
        folders = state_folders(Path())
        if len(folders) != 1:
            raise JournalError(f"{how_many(folders)}\nhint: minrepro resume DIR")
        (folder,) = folders
    story = last_unfinished(folder)
    if story is None:
        done = last_finished(folder)
        what = "the last reduction is finished" if done is not None else "it has no journal"
        raise JournalError(f"nothing to resume in {folder}: {what}")
    return story


def how_many(folders: Sequence[Path]) -> str:
    """Return what is wrong with the number of state directories here."""
    if not folders:
        return "no *.minrepro directory here"
    return f"several *.minrepro directories here: {', '.join(map(str, folders))}"
