"""The folder in which the debugger keeps a session, so that a server which was ended begins again where it was."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

from minrepro.browser.recording import Recording, parse
from minrepro.errors import InputError
from minrepro.runs.history.journal import journals_in
from minrepro.runs.state_folder import last_unfinished
from minrepro.traces import trace_formats
from minrepro.traces.user_events import Log


@dataclass
class Choices:
    """What the user has settled about a session; events are numbered from 0."""

    pinned: list[int] = field(default_factory=list)
    dropped: list[int] = field(default_factory=list)
    predicate: str = ""
    failure: str = ""
    """The signature that was observed and chosen."""
    part: str = ""
    """What of it must show; empty for all of it."""
    confidence: float = 0.9
    without: list[str] = field(default_factory=list)
    """Rules that are not to be used."""


class Workspace:
    """The files of one session. No name of a file ever comes from outside."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder
        self.journals = folder / "journals"

    def begin(self, recording: Recording) -> None:
        """Keep a new session, and nothing of the one before."""
        self.forget_journals()
        for name in ("choices.json", "result.json", "told.json"):
            (self._folder / name).unlink(missing_ok=True)
        for path in self._folder.glob("log-*.txt"):
            path.unlink()
        trace_formats.write(self._folder / "recording.json", recording.text())

    def can_resume(self) -> bool:
        """Tell whether there is a reduction that was interrupted."""
        return last_unfinished(self.journals) is not None

    def forget_journals(self) -> None:
        """Remove the records of reductions: they answer another question."""
        for path in journals_in(self.journals):
            path.unlink(missing_ok=True)

    def recording(self) -> Recording | None:
        """Return the session that was worked on last."""
        return self._parsed("recording.json")

    def keep_choices(self, choices: Choices) -> None:
        """Keep what was settled."""
        trace_formats.write(self._folder / "choices.json", json.dumps(asdict(choices)))

    def choices(self) -> Choices:
        """Return what was settled."""
        kept = self._json("choices.json") or {}
        known = {one.name for one in fields(Choices)}
        return Choices(**{name: value for name, value in kept.items() if name in known})

    def keep_log(self, text: str) -> Log:
        """Keep the log of a session, after it was understood, and return it."""
        number = len(list(self._folder.glob("log-*.txt"))) + 1
        log = trace_formats.parse(text, f"log {number}")[0]
        trace_formats.write(self._folder / f"log-{number}.txt", text)
        return log

    def logs(self) -> list[Log]:
        """Return the logs."""
        found = []
        for path in sorted(self._folder.glob("log-*.txt")):
            try:
                found.append(trace_formats.parse(path.read_text(encoding="utf-8"), path.stem)[0])
            except (OSError, InputError):
                continue
        return found

    def keep_result(self, text: str, told: dict[str, Any]) -> None:
        """Keep a result, as a recording and as what is told of it."""
        trace_formats.write(self._folder / "result.json", text)
        trace_formats.write(self._folder / "told.json", json.dumps(told))

    def result(self) -> tuple[Recording, dict[str, Any]] | None:
        """Return the result, if there is one."""
        recording, told = self._parsed("result.json"), self._json("told.json")
        return (recording, told) if recording is not None and told is not None else None

    def forget_result(self) -> None:
        """Remove the result."""
        for name in ("result.json", "told.json"):
            (self._folder / name).unlink(missing_ok=True)

    def _json(self, name: str) -> dict[str, Any] | None:
        try:
            found = json.loads((self._folder / name).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return None
        return found if isinstance(found, dict) else None

    def _parsed(self, name: str) -> Recording | None:
        try:
            return parse((self._folder / name).read_text(encoding="utf-8"), name)
        except (OSError, InputError):
            return None
