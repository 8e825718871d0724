"""All that is told about a run, as a page and as Markdown."""

from __future__ import annotations

import contextlib
import os
import platform
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from minrepro._version import VERSION
from minrepro.core.invocations import File
from minrepro.core.plurals import counted
from minrepro.reports.explanation import Explanation
from minrepro.reports.reproducing import commands_for, shown_as_it_is
from minrepro.reports.timeline import Timeline


@dataclass(frozen=True)
class Report:
    """All that is told about a run."""

    name: str
    """What was reduced."""
    check: str
    """What tells whether it fails, as typed."""
    failure: str
    chronicle: Timeline
    result: bytes
    why: str
    """Why the run ended, if that was before its time."""
    program: str = ""
    """The failing program, when the command is known."""
    explanation: Explanation | None = None
    rendered: Callable[[bytes], str] = lambda content: content.decode("utf-8", "backslashreplace")
    """Turns a content into text: several files become one text with their names."""
    size: Callable[[bytes], int] = len
    unit: str = "bytes"
    reasons: Sequence[tuple[bool, str]] = ()
    """Whether each part of the original was kept, and why, a line each."""
    files: Callable[[bytes], Mapping[str, File]] | None = None
    """The files that a content is made of; None where it is one file."""
    command: str = ""
    """The result itself, where it is a command to be run, not a file."""
    output: str = ""
    """Where the result is."""
    with_original: bool = False
    """Whether all of the original may be handed over, and not only what the result has of it."""
    explanations: Mapping[str, Explanation] = field(default_factory=dict)
    """For several files, the explanation of each."""
    pictures: Sequence[tuple[str, bytes]] = ()
    """What was done, and a JPEG of how it looked then."""
    difference: str = ""
    """How the result differs from what does not fail, where that is what was looked for."""

    @property
    def is_text(self) -> bool:
        """Whether the result is one file that can be pasted as it is shown."""
        (content, *others) = self._files.values() or (b"",)
        return not others and isinstance(content, bytes) and shown_as_it_is(content)

    @property
    def _files(self) -> Mapping[str, File]:
        return {self.name: self.result} if self.files is None else self.files(self.result)

    @property
    def to_run(self) -> list[str]:
        """What to run to see the failure."""
        if self.command:
            return [self.command]
        return [*commands_for(self._files), self.check]

    @property
    def told_reasons(self) -> list[str]:
        """Why parts were kept, and without what else: what was removed is told only where the original may be."""
        if self.with_original:
            return [line for _, line in self.reasons]
        removed = sum(not kept for kept, _ in self.reasons)
        return [*(line for kept, line in self.reasons if kept), *([f"{removed:,} removed"] if removed else [])]

    @property
    def texts(self) -> dict[str, str]:
        """All texts of the user's that are handed over, by what they are."""
        told = {self.output or "result": self.rendered(self.result), "failure": self.failure, "command": self.check}
        if self.with_original:
            told["original"] = self.rendered(self.chronicle.original)
        return told

    @property
    def summary(self) -> str:
        """The reduction in a sentence."""
        before, after = self.size(self.chronicle.original), self.size(self.result)
        ended = f"; {self.why}" if self.why else ""
        taken = f"{counted(self.chronicle.tests, 'checks')}, {self.chronicle.seconds:.1f} {self.chronicle.seconds_mean}"
        return f"{before:,} → {counted(after, self.unit)} in {taken}{ended}"


def environment(report: Report) -> list[tuple[str, str]]:
    system = platform.platform()
    with contextlib.suppress(OSError):  # not every system says its name
        system = f"{platform.freedesktop_os_release()['PRETTY_NAME']} ({system})"
    found = [("date", datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")), ("system", system)]
    found += [
        ("CPUs", str(os.cpu_count())),
        ("language", os.environ.get("LC_ALL") or os.environ.get("LANG", "C")),
    ]
    if report.program:
        found.append((report.program, version_of([report.program]) or "version unknown"))
    return [*found, ("minrepro", f"{VERSION} on Python {sys.version.split()[0]}")]


def version_of(words: Sequence[str]) -> str:
    """Return the first line that a program prints when asked for its version, if it does."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            asked = subprocess.run(
                [*words, "--version"],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                cwd=folder,
                timeout=5,
                check=False,
            )
        except (OSError, subprocess.SubprocessError, ValueError):
            return ""
    lines = asked.stdout.decode("utf-8", "replace").strip().splitlines()
    return lines[0][:200] if lines and asked.returncode == 0 else ""
