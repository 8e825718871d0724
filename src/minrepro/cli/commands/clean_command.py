"""`minrepro clean [DIR …]`: delete the journals of recorded reductions."""

from __future__ import annotations

import argparse
import contextlib
import sys
from pathlib import Path

from minrepro.errors import JournalError
from minrepro.runs.history.journal import is_in_use, journals_in
from minrepro.runs.history.recorded_run import read_story
from minrepro.runs.state_folder import state_folders

_EPILOG = """\
Examples:
  minrepro clean                           delete the journals of all finished reductions here
  minrepro clean crash.c.minrepro --all    delete also those that can be resumed
"""


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add this command to the command line."""
    command = commands.add_parser(
        "clean",
        help="Delete recorded reductions",
        description="Delete the journals of finished reductions. Results are kept.",
        epilog=_EPILOG,
    )
    command.add_argument(
        "folders", metavar="DIR", type=Path, nargs="*", help="State directories [default: all *.minrepro here]"
    )
    command.add_argument(
        "--all",
        action="store_true",
        help="Delete also journals that can be resumed or are damaged [default: finished ones only]",
    )
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
                raise JournalError(f"cannot delete {path}: {error.strerror}") from None
        with contextlib.suppress(OSError):
            for part in folder.glob("*.part"):
                part.unlink()
            folder.rmdir()
    left = f"; kept {kept} that can be resumed or are in use" if kept else ""
    print(f"minrepro: deleted {removed} {'journal' if removed == 1 else 'journals'}{left}", file=sys.stderr)
    return 0


def _is_finished(path: Path) -> bool:
    try:
        return read_story(path)[0].finished
    except JournalError:
        return False
