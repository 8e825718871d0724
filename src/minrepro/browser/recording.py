"""A recording as it is replayed: what opens the page, and the units of the session."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit

from minrepro.browser import playwright_actions, selenium_ide
from minrepro.browser.recorder_schema import RecorderStep, checked
from minrepro.browser.session_units import prologue, steps_of, units_of
from minrepro.errors import InputError
from minrepro.traces.user_events import Event, Json, Trace

LARGEST = 32 * 2**20


@dataclass(frozen=True)
class Recording:
    """A session: how its page is opened, and what the user did."""

    opening: tuple[RecorderStep, ...]
    trace: Trace
    head: Mapping[str, Json] = field(default_factory=dict)
    name: str = "recording"
    before: tuple[RecorderStep, ...] = ()
    """What is done before the page is opened, such as to log in; no part of the session."""

    @property
    def url(self) -> str:
        """The address at which it begins."""
        return str(self.opening[-1]["url"])

    @property
    def timeout(self) -> float:
        """How many seconds a step may wait for its element, by what the recording says."""
        given = self.head.get("timeout", 5000)
        return given / 1000 if isinstance(given, int | float) and given > 0 else 5.0

    def steps(self, trace: Iterable[Event] | None = None) -> list[RecorderStep]:
        """Return all steps that are done for the session, or for another trace on the same page."""
        return [*self.before, *self._own_steps(trace)]

    def _own_steps(self, trace: Iterable[Event] | None = None) -> list[RecorderStep]:
        events = self.trace if trace is None else trace
        return [*self.opening, *(step for event in events for step in steps_of(event))]

    def text(self, trace: Iterable[Event] | None = None, **more: Json) -> str:
        """Return the session, or another trace on the same page, as Recorder JSON."""
        flow = {"title": "", **self.head, **more, "steps": self._own_steps(trace)}
        return json.dumps(flow, indent=1, ensure_ascii=False) + "\n"

    def at(self, origin: str) -> Recording:
        """Return the same session with its page on another origin, `http://127.0.0.1:8000`."""
        old, new = urlsplit(self.url), urlsplit(origin)
        if not new.netloc or new.scheme not in ("http", "https"):
            raise InputError(f"{origin} is not an address such as http://127.0.0.1:8000")

        def moved(step: RecorderStep) -> RecorderStep:
            if "url" not in step or urlsplit(step["url"]).netloc != old.netloc:
                return step
            place = urlsplit(step["url"])._replace(scheme=new.scheme, netloc=new.netloc)
            return {**step, "url": urlunsplit(place)}

        made = of_steps([moved(step) for step in self._own_steps()], self.head, self.name)
        return replace(made, before=tuple(moved(step) for step in self.before))

    def after(self, login: Recording) -> Recording:
        """Return the same session, before which another one is done each time."""
        return replace(self, before=tuple(login.steps()))


def of_steps(steps: list[RecorderStep], head: Mapping[str, Json], name: str) -> Recording:
    """Return the recording that consists of these steps."""
    opening, rest = prologue(checked(steps, name))
    if not opening:
        raise InputError(f"{name}: a recording must start with a navigate step")
    return Recording(tuple(opening), units_of(rest), head, name)


def parse(text: str, name: str) -> Recording:
    """Return the recording in a text: Recorder JSON, a Selenium IDE project, or actions of Playwright."""
    if playwright_actions.looks_like(text):
        return of_steps(playwright_actions.steps(text, name), {"title": name}, name)
    try:
        document: Any = json.loads(text)
        json.dumps(document, ensure_ascii=False).encode()  # half of a character could not be written again
    except UnicodeEncodeError:
        raise InputError(f"{name} contains half of a surrogate pair (\\ud800 to \\udfff alone)") from None
    except (json.JSONDecodeError, RecursionError) as error:
        raise InputError(f"{name} is not JSON: {error}\nhint: a recording is Recorder JSON or a .side file") from None
    if isinstance(document, dict) and isinstance(document.get("steps"), list):
        head = {key: value for key, value in document.items() if key != "steps"}
        return of_steps(document["steps"], head, name)
    if selenium_ide.looks_like(document):
        return of_steps(selenium_ide.steps(document, name), {"title": str(document.get("name", ""))}, name)
    raise InputError(f'{name}: neither a recording with "steps" nor a Selenium IDE project with "tests"')


def stored_state(path: Path) -> Mapping[str, Json] | None:
    """Return what a browser keeps, cookies and storage, if a file is that: Playwright's storageState."""
    try:
        document: Any = json.loads(path.read_text(encoding="utf-8-sig"))
    except (OSError, ValueError):
        return None  # whoever reads it as a recording says what is wrong
    is_state = isinstance(document, dict) and "steps" not in document and {"cookies", "origins"} & set(document)
    return document if is_state else None


def read(path: Path) -> Recording:
    """Return the recording in a file."""
    try:
        if path.stat().st_size > LARGEST:
            raise InputError(f"{path} is larger than {LARGEST >> 20} MiB, too large for a recording")
        return parse(path.read_text(encoding="utf-8-sig"), path.name)
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise InputError(f"{path} is not a recording: not UTF-8 text") from None
