"""`minrepro list [DIR …]`: the recorded reductions, one per line."""

from __future__ import annotations

import argparse
import shlex
import sys
from datetime import datetime
from pathlib import Path

from minrepro.cli.recorded_runs import state_of
from minrepro.core.plurals import counted
from minrepro.errors import JournalError
from minrepro.runs.history.journal import journals_in
from minrepro.runs.history.recorded_run import RecordedRun, read_story
from minrepro.runs.state_folder import state_folders

_EPILOG = """\
Example:
  minrepro list crash.c.minrepro        every recorded reduction of crash.c: when, how far, with which command
"""


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add this command to the command line."""
    command = commands.add_parser(
        "list",
        help="List recorded reductions",
        description="List the reductions recorded in state directories.",
        epilog=_EPILOG,
    )
    command.add_argument(
        "folders", metavar="DIR", type=Path, nargs="*", help="State directories [default: all *.minrepro here]"
    )
    command.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print a line for each run, and return the exit status."""
    status = 0
    for folder in args.folders or state_folders(Path()):
        for path in journals_in(folder):
            try:
                print(line_of(read_story(path)[0]))
            except JournalError as error:
                print(f"minrepro: {error}", file=sys.stderr)
                status = 2
    return status


def line_of(story: RecordedRun) -> str:
    """Return a run in one line."""
    began = datetime.fromtimestamp(story.sessions[0][0]).strftime("%Y-%m-%d %H:%M") if story.sessions else ""
    before, after = story.sizes or (0, 0)
    sizes = f"{before:,} → {counted(after, story.asked.unit)}" if story.sizes else "no size yet"
    return f"{story.path}  {began}  {state_of(story)}  {sizes}  {story.checks}  {shlex.join(story.asked.words)}"
