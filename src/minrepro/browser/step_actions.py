"""Does the steps of a recording with real mouse and keyboard events."""

from __future__ import annotations

import asyncio
import contextlib
import time
from base64 import b64decode
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, Protocol

from minrepro.browser.chromium import BrowserError, FilePayload, Frame, Page
from minrepro.browser.package_files import script
from minrepro.browser.recorder_schema import RecorderStep
from minrepro.browser.session_units import ARIA, first_selector
from minrepro.browser.waiting import Waits
from minrepro.traces.app_replay import CannotFire

_OPENED_WITHIN = 0.1
"""Seconds after which the browser has told of a window that is being opened."""
_TAKEN = "function () { return window.__minrepro ? __minrepro.taken(this) : null; }"
_SCROLLED_WITHIN = 0.15
"""Seconds in which the browser has scrolled what a wheel turns, which it does a frame later."""
_INSIDE = """e => [e.clientLeft + parseFloat(getComputedStyle(e).paddingLeft),
  e.clientTop + parseFloat(getComputedStyle(e).paddingTop)]"""
"""How far the page in a frame is from the corner of the frame's border."""
_BUTTONS = {"primary": "left", "auxiliary": "middle", "secondary": "right"}


class ActedOn(Protocol):
    """The page in which steps are done, and what is noted of it meanwhile."""

    page: Page | None
    slowest: float
    came_late: bool
    ways: list[list[str | list[str]]] | None
    """All ways to the elements that were acted on, the one that found it first; None while nobody wants them."""
    looking: Callable[[dict[str, float]], Awaitable[None]] | None
    """Hears of the place in the window of each element that is about to be acted on."""

    @property
    def unreached(self) -> str:
        """The last address that the page went to but could not be reached."""
        ...

    async def rest(self, thorough: bool = False) -> bool:
        """Wait until nothing is under way in the page; tell whether that was reached."""
        ...


class Actor:
    """Does the steps of one unit."""

    def __init__(self, tab: ActedOn, manners: Waits) -> None:
        self._tab = tab
        self._manners = manners
        self._held: list[str] = []

    async def release(self) -> None:
        """Let go of keys that are still held: the next unit must not feel them."""
        page = self._tab.page
        if page is None or page.is_closed():
            return
        for key in reversed(self._held):
            try:
                await page.keyboard.up(key)
            except BrowserError:
                return
        self._held.clear()

    async def press(self, steps: Sequence[RecorderStep]) -> bool:
        """Press a key or a chord in one go, which is quicker, if that is what the steps are; tell whether it was."""
        half = len(steps) // 2
        keys = [str(step["key"]) for step in steps[:half] if step["type"] == "keyDown"]
        up = [str(step["key"]) for step in steps[half:] if step["type"] == "keyUp"]
        simple = all(step.get("target", "main") == "main" and "dialogs" not in step for step in steps)
        if not keys or len(keys) * 2 != len(steps) or up != keys[::-1] or not simple:
            return False
        try:
            await (await self._page(steps[0])).keyboard.press("+".join(keys))
        except BrowserError as error:
            if "Unknown key" in error.message:
                return False
            raise
        return True

    async def do(self, step: RecorderStep) -> None:
        """Do one step."""
        page = await self._page(step)
        match step["type"]:
            case "click" | "doubleClick":
                await self._click(page, step)
            case "hover":
                x, y, _ = await self._place(page, step)
                await page.mouse.move(x, y)
            case "change":
                await self._change(page, step)
            case "keyDown" | "keyUp":
                await self._key(page, step)
            case "navigate" if step.get("history") == "back":
                await page.go_back(timeout=self._manners.hang * 1000)
            case "navigate" if step.get("history") == "forward":
                await page.go_forward(timeout=self._manners.hang * 1000)
            case "navigate" if step.get("history") == "reload":
                await page.reload(timeout=self._manners.hang * 1000)
            case "navigate":
                try:
                    await page.goto(step["url"], timeout=self._manners.hang * 1000)
                except BrowserError as error:
                    if "Download is starting" not in error.message:  # which leaves the page where it is
                        raise
            case "scroll":
                frame = self._frame(page, step)
                arguments = [step.get("selectors"), step.get("x"), step.get("y")]
                if not await frame.evaluate("([s, x, y]) => __minrepro.scroll(s, x, y)", arguments):
                    raise CannotFire(f"no element {first_selector(step)} to scroll")
            case "waitForElement":
                await self._until(page, step, "step => __minrepro.counts(step)", step, first_selector(step))
            case "waitForExpression":
                expression = f"() => Boolean({step['expression']})"
                await self._until(page, step, expression, None, step["expression"])
            case "setViewport":
                await page.set_viewport_size({"width": int(step["width"]), "height": int(step["height"])})
            case "emulateNetworkConditions":
                session = await page.context.new_cdp_session(page)
                speeds = {"downloadThroughput": step["download"], "uploadThroughput": step["upload"]}
                await session.send(
                    "Network.emulateNetworkConditions", {"offline": False, "latency": step["latency"], **speeds}
                )
            case "close":
                await page.close()
            case "customStep":
                await self._own(page, step)

    async def _page(self, step: RecorderStep) -> Page:
        """Return the page that a step is for, waiting for a window that is being opened."""
        begin = time.monotonic()
        while True:
            page, target = self._tab.page, step.get("target") or "main"
            if page is None or page.is_closed():
                raise CannotFire("the page is closed")
            if target == "main":
                return page
            others = [other for other in page.context.pages if other is not page]
            for other in others:
                if other.url == target:
                    return other
            if any(frame.url == target for frame in page.frames):
                return page
            opening = any(other.url in ("", "about:blank") for other in others)
            if time.monotonic() - begin > (self._manners.element if opening else _OPENED_WITHIN):
                raise CannotFire(f"no window has {target}")
            await asyncio.sleep(0.005)

    def _frame(self, page: Page, step: RecorderStep) -> Frame:
        target = step.get("target") or "main"
        frame = next((frame for frame in page.frames if frame.url == target), page.main_frame)
        for index in step.get("frame") or []:
            children = frame.child_frames
            if not isinstance(index, int) or index >= len(children):
                raise CannotFire(f"no frame {step['frame']}")
            frame = children[index]
        return frame

    async def _place(
        self, page: Page, step: RecorderStep, selectors: Any = None
    ) -> tuple[float, float, dict[str, float]]:
        """Return where a step points to: its offset in the element, or the element's middle."""
        box = await self._box(page, step, selectors or step["selectors"])
        left, top = await self._frame_corner(self._frame(page, step))
        x, y = (None, None) if step.get("anywhere") or selectors else (step.get("offsetX"), step.get("offsetY"))
        across = box["width"] / 2 if x is None else x
        down = box["height"] / 2 if y is None else y
        return left + box["x"] + across, top + box["y"] + down, box

    async def _frame_corner(self, frame: Frame) -> tuple[float, float]:
        x = y = 0.0
        if frame.parent_frame is not None:
            element = await frame.frame_element()
            box = await element.bounding_box() or {"x": 0.0, "y": 0.0}
            left, top = await element.evaluate(_INSIDE)
            x, y = box["x"] + left, box["y"] + top
        return x, y

    async def _box(self, page: Page, step: RecorderStep, selectors: Any) -> dict[str, float]:
        """Return the place of the first visible element that a selector finds, after a sensible wait for it."""
        begin = time.monotonic()
        at_rest = begun = False
        while True:
            frame = self._frame(page, step)
            asked = [selectors, self._tab.ways is not None]
            box = await frame.evaluate("given => window.__minrepro ? __minrepro.find(...given) : null", asked)
            if box is None and (at_rest or not begun):
                begun, box = True, await self._in_tree(page, frame, selectors)
            waited = time.monotonic() - begin
            if box is not None:
                self._learn(waited, at_rest)
                ways = box.pop("ways", [])
                if self._tab.ways is not None:
                    self._tab.ways.append(ways)
                if self._tab.looking is not None:
                    left, top = await self._frame_corner(frame)
                    await self._tab.looking({**box, "x": box["x"] + left, "y": box["y"] + top})
                return dict(box)
            if waited > self._manners.element or (at_rest and self._manners.trust_rest):
                raise CannotFire(f"no element {first_selector({'selectors': selectors})}{self._nowhere(page)}")
            at_rest = await self._tab.rest(thorough=True)

    async def _in_tree(self, page: Page, frame: Frame, selectors: Any) -> dict[str, Any] | None:
        """Return the place of the first visible element that the accessibility tree calls as a selector says."""
        names = [way[0] if isinstance(way, list) and len(way) == 1 else way for way in selectors]
        asked = [match for name in names if isinstance(name, str) and (match := ARIA.match(name))]
        if not asked or frame is not page.main_frame:
            return None
        session = await page.context.new_cdp_session(page)
        try:
            root = (await session.send("DOM.getDocument", {"depth": 0}))["root"]["nodeId"]
            for match in asked:
                wanted = {"nodeId": root, "accessibleName": match[1]} | ({"role": match[2]} if match[2] else {})
                for node in (await session.send("Accessibility.queryAXTree", wanted))["nodes"]:
                    element = await session.send("DOM.resolveNode", {"backendNodeId": node["backendDOMNodeId"]})
                    call = {"objectId": element["object"]["objectId"], "functionDeclaration": _TAKEN}
                    found = await session.send("Runtime.callFunctionOn", {**call, "returnByValue": True})
                    if (box := found["result"].get("value")) is not None:
                        return dict(box)
        except BrowserError:  # the page went away meanwhile
            return None
        finally:
            with contextlib.suppress(BrowserError):
                await session.detach()
        return None

    async def _until(self, page: Page, step: RecorderStep, expression: str, argument: Any, what: str) -> None:
        begin = time.monotonic()
        at_rest = False
        while True:
            if await self._frame(page, step).evaluate(expression, argument):
                self._learn(time.monotonic() - begin, at_rest)
                return
            if time.monotonic() - begin > self._manners.element or (at_rest and self._manners.trust_rest):
                raise CannotFire(f"timed out waiting for {what}")
            at_rest = await self._tab.rest(thorough=True)

    def _nowhere(self, page: Page) -> str:
        """Return why a page shows nothing, if it went to where it could not."""
        if not page.url.startswith("chrome-error:"):
            return ""
        return f", because {self._tab.unreached} could not be reached (--allow-network allows other hosts)"

    def _learn(self, waited: float, at_rest: bool) -> None:
        self._tab.slowest = max(self._tab.slowest, waited)
        self._tab.came_late |= at_rest

    async def _click(self, page: Page, step: RecorderStep) -> None:
        x, y, _ = await self._place(page, step)
        if step.get("deviceType") == "touch":
            await page.touchscreen.tap(x, y)
            return
        button: Any = _BUTTONS.get(step.get("button", "primary"), "left")
        count = 2 if step["type"] == "doubleClick" else 1
        await page.mouse.click(x, y, button=button, click_count=count, delay=min(step.get("duration") or 0, 2000))

    async def _change(self, page: Page, step: RecorderStep) -> None:
        await self._box(page, step, step["selectors"])
        value = str(step["value"])
        if await self._frame(page, step).evaluate("value => __minrepro.prepare(value)", value):
            return
        if value:
            await page.keyboard.insert_text(value)
        else:
            await page.keyboard.press("Delete")

    async def _key(self, page: Page, step: RecorderStep) -> None:
        key = str(step["key"])
        try:
            if step["type"] == "keyDown":
                await page.keyboard.down(key)
                self._held.append(key)
            else:
                await page.keyboard.up(key)
                self._held = [held for held in self._held if held != key]
        except BrowserError as error:
            if "Unknown key" not in error.message:
                raise
            if step["type"] == "keyDown":  # a letter that no key of this keyboard has
                await page.keyboard.insert_text(key)

    async def _own(self, page: Page, step: RecorderStep) -> None:
        """Do what the Recorder has no step for; the custom steps of others do nothing here, as in its own replay."""
        given = step.get("parameters") or {}
        match step["name"]:
            case "drag":
                x, y, box = await self._place(page, step, given["from"])
                if "fromOffset" in given:
                    x, y = x - box["width"] / 2 + given["fromOffset"][0], y - box["height"] / 2 + given["fromOffset"][1]
                to_x, to_y, box = await self._place(page, step, given["to"])
                if "toOffset" in given:
                    to_x = to_x - box["width"] / 2 + given["toOffset"][0]
                    to_y = to_y - box["height"] / 2 + given["toOffset"][1]
                await page.mouse.move(x, y)
                await page.mouse.down()
                await page.mouse.move(to_x, to_y, steps=8)
                await page.mouse.up()
            case "wheel":
                x, y, box = await self._place(page, step, given["at"])
                if "offset" in given:
                    x, y = x - box["width"] / 2 + given["offset"][0], y - box["height"] / 2 + given["offset"][1]
                await page.mouse.move(x, y)
                await page.mouse.wheel(given.get("deltaX", 0), given.get("deltaY", 0))
                await asyncio.sleep(_SCROLLED_WITHIN)
            case "insert":
                await page.keyboard.insert_text(str(given["text"]))
            case "compose":  # as an input method or a dead key does
                session = await page.context.new_cdp_session(page)
                text = str(given["text"])
                ends = {"selectionStart": len(text), "selectionEnd": len(text)}
                await session.send("Input.imeSetComposition", {"text": text, **ends})
                await session.send("Input.insertText", {"text": text})
                await session.detach()
            case "upload":
                await self._upload(page, step, given)
            case "paste":
                # A page that does not take the paste over gets the text as if it was typed.
                if await self._frame(page, step).evaluate(script("paste.js"), str(given.get("text", ""))):
                    await page.keyboard.insert_text(str(given.get("text", "")))

    async def _upload(self, page: Page, step: RecorderStep, given: Mapping[str, Any]) -> None:
        """Give files to an input, which is often hidden behind a button."""
        frame = self._frame(page, step)
        found = await frame.evaluate_handle("s => window.__minrepro ? __minrepro.first(s) : null", given["to"])
        element = found.as_element()
        if element is None:
            raise CannotFire(f"no element {first_selector({'selectors': given['to']})}{self._nowhere(page)}")
        if self._tab.ways is not None:
            self._tab.ways.append(given["to"])
        files = [
            FilePayload(name=f["name"], mimeType=f.get("type", ""), buffer=b64decode(f["content"]))
            for f in given["files"]
        ]
        await element.set_input_files(files)
