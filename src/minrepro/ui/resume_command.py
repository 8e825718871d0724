"""`minrepro resume [DIR]`: go on with a run where it was interrupted."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from minrepro.errors import JournalError
from minrepro.runs.state_folder import last_finished, last_unfinished, state_folders
from minrepro.story import Story
from minrepro.ui.options import positive, seconds

_BUDGETS = ("max_tests", "max_seconds")

_EPILOG = """\
examples:
  minrepro resume                       the only interrupted run in this folder
  minrepro resume crash.c.minrepro -j 8
"""


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add this command to the command line."""
    command = commands.add_parser(
        "resume",
        help="go on with a run where it was interrupted",
        description="Go on with the newest run in DIR that was interrupted. No check whose verdict is known is run.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    command.add_argument(
        "folder",
        metavar="DIR",
        type=Path,
        nargs="?",
        help="the state folder of the run, such as crash.c.minrepro (default: the only one here)",
    )
    command.add_argument("-j", "--jobs", type=positive, metavar="N", help="run so many checks at a time")
    command.add_argument("--max-tests", type=positive, metavar="N", help="end after N checks, those before included")
    command.add_argument("--max-seconds", type=seconds, metavar="S", help="end after S seconds")
    command.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Run the recorded command again, with its journal, and return its exit status."""
    from minrepro.ui.cli import parsed

    story = story_in(args.folder)
    state = story.path.parent.absolute()
    try:
        os.chdir(story.asked.folder)
    except OSError as error:
        raise JournalError(
            f"{story.path} tells of a run in {story.asked.folder}, which cannot be entered: {error.strerror}."
        ) from None
    again = parsed(story.asked.words)
    again.resume, again.state = True, state
    again.jobs = args.jobs or again.jobs
    for name in _BUDGETS:
        given = getattr(args, name)
        if given is not None or story.ended.startswith("the budget"):
            setattr(again, name, given)
    return int(again.run(again))


def story_in(folder: Path | None) -> Story:
    """Return the run to go on with."""
    if folder is None:
        folders = state_folders(Path())
        if len(folders) != 1:
            listed = ", ".join(map(str, folders)) or "none here"
            raise JournalError(f"it is not clear what to resume: there should be one state folder here ({listed}).")
        (folder,) = folders
    story = last_unfinished(folder)
    if story is None:
        done = last_finished(folder)
        what = "its last run is finished" if done is not None else "there is no journal in it"
        raise JournalError(f"{folder}: there is nothing to resume, {what}.")
    return story
