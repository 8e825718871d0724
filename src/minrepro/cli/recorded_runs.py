"""The recorded runs that a command line names, and where each of them stands."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from minrepro.errors import JournalError
from minrepro.runs.history.journal import is_in_use, journals_in
from minrepro.runs.history.recorded_run import RecordedRun, read_story
from minrepro.runs.state_folder import last_finished, last_unfinished, state_folders


def add_journal(command: argparse.ArgumentParser) -> None:
    """Add which recorded run a command is about."""
    command.add_argument(
        "journal",
        metavar="DIR",
        type=Path,
        nargs="?",
        help="State directory, for the newest reduction in it, or one journal [default: the only *.minrepro here]",
    )


def story_at(path: Path | None) -> RecordedRun:
    """Return the run that a path leads to: a journal, the newest one in a state folder, or the only folder here."""
    if path is None:
        folders = state_folders(Path())
        if len(folders) != 1:
            raise JournalError(f"{_how_many(folders)}\nhint: minrepro show DIR")
        (path,) = folders
    if path.is_dir():
        journals = journals_in(path)
        if not journals:
            raise JournalError(f"no journal in {path}")
        path = journals[-1]
    return read_story(path)[0]


def story_in(folder: Path | None) -> RecordedRun:
    """Return the recorded reduction to continue."""
    if folder is None:
        folders = state_folders(Path())
        if len(folders) != 1:
            raise JournalError(f"{_how_many(folders)}\nhint: minrepro resume DIR")
        (folder,) = folders
    story = last_unfinished(folder)
    if story is None:
        done = last_finished(folder)
        what = "the last reduction is finished" if done is not None else "it has no journal"
        raise JournalError(f"nothing to resume in {folder}: {what}")
    return story


def _how_many(folders: Sequence[Path]) -> str:
    """Return what is wrong with the number of state directories here."""
    if not folders:
        return "no *.minrepro directory here"
    return f"several *.minrepro directories here: {', '.join(map(str, folders))}"


def state_of(story: RecordedRun) -> str:
    """Return in a word or two where a run stands."""
    if story.ended:
        return story.ended
    return "running" if is_in_use(story.path) else "interrupted"
