"""`minrepro clean [DIR …]`: remove the records of runs."""

from __future__ import annotations

import argparse
import contextlib
import sys
from pathlib import Path

from minrepro.errors import JournalError
from minrepro.journal import is_in_use, journals_in
from minrepro.runs.state_folder import state_folders
from minrepro.story import read_story

_EPILOG = """\
examples:
  minrepro clean                        forget all finished runs in this folder
  minrepro clean crash.c.minrepro --all forget also what could still be resumed
"""


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add this command to the command line."""
    command = commands.add_parser(
        "clean",
        help="remove the records of runs",
        description="Remove the journals of finished runs, and with --all those of interrupted ones too. Results stay.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    command.add_argument(
        "folders", metavar="DIR", type=Path, nargs="*", help="state folders (default: all *.minrepro in this folder)"
    )
    command.add_argument("--all", action="store_true", help="also runs that could be resumed, and damaged journals")
    command.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Remove journals, and return the exit status."""
    removed = kept = 0
    for folder in args.folders or state_folders(Path()):
        for path in journals_in(folder):
            if is_in_use(path) or not (args.all or _is_finished(path)):
                kept += 1
                continue
            try:
                path.unlink()
                removed += 1
            except OSError as error:
                raise JournalError(f"{path} cannot be removed: {error.strerror}.") from None
        with contextlib.suppress(OSError):
            for part in folder.glob("*.part"):
                part.unlink()
            folder.rmdir()
    left = f"; {kept} kept that could be resumed or are in use" if kept else ""
    print(f"minrepro: {removed} removed{left}", file=sys.stderr)
    return 0


def _is_finished(path: Path) -> bool:
    try:
        return read_story(path)[0].finished
    except JournalError:
        return False
