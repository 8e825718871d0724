"""Where runs are recorded, and which of them can be resumed; where the folders of checks are."""

from __future__ import annotations

import os
from pathlib import Path

from minrepro.core.plurals import counted
from minrepro.errors import JournalError
from minrepro.runs.history.journal import is_in_use, journals_in
from minrepro.runs.history.recorded_run import RecordedRun, RunQuestion, glimpse, read_story
from minrepro.settings import ExecutionSettings, HistorySettings

SUFFIX = ".minrepro"
_ROOM = 1 << 30
"""How many bytes must be free in memory for checks to run there."""


def state_folder(history: HistorySettings, source: Path, result: Path | None) -> Path:
    """Return where the journals of runs on this input are."""
    if history.state is not None:
        return history.state
    return (result or source).with_name(source.name + SUFFIX)


def last_unfinished(folder: Path, asked: RunQuestion | None = None) -> RecordedRun | None:
    """Return the newest run in a state folder that was interrupted, one that asked the same if there is any."""
    newest = None
    for path in reversed(journals_in(folder)):
        seen = glimpse(path)
        if not seen.finished:
            if asked is None or not seen.asked.differences(asked):
                return read_story(path)[0]
            newest = newest or path
    return None if newest is None else read_story(newest)[0]


def last_finished(folder: Path) -> RecordedRun | None:
    """Return the newest run in a state folder, if that has come to its end."""
    journals = journals_in(folder)
    story = read_story(journals[-1])[0] if journals else None
    return story if story is not None and story.finished else None


def unfinished_hint(folder: Path, asked: RunQuestion) -> str:
    """Return a line about an interrupted run that asked the same; empty when there is none."""
    for path in reversed(journals_in(folder)):
        try:
            seen = glimpse(path)
            if not seen.finished and seen.tests and not seen.asked.differences(asked) and not is_in_use(path):
                runs = counted(seen.tests, "check runs")
                return f"an earlier reduction was interrupted after {runs}; --resume continues it"
        except JournalError:
            continue
    return ""


def place_of(execution: ExecutionSettings) -> Path | None:
    """Return where the folders of checks are made: where the user says, in memory if it can be, or where usual."""
    if execution.place is not None:
        return execution.place
    memory = Path("/dev/shm")
    try:
        if "TMPDIR" in os.environ or not os.access(memory, os.W_OK | os.X_OK):
            return None
        state = os.statvfs(memory)
    except OSError:
        return None
    may_run = not state.f_flag & getattr(os, "ST_NOEXEC", 0)  # checks may compile programs and run them
    return memory if may_run and state.f_bavail * state.f_frsize >= _ROOM else None


def state_folders(folder: Path) -> list[Path]:
    """Return the state folders in a folder."""
    return sorted(path for path in folder.glob(f"*{SUFFIX}") if path.is_dir())
