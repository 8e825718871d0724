"""The journal of a run: what was asked, what came back, and what was accepted, on disk from one moment to the next.

Resuming is replay. An algorithm sees nothing of the world but the verdicts that it is given, so the same algorithm,
given the recorded verdicts in the recorded order, comes to where it was (see `replaying.py`); none needs to
know how to save itself. Accepted contents are recorded as differences, so the best so far can be had from the journal.
"""

from __future__ import annotations

import contextlib
import fcntl
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from minrepro.core.events import Accepted, End, Ended, RunEvent
from minrepro.core.verdicts import Outcome
from minrepro.errors import JournalError
from minrepro.runs.history.record_file import RecordFile
from minrepro.runs.history.recorded_run import (
    VERSION,
    AcceptedStep,
    RecordedRun,
    RecordedVerdict,
    RunCounts,
    RunQuestion,
    beginning,
    end_record,
    read_story,
)

Encode = Callable[[Any], bytes]

KEPT = 10
"""How many finished journals stay in a folder when another run begins there."""
_SECONDS_BETWEEN_SYNCS = 1.0


def as_it_is(case: Any) -> bytes:
    """Return a case that is bytes already."""
    assert isinstance(case, bytes)
    return case


def journals_in(folder: Path) -> list[Path]:
    """Return the journals in a state folder, the oldest first."""
    try:
        numbered = [(int(path.name[8:]), path) for path in folder.glob("journal-*") if path.name[8:].isdecimal()]
    except OSError:
        return []
    return [path for _, path in sorted(numbered)]


class Journal:
    """A journal that is being written; a listener of its run."""

    def __init__(
        self, file: RecordFile, story: RecordedRun, originals: Mapping[Outcome, bytes], encode: Encode
    ) -> None:
        self.story = story
        self.encode = encode
        """Gives the bytes that stand for a case."""
        self.warn: Callable[[str], None] = lambda text: None
        self._file: RecordFile | None = file
        self._last = dict(originals)
        for step in story.steps:
            self._last[step.outcome] = step.applied(self._last[step.outcome])
        self._to_skip = len(story.steps)
        self._worth_keeping = bool(story.steps)
        self._replaying = True
        self._synced = time.monotonic()

    @classmethod
    def begin(
        cls, folder: Path, asked: RunQuestion, originals: Mapping[Outcome, bytes], jobs: int, encode: Encode = as_it_is
    ) -> Journal:
        """Make a new journal in a state folder; the originals are encoded."""
        folder.mkdir(exist_ok=True)
        there = journals_in(folder)
        forget_finished(there)
        number = int(there[-1].name[8:]) + 1 if there else 1
        while True:
            try:
                file = RecordFile(folder / f"journal-{number}")
                break
            except FileExistsError:  # another run has begun here at the same time
                number += 1
        _lock(file)
        journal = cls(file, RecordedRun(file.path, asked), originals, encode)
        file.append(*beginning(asked), ["session", time.time(), jobs])
        return journal

    @classmethod
    def resume(
        cls, path: Path, asked: RunQuestion, originals: Mapping[Outcome, bytes], jobs: int, encode: Encode = as_it_is
    ) -> Journal:
        """Go on with a journal, or say why that is not possible."""
        try:
            file = RecordFile(path, new=False)
        except OSError as error:
            raise JournalError(f"cannot resume from {path}: {error.strerror}") from None
        try:
            _lock(file)
            story, size = read_story(path)
            if story.version != VERSION:
                raise JournalError(
                    f"{path} was written by minrepro {story.asked.program} and cannot be resumed by this version\n"
                    "hint: start over without --resume"
                )
            changed = story.asked.differences(asked)
            if changed:
                raise JournalError(
                    f"{path} cannot be resumed, because this has changed since: {'; '.join(changed)}\n"
                    "hint: undo the change, or start over without --resume"
                )
            file.cut(size)
            file.append(["session", time.time(), jobs])
            return cls(file, story, originals, encode)
        except BaseException:
            file.close()
            raise

    def answered(self, answers: list[RecordedVerdict]) -> None:
        """Record verdicts that were received together."""
        self._replaying = False
        last = answers[-1]
        self._append(*(answer.record(more=answer is not last) for answer in answers))

    def __call__(self, notice: RunEvent) -> None:
        if isinstance(notice, Accepted):
            if self._replaying and self._to_skip:
                self._to_skip -= 1
            else:
                self._accept(notice)
        elif isinstance(notice, Ended):
            self._append(end_record(notice.why, notice.end))
            self.sync()

    def note(self, text: str) -> None:
        """Record something that a reader of the story should know."""
        self._append(["note", text])

    def count(self, counts: RunCounts) -> None:
        """Record what the run did, before its end."""
        self.story.counts = counts
        self._append(["counts", asdict(counts)])

    def sync(self) -> None:
        """Return when all that was recorded is on the disk."""
        if self._file is not None:
            with contextlib.suppress(OSError):
                self._file.sync()
            self._synced = time.monotonic()

    def close(self) -> None:
        """End the journal: what has nothing to go on with is removed, what has nothing left to do becomes short."""
        file, self._file = self._file, None
        if file is not None:
            with contextlib.suppress(OSError, JournalError):
                if self._worth_keeping:
                    shorten(file.path)
                else:
                    file.path.unlink()
                    file.path.parent.rmdir()
            file.close()

    def _accept(self, notice: Accepted) -> None:
        case = self.encode(notice.case)
        step = AcceptedStep.between(
            self._last[notice.outcome], case, notice.label, notice.outcome, notice.smallest, notice.size
        )
        self._append(step.record())
        self._worth_keeping = True
        self._last[notice.outcome] = case
        if time.monotonic() - self._synced > _SECONDS_BETWEEN_SYNCS:
            self.sync()

    def _append(self, *records: Any) -> None:
        if self._file is None:
            return
        try:
            self._file.append(*records)
        except OSError as error:
            # A journal with a gap cannot be replayed, so it ends here for good; the run goes on.
            file, self._file = self._file, None
            file.close()
            self.warn(
                f"the journal {file.path} cannot be written anymore ({error.strerror}); "
                "minrepro continues, but after a crash the reduction can be resumed only from here"
            )


def shorten(path: Path) -> None:
    """Leave out the verdicts of a finished run: nobody will ask for them again."""
    story, _ = read_story(path)
    if not story.finished:
        return
    part = path.with_name(path.name + ".part")
    part.unlink(missing_ok=True)
    file = RecordFile(part)
    try:
        file.append(*beginning(story.asked), *(["session", *session] for session in story.sessions))
        file.append(*(step.record() for step in story.steps), *(["note", note] for note in story.notes))
        counts = [] if story.counts is None else [["counts", asdict(story.counts)]]
        file.append(["tests", story.tests, round(story.seconds_in_tests, 3)], *counts)
        file.append(end_record(story.ended, End.FINISHED))
        file.sync()
        part.replace(path)
    except OSError:
        part.unlink(missing_ok=True)
        raise
    finally:
        file.close()


def forget_finished(journals: list[Path]) -> None:
    """Remove the oldest finished journals, so that a folder does not grow with every run."""
    for path in journals[:-KEPT]:
        with contextlib.suppress(OSError, JournalError):
            if read_story(path)[0].finished:
                path.unlink()


def is_in_use(path: Path) -> bool:
    """Tell whether a run is writing a journal now."""
    try:
        with path.open("rb") as file:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
            return False
    except BlockingIOError:
        return True
    except OSError:
        return False


def _lock(file: RecordFile) -> None:
    try:
        fcntl.flock(file.descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise JournalError(f"{file.path} is in use by another reduction") from None
    except OSError:
        return  # a file system without locks
