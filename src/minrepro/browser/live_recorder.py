"""Records what a user does in a page, as Recorder steps, with the abstract state after each unit where that is wanted.

Keys are recorded one by one even in rich-text editors, where Chrome's Recorder keeps the final text only; so are drags,
wheel turns and pastes, as custom steps.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from minrepro.browser.chromium import BrowserError, Chromium, Page
from minrepro.browser.package_files import script
from minrepro.browser.page_failures import PageFailure
from minrepro.browser.page_observer import PageObserver
from minrepro.browser.recorder_schema import RecorderStep
from minrepro.browser.recording import Recording, of_steps
from minrepro.browser.replay_page import not_opened
from minrepro.browser.session_units import MODIFIERS, units_of
from minrepro.errors import InputError
from minrepro.traces import json_lines
from minrepro.traces.user_events import Entry

_LONGEST = 20_000


class Recorder:
    """A session that is being recorded."""

    def __init__(
        self,
        url: str,
        viewport: tuple[int, int] = (1000, 700),
        state: str | None = None,
        tell: Callable[[RecorderStep], None] = lambda step: None,
    ) -> None:
        """`tell` hears of each step as it is recorded."""
        self.url = url
        self._tell = tell
        self.steps: list[RecorderStep] = []
        self.failures: list[PageFailure] = []
        self._viewport = viewport
        self._state = state
        self._states: list[tuple[int, Any]] = []
        """How many steps there were when the state was seen."""
        self.page: Page | None = None

    async def open(self, chromium: Chromium, witness: PageObserver | None = None) -> Page:
        """Open the page in which the user acts; a witness hears of all that goes wrong, and answers its dialogs."""
        width, height = self._viewport
        context = await chromium.context(viewport={"width": width, "height": height})
        if witness is not None:
            witness.follow(context)
        await context.expose_binding("__minrepro_record", self._heard)
        await context.add_init_script(script("record.js"))
        self.page = await context.new_page()
        self.page.on("pageerror", self._thrown)
        try:
            await self.page.goto(self.url)
        except BrowserError as error:
            raise InputError(not_opened(self.url, error)) from None
        await self.note_state()
        return self.page

    async def note_state(self) -> None:
        """Ask the page for its abstract state, if an expression for it was given."""
        if self._state is None or self.page is None or self.page.is_closed():
            return
        try:
            seen = await self.page.evaluate(f"() => ({self._state})")
        except BrowserError as error:
            if "SyntaxError" in error.message or "ReferenceError" in error.message:
                reason = error.message.splitlines()[0].removeprefix("Page.evaluate: ")
                raise InputError(f"cannot evaluate --app-state {self._state!r}: {reason}") from None
            return
        self._states.append((len(self.steps), seen if isinstance(seen, dict) else {"state": seen}))

    def recording(self, title: str = "") -> Recording:
        """Return what was recorded so far."""
        steps = list(self.steps)
        while steps and steps[-1]["type"] == "keyDown" and steps[-1]["key"] in MODIFIERS:
            steps.pop()  # it was held to close the window
        return of_steps([*self._opening(), *steps], {"title": title}, self.url)

    def log(self) -> str:
        """Return the units with the states after them, as a log that rules are mined from."""
        entries = [Entry(None, state) for count, state in self._states if count == 0][:1]
        states = dict(self._states)
        done = 0
        for event in units_of(self.steps):
            done += len(event.extra["steps"])
            after = next((states[count] for count in range(done, len(self.steps) + 1) if count in states), None)
            entries.append(Entry(event, after))
        while len(entries) > 1 and entries[-1].state is None and entries[-2].state is None:
            entries.pop()
        return json_lines.write(entries)

    def _opening(self) -> list[RecorderStep]:
        width, height = self._viewport
        size = {"type": "setViewport", "width": width, "height": height, "deviceScaleFactor": 1}
        size |= {"isMobile": False, "hasTouch": False, "isLandscape": False}
        asserted = [{"type": "navigation", "url": self.url, "title": ""}]
        return [size, {"type": "navigate", "url": self.url, "assertedEvents": asserted}]

    def _thrown(self, error: Any) -> None:
        self.failures.append(PageFailure("error", f"{error.name}: {error.message}"))

    async def _heard(self, source: dict[str, Any], text: str) -> None:
        if len(self.steps) >= _LONGEST:
            return
        step: RecorderStep = json.loads(text)
        replaced = step.pop("replaces", 0)
        # A double click is one step, not a click and then another.
        if replaced and self.steps and self.steps[-1]["type"] == "click":
            self.steps.pop()
        if step.pop("joins", False) and self.steps and self.steps[-1].get("name") == "wheel":
            for axis in ("deltaX", "deltaY"):
                self.steps[-1]["parameters"][axis] += step["parameters"][axis]
            return
        self.steps.append(step)
        self._tell(step)
        if step["type"] != "keyDown":
            await self.note_state()
