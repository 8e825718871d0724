"""Hears of all that goes wrong in the pages of a context, of their requests, and of what a quick reset cannot undo."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from minrepro.browser.chromium import (
    BrowserContext,
    BrowserError,
    ConsoleMessage,
    Dialog,
    Frame,
    Page,
    Request,
    Response,
)
from minrepro.browser.page_failures import PageFailure, functions_of

_UNCOUNTED = ("websocket", "eventsource", "media", "ping")
_FLOOD = 1500
"""A page that has asked for so much since it was opened does so without end, and is no longer listened to for that."""


class PageObserver:
    """What was seen in one page, and in the windows that it opened."""

    def __init__(self, frames: int = 1) -> None:
        """So many functions of a stack are part of a failure."""
        self._frames = frames
        self.failures: list[PageFailure] = []
        self.requests: set[Request] = set()
        """Those that are under way."""
        self.origins: set[str] = set()
        self.needs_fresh = ""
        """Why the page must have a fresh context each time; empty when it need not."""
        self.crashed = False
        """Whether a page of the context crashed."""
        self.unreached = ""
        """The last address that the page went to but could not be reached."""
        self.answers: list[Mapping[str, Any]] = []
        """How the next dialogs are answered; the others are accepted."""
        self._pages = 0
        self._asked_for = 0
        self._heard: dict[str, Callable[[Any], None]] = {
            "request": self._requested,
            "requestfinished": self._ended,
            "requestfailed": self._refused,
            "response": self._answered,
        }

    def follow(self, context: BrowserContext) -> None:
        """Hear of what happens in a new context."""
        self._pages, self.crashed = 0, False
        context.on("page", self._opened)
        context.on("serviceworker", lambda worker: self._must_be_fresh("it has a service worker"))

    def begin_anew(self) -> None:
        """Forget what was seen so far, but not what was learnt of the session."""
        self.failures.clear()
        self.requests.clear()
        self.unreached = ""
        if self._asked_for < _FLOOD:
            self._asked_for = 0

    def note_crash(self) -> None:
        """Note that the page crashed, once."""
        if not self.crashed:
            self.crashed = True
            self.failures.append(PageFailure("crash", "the page crashed"))

    def _must_be_fresh(self, why: str) -> None:
        self.needs_fresh = self.needs_fresh or why

    def _opened(self, page: Page) -> None:
        self._pages += 1
        if self._pages > 1:
            self._must_be_fresh("it opens other windows")
        page.on("pageerror", self._thrown)
        page.on("console", self._said)
        page.on("dialog", self._asked)
        page.on("crash", lambda crashed: self.note_crash())
        page.on("framenavigated", self._went)
        if self._asked_for < _FLOOD:
            for name, hear in self._heard.items():
                page.on(name, hear)  # type: ignore[call-overload]

    def _thrown(self, error: Any) -> None:
        name, message = getattr(error, "name", None) or "Error", getattr(error, "message", None) or str(error)
        text = message if message.startswith(name) else f"{name}: {message}"
        self.failures.append(PageFailure("error", text, functions_of(getattr(error, "stack", "") or "", self._frames)))

    def _said(self, message: ConsoleMessage) -> None:
        # What the browser itself says of missing files is noise.
        if message.type == "error" and not message.text.startswith("Failed to load resource"):
            self.failures.append(PageFailure("console", message.text))

    async def _asked(self, dialog: Dialog) -> None:
        if dialog.type != "beforeunload":
            self.failures.append(PageFailure("dialog", f"{dialog.type}: {dialog.message}"))
        answer = self.answers.pop(0) if self.answers else {}
        try:
            if not answer.get("accept", True):
                await dialog.dismiss()
            elif answer.get("text") is not None and dialog.type == "prompt":
                await dialog.accept(answer["text"])
            else:
                await dialog.accept()
        except BrowserError:
            return

    def _went(self, frame: Frame) -> None:
        if frame.url.startswith(("http:", "https:")):
            self.origins.add("/".join(frame.url.split("/")[:3]))
            if len(self.origins) > 1:
                self._must_be_fresh("it has pages of several origins")

    def _requested(self, request: Request) -> None:
        self._asked_for += 1
        if self._asked_for == _FLOOD:
            self._hear_no_more_of(request.frame.page)
        elif request.resource_type not in _UNCOUNTED and request.url.startswith(("http:", "https:")):
            self.requests.add(request)

    def _ended(self, request: Request) -> None:
        self.requests.discard(request)

    def _refused(self, request: Request) -> None:
        self._ended(request)
        if request.is_navigation_request():
            self.unreached = request.url

    def _hear_no_more_of(self, page: Page) -> None:
        """Let a page ask for whatever it wants: to hear of each request would leave time for nothing else."""
        for name, hear in self._heard.items():
            page.remove_listener(name, hear)
        self.requests.clear()

    def _answered(self, response: Response) -> None:
        if response.status >= 500:
            self.failures.append(
                PageFailure("http", f"{response.status} from {response.request.method} {response.url}")
            )
