"""The folder in which the debugger keeps sessions, so that a server which was ended begins again where it was."""

from __future__ import annotations

import json
import shutil
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
    base: str = ""
    """The address at which the page is served now; empty for that of the recording."""
    algorithm: str = "default"
    most_replays: int = 0
    most_seconds: float = 0.0
    """Limits of a reduction; 0 is none."""


class Shelf:
    """The sessions of a workspace, each in a folder with its number."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder

    def numbers(self) -> list[int]:
        """Return the numbers of all sessions, the newest first."""
        found = [path.name.removeprefix("session-") for path in self._folder.glob("session-*") if path.is_dir()]
        return sorted((int(name) for name in found if name.isdigit()), reverse=True)

    def at(self, number: int) -> Workspace:
        """Return the session with a number, as the one that is worked on."""
        self._folder.joinpath("current").write_text(str(number), encoding="ascii")
        return Workspace(self._folder / f"session-{number}")

    def last(self) -> int:
        """Return the number of the session that was worked on last; 0 where there is none."""
        try:
            number = int(self._folder.joinpath("current").read_text(encoding="ascii"))
        except (OSError, ValueError):
            number = 0
        numbers = self.numbers()
        return number if number in numbers else max(numbers, default=0)

    def new(self) -> int:
        """Return a number for another session."""
        return max(self.numbers(), default=0) + 1

    def remove(self, number: int) -> None:
        """Remove a session with all that was found of it."""
        if number in self.numbers():
            shutil.rmtree(self._folder / f"session-{number}")

    def titles(self) -> list[dict[str, Any]]:
        """Return what is told of each session."""
        told = []
        for number in self.numbers():
            kept = Workspace(self._folder / f"session-{number}").told()
            told.append({"id": number, **kept})
        return told


class Workspace:
    """The files of one session. No name of a file ever comes from outside."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder
        self.journals = folder / "journals"

    def begin(self, recording: Recording) -> None:
        """Keep a session, new or changed."""
        told = {"title": str(recording.head.get("title") or recording.name), "url": recording.url}
        trace_formats.write(self._folder / "title.json", json.dumps({**told, "events": len(recording.trace)}))
        trace_formats.write(self._folder / "recording.json", recording.text())

    def told(self) -> dict[str, Any]:
        """Return what is told of the session in a list: its title, its address, its events, and those that are left."""
        kept, found = self._json("title.json") or {}, self._json("told.json")
        return {**kept, "left": None if found is None else len(found.get("trace", []))}

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

    def keep_before(self, login: Recording) -> None:
        """Keep what is done before the session each time."""
        trace_formats.write(self._folder / "before.json", login.text())

    def before(self) -> Recording | None:
        """Return what is done before the session each time."""
        return self._parsed("before.json")

    def keep_runs(self, runs: list[dict[str, Any]]) -> None:
        """Keep what each reduction took."""
        trace_formats.write(self._folder / "runs.json", json.dumps({"runs": runs}))

    def runs(self) -> list[dict[str, Any]]:
        """Return what each reduction took."""
        kept = (self._json("runs.json") or {}).get("runs", [])
        return kept if isinstance(kept, list) else []

    def forget_runs(self) -> None:
        """Forget what reductions took: they answer another question."""
        (self._folder / "runs.json").unlink(missing_ok=True)

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
