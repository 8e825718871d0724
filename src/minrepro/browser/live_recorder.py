"""Records what a user does in a page, as Recorder steps, with the abstract state after each unit where that is wanted.

Keys are recorded one by one even in rich-text editors, where Chrome's Recorder keeps the final text only. What the
Recorder has no step for is a custom step: drags, wheel turns, pastes, composed text, files. Answers to dialogs belong
to the step that opened them, and what a person does with the browser's own buttons is a navigation with its `history`.
"""

from __future__ import annotations

import asyncio
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
_BY_HAND = ("typed", "address_bar", "auto_bookmark", "keyword", "generated")
"""How the browser calls a navigation that a person typed or chose."""


class Recorder:
    """A session that is being recorded."""

    def __init__(
        self,
        url: str,
        viewport: tuple[int, int] = (1000, 700),
        state: str | None = None,
        tell: Callable[[RecorderStep], None] = lambda step: None,
        *,
        passwords: bool = False,
    ) -> None:
        """`tell` hears of each step as it is recorded; passwords are masked unless they are wanted."""
        self._passwords = passwords
        self._navigating: dict[Page, tuple[int, list[int]]] = {}
        """Where each window was in its history, and the entries that this had."""
        self._by_page = False
        """Whether the page itself goes through its history."""
        self._pasted = ""
        self._is_open = False
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
        asked = "window.__minrepro_passwords = true;\n" if self._passwords else ""
        await context.add_init_script(asked + script("record.js"))
        self.page = await context.new_page()
        self.page.on("pageerror", self._thrown)
        context.on("page", self._window_opened)
        if witness is None:  # a person answers the dialogs, in the window
            await self._follow(self.page)
        try:
            await self.page.goto(self.url)
        except BrowserError as error:
            raise InputError(not_opened(self.url, error)) from None
        if witness is None:
            session = await context.new_cdp_session(self.page)
            self._navigating[self.page] = _place_in(await session.send("Page.getNavigationHistory"))
            self._is_open = True
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

    async def _follow(self, page: Page) -> None:
        """Hear of what a person does outside of a window's page: dialogs, history, closing."""
        try:
            session = await page.context.new_cdp_session(page)
            await session.send("Page.enable")
            self._navigating[page] = _place_in(await session.send("Page.getNavigationHistory"))
        except BrowserError:
            return  # it was closed already
        page.on("dialog", lambda dialog: None)  # else nobody would see it

        async def went(told: dict[str, Any], loaded: bool) -> None:
            if loaded and told["frame"].get("parentId"):
                return
            try:
                self._note_navigation(page, await session.send("Page.getNavigationHistory"), loaded)
            except BrowserError:
                return

        session.on("Page.javascriptDialogClosed", self._answered)
        session.on("Page.frameNavigated", lambda told: asyncio.ensure_future(went(told, True)))
        session.on("Page.navigatedWithinDocument", lambda told: asyncio.ensure_future(went(told, False)))

    def _window_opened(self, page: Page) -> None:
        if page is not self.page:
            page.on("pageerror", self._thrown)
            page.on("close", lambda closed: self._window_closed(closed))
            task = asyncio.ensure_future(self._follow(page))
            task.add_done_callback(lambda ended: ended.cancelled() or ended.exception())

    def _window_closed(self, page: Page) -> None:
        if self.page is not None and not self.page.is_closed() and not self._by_page:
            self._add({"type": "close", "target": page.url})

    def _answered(self, told: dict[str, Any]) -> None:
        """Note how a person answered a dialog with the step that opened it."""
        if self.steps:
            answer = {"accept": bool(told["result"])} | ({"text": told["userInput"]} if told.get("userInput") else {})
            self._opener().setdefault("dialogs", []).append(answer)

    def _opener(self) -> RecorderStep:
        acting = [step for step in self.steps if step["type"] != "keyUp"]
        return acting[-1] if acting else self.steps[-1]

    def _note_navigation(self, page: Page, told: dict[str, Any], loaded: bool) -> None:
        """Record a navigation that a person asked the browser for."""
        before, ids = self._navigating.get(page, (0, []))
        if not self._is_open:
            return
        at, known = self._navigating[page] = _place_in(told)
        entry = told["entries"][at]
        way = ""
        if at < before:
            way = "back"
        elif at > before and known[: len(ids)] == ids and known[at] in ids:
            way = "forward"
        elif at == before and loaded and known == ids and entry.get("transitionType") == "reload":
            way = "reload"
        typed = at > before and not way and loaded and entry.get("transitionType") in _BY_HAND
        by_page, self._by_page = self._by_page, False
        if (way or typed) and not by_page and page.url != "about:blank":
            step: RecorderStep = {"type": "navigate", "url": entry["url"], "target": self._target(page)}
            self._add({**step, "history": way} if way else step)

    def _target(self, page: Page) -> str:
        return "main" if page is self.page else page.url

    def _add(self, step: RecorderStep) -> None:
        self.steps.append(step)
        self._tell(step)

    async def _heard(self, source: dict[str, Any], text: str) -> None:
        if len(self.steps) >= _LONGEST:
            return
        step: RecorderStep = json.loads(text)
        if step["type"] == "history":
            self._by_page = True
            return
        self._by_page = False
        if source["page"] is not self.page:
            step["target"] = source["page"].url
        if self._is_known(step):
            return
        self._add(step)
        if step["type"] != "keyDown":
            await self.note_state()

    def _is_known(self, step: RecorderStep) -> bool:
        """Take back what a step stands for, too; tell whether another one stands for it already."""
        last: RecorderStep = self.steps[-1] if self.steps else {"type": ""}
        # A double click is one step, not a click and then another.
        if step.pop("replaces", 0) and last["type"] == "click":
            self.steps.pop()
        # What was pasted is what counts, not the keys that did it, which would paste something else another time.
        if step.pop("instead", 0) and last["type"] == "keyDown" and last["key"] not in MODIFIERS:
            self._pasted = self.steps.pop()["key"]
        elif step["type"] == "keyUp" and self._pasted and step["key"].lower() == self._pasted.lower():
            self._pasted = ""
            return True
        if step.pop("joins", False) and last.get("name") == "wheel":
            for axis in ("deltaX", "deltaY"):
                last["parameters"][axis] += step["parameters"][axis]
            return True
        return False


def _place_in(told: dict[str, Any]) -> tuple[int, list[int]]:
    """Return where a window is in its history, and what that has."""
    return int(told["currentIndex"]), [int(entry["id"]) for entry in told["entries"]]
