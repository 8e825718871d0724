"""Verdicts shared between runs, also of several machines, through a folder on a common file system.

Every run writes a file of its own and reads those of all others, so nobody needs a lock, which on network file systems
is the part that fails. Verdicts are found by the content of their case within the folder of their check's identity, so
that a check which was edited starts with nothing. Old files are removed when the folder grows beyond its bound.
"""

from __future__ import annotations

import contextlib
import os
import platform
import secrets
import time
from collections.abc import Mapping
from hashlib import blake2b
from pathlib import Path
from typing import Any

from minrepro.core.keys import still_counts
from minrepro.core.verdicts import Outcome, Verdict
from minrepro.errors import OutputError
from minrepro.runs.history.record_file import RecordFile, decoded

BOUND = 256 << 20
"""How many bytes a shared folder may grow to."""
_SECONDS_BETWEEN_LOOKS = 2.0
_MANY = 64
"""From so many files on they are put together into one."""
_QUIET = 3600.0
"""A file that was not written for so many seconds is taken to be complete."""
_FLAKY = "flaky"


class SharedVerdicts:
    """The verdicts of one check in a shared folder."""

    def __init__(self, folder: Path, identity: Mapping[str, str], bound: int = BOUND) -> None:
        name = blake2b(repr(sorted(identity.items())).encode(), digest_size=16).hexdigest()
        self.folder = folder / name
        self._verdicts: dict[str, Verdict] = {}
        self._offsets: dict[str, int] = {}
        self._looked = 0.0
        self._room = bound // 4
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            make_room(folder, bound)
            self._put_together()
            host = platform.node().replace("/", "-")[:40]
            self._file = RecordFile(self.folder / f"{host}-{os.getpid()}-{secrets.token_hex(4)}")
        except OSError as error:
            raise OutputError(f"cannot use {folder} as a cache: {error.strerror}") from None
        self._offsets[self._file.path.name] = 0
        self._look()

    @property
    def usable(self) -> bool:
        """Whether no run has found this check to be flaky."""
        return not (self.folder / _FLAKY).exists()

    def recall(self, key: str, limit: float | None) -> Verdict | None:
        """Return the verdict of a case, if any run has found it."""
        verdict = self._verdicts.get(key)
        if verdict is None and time.monotonic() - self._looked > _SECONDS_BETWEEN_LOOKS:
            self._look()
            verdict = self._verdicts.get(key)
        return verdict if verdict is not None and still_counts(verdict, limit) else None

    def share(self, key: str, verdict: Verdict) -> None:
        """Let other runs know a verdict; when there is no room they have to find it themselves."""
        self._verdicts[key] = verdict
        seconds = round(verdict.seconds, 6)
        record = [key, verdict.outcome.value, seconds, verdict.limit, verdict.reason, verdict.signature]
        if self._room > 0 and self._file.descriptor >= 0:
            try:
                self._file.append(record)
                self._room -= 100 + len(verdict.reason) + len(verdict.signature)
            except OSError:
                self._file.close()

    def withdraw(self) -> None:
        """Tell all runs that this check is flaky, so that no single verdict of it is to be relied on."""
        with contextlib.suppress(OSError):
            (self.folder / _FLAKY).touch()
        self._verdicts.clear()
        self.close()

    def close(self) -> None:
        """Write nothing more; leave no empty file behind."""
        self._file.close()
        with contextlib.suppress(OSError):
            if self._file.path.stat().st_size == 0:
                self._file.path.unlink()

    def _look(self) -> None:
        """Take in what other runs have written since the last time."""
        self._looked = time.monotonic()
        if not self.usable:
            self._verdicts.clear()
            return
        for path in self._files():
            if path != self._file.path:
                for key, outcome, seconds, limit, reason, signature in self._news(path):
                    self._verdicts[key] = Verdict(Outcome(outcome), reason, seconds, limit, signature)

    def _news(self, path: Path) -> list[Any]:
        offset = self._offsets.get(path.name, 0)
        try:
            with path.open("rb") as file:
                file.seek(offset)
                records, size, _ = decoded(file)
        except OSError:  # another run has removed it
            return []
        self._offsets[path.name] = offset + size
        return records

    def _files(self) -> list[Path]:
        try:
            return sorted(path for path in self.folder.iterdir() if path.name != _FLAKY)
        except OSError:
            return []

    def _put_together(self) -> None:
        """Make one file of many old ones."""
        old = [path for path in self._files() if path.stat().st_mtime < time.time() - _QUIET]
        if len(old) < _MANY:
            return
        together = RecordFile(self.folder / f"together-{secrets.token_hex(8)}")
        for path in old:
            together.append(*self._news(path))
        together.close()
        for path in old:
            path.unlink(missing_ok=True)


def make_room(folder: Path, bound: int) -> None:
    """Remove the files written longest ago until a shared folder is well below its bound."""
    files = []
    for path in folder.glob("*/*"):
        with contextlib.suppress(OSError):
            state = path.stat()
            files.append((state.st_mtime, state.st_size, path))
    total = sum(size for _, size, _ in files)
    for _, size, path in sorted(files):
        if total <= bound * 3 // 4:
            return
        path.unlink(missing_ok=True)
        total -= size
