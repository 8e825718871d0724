"""Where runs are recorded, which of them can be gone on with, and what was asked of them."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from minrepro.errors import JournalError
from minrepro.invocations import ProcessOracle
from minrepro.journal import is_in_use, journals_in
from minrepro.oracles.identity import digest, identity_of
from minrepro.search import Outcome
from minrepro.story import Asked, Story, glimpse, read_story
from minrepro.version import VERSION

SUFFIX = ".minrepro"
_NEUTRAL = frozenset(
    {"run", "command", "check", "words", "input", "failing", "good", "bad", "typed", "choose"}  # compared by themselves
    | {"jobs", "cache", "place", "cluster", "cluster_wait"}  # change neither a verdict nor an undisturbed result
    | {"max_tests", "max_seconds"}
    | {"output", "in_place", "state", "resume", "json", "quiet"}
    | {"inputs", "explain", "report", "markdown", "save_check", "format"}
)
_ROOM = 1 << 30
"""How many bytes must be free in memory for checks to run there."""


def state_folder(args: argparse.Namespace, source: Path, target: Path) -> Path:
    """Return where the journals of runs on this input are."""
    folder: Path | None = args.state
    return folder if folder is not None else target.with_name(source.name + SUFFIX)


def asked_of(
    args: argparse.Namespace, oracle: ProcessOracle, originals: dict[Outcome, bytes], kept: Path | None
) -> Asked:
    """Return what a command was asked to do."""
    named = {f"--{name.replace('_', '-')}": value for name, value in vars(args).items() if name not in _NEUTRAL}
    return Asked(
        words=list(args.typed),
        folder=str(Path.cwd()),
        program=VERSION,
        inputs={f"that {outcome.value}s": digest(content) for outcome, content in originals.items()},
        check=identity_of(oracle),
        options={name: str(value) for name, value in named.items() if value not in (None, False)},
        kept=str(kept.absolute()) if kept is not None else "",
    )


def last_unfinished(folder: Path, asked: Asked | None = None) -> Story | None:
    """Return the newest run in a state folder that was interrupted, one that asked the same if there is any."""
    newest = None
    for path in reversed(journals_in(folder)):
        seen = glimpse(path)
        if not seen.finished:
            if asked is None or not seen.asked.differences(asked):
                return read_story(path)[0]
            newest = newest or path
    return None if newest is None else read_story(newest)[0]


def last_finished(folder: Path) -> Story | None:
    """Return the newest run in a state folder, if that has come to its end."""
    journals = journals_in(folder)
    story = read_story(journals[-1])[0] if journals else None
    return story if story is not None and story.finished else None


def unfinished_hint(folder: Path, asked: Asked) -> str:
    """Return a line about an interrupted run that asked the same; empty when there is none."""
    for path in reversed(journals_in(folder)):
        try:
            seen = glimpse(path)
            if not seen.finished and seen.tests and not seen.asked.differences(asked) and not is_in_use(path):
                return f"an earlier run was interrupted after {seen.tests:,} tests; --resume goes on with it"
        except JournalError:
            continue
    return ""


def place_of(args: argparse.Namespace) -> Path | None:
    """Return where the folders of checks are made: where the user says, in memory if it can be, or where usual."""
    place: Path | None = getattr(args, "place", None)
    if place is not None:
        return place
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
