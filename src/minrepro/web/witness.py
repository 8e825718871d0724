"""Hears of all that goes wrong in the pages of a context, of their requests, and of what a quick reset cannot undo."""

from __future__ import annotations

from typing import Any

from minrepro.web.browser import BrowserContext, BrowserError, ConsoleMessage, Dialog, Page, Request, Response
from minrepro.web.failures import Failure, functions_of

_UNCOUNTED = ("websocket", "eventsource", "media", "ping")


class Witness:
    """What was seen in one page, and in the windows that it opened."""

    def __init__(self, frames: int = 1) -> None:
        """So many functions of a stack are part of a failure."""
        self._frames = frames
        self.failures: list[Failure] = []
        self.requests: set[Request] = set()
        """Those that are under way."""
        self.origins: set[str] = set()
        self.needs_fresh = ""
        """Why this session must have a fresh context each time; empty when it need not."""
        self.crashed = False
        """Whether a page of the context crashed."""
        self._pages = 0

    def follow(self, context: BrowserContext) -> None:
        """Hear of what happens in a new context."""
        self._pages, self.crashed = 0, False
        context.on("page", self._opened)
        context.on("serviceworker", lambda worker: self._must_be_fresh("it has a service worker"))

    def begin_anew(self) -> None:
        """Forget what was seen so far, but not what was learnt of the session."""
        self.failures.clear()
        self.requests.clear()

    def note_crash(self) -> None:
        """Note that the page crashed, once."""
        if not self.crashed:
            self.crashed = True
            self.failures.append(Failure("crash", "the page crashed"))

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
        page.on("request", self._requested)
        page.on("requestfinished", self._ended)
        page.on("requestfailed", self._ended)
        page.on("response", self._answered)

    def _thrown(self, error: Any) -> None:
        name, message = getattr(error, "name", None) or "Error", getattr(error, "message", None) or str(error)
        text = message if message.startswith(name) else f"{name}: {message}"
        self.failures.append(Failure("error", text, functions_of(getattr(error, "stack", "") or "", self._frames)))

    def _said(self, message: ConsoleMessage) -> None:
        # What the browser itself says of missing files is noise.
        if message.type == "error" and not message.text.startswith("Failed to load resource"):
            self.failures.append(Failure("console", message.text))

    async def _asked(self, dialog: Dialog) -> None:
        if dialog.type != "beforeunload":
            self.failures.append(Failure("dialog", f"{dialog.type}: {dialog.message}"))
        try:
            await dialog.accept()
        except BrowserError:
            return

    def _requested(self, request: Request) -> None:
        if request.resource_type not in _UNCOUNTED and request.url.startswith(("http:", "https:")):
            self.requests.add(request)
        if request.is_navigation_request() and request.url.startswith(("http:", "https:")):
            self.origins.add("/".join(request.url.split("/")[:3]))
            if len(self.origins) > 1:
                self._must_be_fresh("it has pages of several origins")

    def _ended(self, request: Request) -> None:
        self.requests.discard(request)

    def _answered(self, response: Response) -> None:
        if response.status >= 500:
            self.failures.append(Failure("http", f"{response.status} from {response.request.method} {response.url}"))
