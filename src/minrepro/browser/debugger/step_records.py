"""What a replay showed at each step, to be looked at afterwards: pictures, console, network, stacks, the DOM."""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from minrepro.browser.chromium import BrowserContext, BrowserError, ConsoleMessage, Request, Response, WebError
from minrepro.browser.page_failures import printable
from minrepro.browser.replay_page import ReplayPage
from minrepro.browser.session_replay import Observation, Replayer
from minrepro.traces.user_events import Event, Trace

PICTURES = 300
"""Steps of which pictures and the DOM are kept."""
_MOST, _LONGEST, _LARGEST = 200, 2000, 400_000
"""Entries of a step, characters of an entry, and characters of a DOM."""
_AROUND = 3
"""Lines of a source that are shown before and after the one that threw."""
_FRAMES = 8
_FRAME = re.compile(r"^\s*at (?:(?P<name>.*?) \()?(?P<url>[a-z-]+://.*?):(?P<line>\d+):(?P<column>\d+)\)?$")
_TAG = re.compile(r"(?<=>)(?=<)")

_FOCUSED = """(() => {
  const one = document.activeElement;
  if (!one || one === document.body) return null;
  const { x, y, width, height } = one.getBoundingClientRect();
  return { x, y, width, height };
})()"""
_DOM = "document.documentElement.outerHTML"
_SIZE = "[innerWidth, innerHeight]"


@dataclass
class StepRecord:
    """What one step showed."""

    before: bytes | None = None
    """What the page looked like as its element was about to be acted on, if that had to be scrolled to."""
    after: bytes | None = None
    boxes: list[dict[str, float]] = field(default_factory=list)
    """The places of the elements that it acted on, in the picture before."""
    size: list[float] = field(default_factory=list)
    url: str = ""
    console: list[dict[str, str]] = field(default_factory=list)
    network: list[dict[str, str]] = field(default_factory=list)
    errors: list[dict[str, Any]] = field(default_factory=list)
    _dom: bytes = b""

    def keep_dom(self, text: str) -> None:
        """Keep the DOM, one tag in a line."""
        self._dom = zlib.compress("\n".join(_TAG.split(printable(text[:_LARGEST]))).encode(errors="replace"))

    @property
    def dom(self) -> list[str]:
        """The DOM, one tag in a line; nothing if it was not kept."""
        return zlib.decompress(self._dom).decode().split("\n") if self._dom else []


class Track:
    """A replay of a session that can be gone through."""

    def __init__(self, replayer: Replayer, trace: Trace, around: int | None = None) -> None:
        """With more than `PICTURES` events, pictures are taken around one of them, or of the last."""
        self.steps: list[StepRecord] = []
        self._replayer = replayer
        self._trace = trace
        middle = len(trace) if around is None else around
        first = max(0, min(middle - PICTURES // 2, len(trace) - PICTURES + 1))
        self._pictured = range(first, first + PICTURES)
        self._now = StepRecord()
        self._scripts: dict[str, Response] = {}

    def record(self, tell: Callable[[int], None]) -> Observation:
        """Replay the session, and keep what each step shows; `tell` hears of each."""

        async def after(number: int, event: Event | None, tab: ReplayPage) -> None:
            await self._keep(number, tab)
            tell(number)

        self._replayer.followers.append(self._follow)
        try:
            seen = self._replayer.observe(self._trace, after=after)
        finally:
            self._replayer.followers.remove(self._follow)
        if len(self.steps) == seen.fired:  # the page is gone, or the event could not be done
            for error in self._now.errors:
                error.setdefault("frames", [])
                error.pop("stack", None)
            self._now.after = seen.picture
            self.steps.append(self._now)
        return seen

    def before(self, number: int) -> bytes | None:
        """Return what the page looked like before a step."""
        own = self.steps[number].before if number < len(self.steps) else None
        return own or (self.steps[number - 1].after if 0 < number <= len(self.steps) else None)

    def _follow(self, context: BrowserContext) -> None:
        self.steps, self._now, self._scripts = [], StepRecord(), {}
        context.on("console", self._said)
        context.on("response", self._answered)
        context.on("requestfailed", self._unanswered)
        context.on("weberror", self._thrown)

    def _said(self, message: ConsoleMessage) -> None:
        place = message.location
        where = f"{place.get('url', '')}:{place.get('lineNumber', 0) + 1}" if place.get("url") else ""
        _add(self._now.console, {"type": message.type, "text": message.text, "where": where})

    def _answered(self, response: Response) -> None:
        request = response.request
        if request.resource_type in ("script", "document"):
            self._scripts[response.url] = response
        _add(self._now.network, _asked(request) | {"status": str(response.status)})

    def _unanswered(self, request: Request) -> None:
        _add(self._now.network, _asked(request) | {"status": request.failure or "failed"})

    def _thrown(self, error: WebError) -> None:
        thrown = error.error
        _add(self._now.errors, {"text": str(thrown), "stack": getattr(thrown, "stack", "") or ""})

    async def _keep(self, number: int, tab: ReplayPage) -> None:
        """Note what the page shows after a step, and begin the next one."""
        now, pictured = self._now, number in self._pictured
        for error in now.errors:
            error["frames"] = await self._frames(error.pop("stack"))
        now.url = tab.page.url if tab.page is not None else ""
        focused = None
        if pictured:
            now.after = await tab.picture()
            now.keep_dom(str(await tab.ask(_DOM) or ""))
            focused = await tab.ask(_FOCUSED)
        self.steps.append(now)
        self._now = following = StepRecord()
        if number + 1 not in self._pictured:
            tab.looking = None
            return
        following.size = now.size = await tab.ask(_SIZE) or []
        if focused is not None and _has_no_element(self._trace, number):
            following.boxes = [focused]

        async def looking(box: dict[str, float]) -> None:
            following.boxes.append(box)
            picture = await tab.picture()
            if following.before is None and picture != now.after:
                following.before = picture

        tab.looking = looking if number < len(self._trace) else None

    async def _frames(self, stack: str) -> list[dict[str, Any]]:
        """Return the frames of a stack, the innermost first, with the lines of the sources around them."""
        found: list[dict[str, Any]] = []
        for line in stack.splitlines():
            match = _FRAME.match(line)
            if match is None or len(found) == _FRAMES:
                continue
            number = int(match["line"])
            lines = await self._lines(match["url"])
            first = max(1, number - _AROUND)
            shown = [
                {"line": at, "text": printable(text)[:300]}
                for at, text in enumerate(lines[first - 1 : number + _AROUND], first)
            ]
            name = printable(match["name"] or "(anonymous)")
            found.append({"function": name, "url": match["url"], "line": number, "source": shown})
        return found

    async def _lines(self, url: str) -> list[str]:
        response = self._scripts.get(url) or self._scripts.get(url.partition("#")[0])
        try:
            return (await response.text()).splitlines() if response is not None else []
        except (BrowserError, UnicodeDecodeError):
            return []


def _has_no_element(trace: Trace, number: int) -> bool:
    """Return whether the event after so many goes to what has the focus."""
    return number < len(trace) and trace[number].name.startswith("press ")


def _asked(request: Request) -> dict[str, str]:
    return {"method": request.method, "url": request.url, "type": request.resource_type}


def _add(entries: list[dict[str, Any]], entry: dict[str, Any]) -> None:
    if len(entries) < _MOST:
        entries.append(
            {name: printable(value)[:_LONGEST] if name != "stack" else value for name, value in entry.items()}
        )
