"""A person's hands: real mouse and keyboard events in a window, and what is done with each widget of the page."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from minrepro.browser.chromium import Dialog, Page


class Hands:
    """Moves the mouse and types in a page, and answers what the browser itself asks."""

    def __init__(self, page: Page, widget: str) -> None:
        self.page = page
        self.widget = widget

    async def place(self, selector: str, x: float = 0.5, y: float = 0.5) -> tuple[float, float]:
        """Return a place in an element of the widget, by its share of the element's size."""
        element = self.page.locator(f"#{self.widget} {selector}".strip()).first
        await element.scroll_into_view_if_needed()
        box = await element.bounding_box()
        assert box is not None
        return box["x"] + box["width"] * x, box["y"] + box["height"] * y

    async def move(self, selector: str, x: float = 0.5, y: float = 0.5) -> None:
        """Move the mouse to an element, over all that is on the way."""
        await self.page.mouse.move(*await self.place(selector, x, y), steps=6)

    async def click(self, selector: str, x: float = 0.5, y: float = 0.5, **how: Any) -> None:
        """Click on an element."""
        await self.move(selector, x, y)
        await self.page.mouse.click(*await self.place(selector, x, y), **how)
        await self.wait()

    async def drag(self, start: str, end: str) -> None:
        """Drag from one element to another."""
        await self.move(start)
        await self.page.mouse.down()
        await self.page.mouse.move(*await self.place(end), steps=8)
        await self.page.mouse.up()
        await self.wait()

    async def keys(self, *names: str) -> None:
        """Press keys and chords."""
        for name in names:
            await self.page.keyboard.press(name)
        await self.wait()

    async def type(self, text: str) -> None:
        """Type a text."""
        await self.keys(*text)

    async def answering(self, selector: str, answer: Callable[[Dialog], Awaitable[None]]) -> None:
        """Click on what opens a dialog, and answer it."""
        async with self.page.expect_event("dialog") as asked:
            clicking = asyncio.ensure_future(self.click(selector))
        await answer(await asked.value)
        await clicking

    async def choosing(self, selector: str, *files: Path) -> None:
        """Click on what asks for files, and choose some in the browser's own dialog."""
        session = await self.page.context.new_cdp_session(self.page)
        asked: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
        session.on("Page.fileChooserOpened", lambda told: asked.set_result(told))
        await session.send("Page.enable")
        await session.send("Page.setInterceptFileChooserDialog", {"enabled": True})
        await self.click(selector)
        chosen = {"files": [str(path) for path in files], "backendNodeId": (await asked)["backendNodeId"]}
        await session.send("DOM.setFileInputFiles", chosen)
        await asyncio.sleep(0.2)
        await self.wait()

    async def wait(self) -> None:
        """Let the page do what it has to."""
        await self.page.evaluate("window.__minrepro ? __minrepro.settle(1000, 300, true) : true")


async def _select(hands: Hands) -> None:
    await hands.page.locator("#select select").focus()
    await hands.page.keyboard.press("g")
    await hands.wait()


async def _hold(hands: Hands) -> None:
    await hands.click("input", 0.99)
    for _ in range(3):
        await hands.page.keyboard.down("Backspace")
    await hands.page.keyboard.up("Backspace")


async def _hover_menu(hands: Hands) -> None:
    await hands.move(".menu", 0.2, 0.5)
    await hands.click("button")


async def _deep_menu(hands: Hands) -> None:
    await hands.move(".deep", 0.2, 0.5)
    await hands.move(".deep > ul > li", 0.2, 0.3)
    await hands.click("button")


async def _tip(hands: Hands) -> None:
    button = hands.page.locator(f"#{hands.widget} button")
    await hands.move(".box")
    await hands.wait()
    while not await button.is_visible():  # the browser was too busy to show it while the mouse was there
        await hands.page.mouse.move(0, 0)
        await hands.move(".box")
        await hands.wait()
    await hands.click("button")


async def _wheel(hands: Hands, selector: str, turns: int, down: float) -> None:
    await hands.move(selector)
    for _ in range(turns):
        await hands.page.mouse.wheel(0, down)
        await asyncio.sleep(0.02)
    await asyncio.sleep(0.3)
    await hands.wait()


async def _copy(hands: Hands) -> None:
    await hands.click("input:first-child")
    await hands.keys("Control+a", "Control+c")
    await hands.click("input:last-child")
    await hands.keys("Control+v")


async def _paste(hands: Hands) -> None:
    """Copy from another widget's text, and paste where the page itself takes it."""
    await hands.page.evaluate("""() => { const made = document.createElement('input'); made.value = 'silver';
      document.body.append(made); made.select(); document.execCommand('copy'); made.remove(); }""")
    await hands.click(".box")
    await hands.keys("Control+v")


async def _compose(hands: Hands) -> None:
    await hands.click("input")
    session = await hands.page.context.new_cdp_session(hands.page)
    for text in ("´", "é"):
        await session.send("Input.imeSetComposition", {"text": text, "selectionStart": 1, "selectionEnd": 1})
    await session.send("Input.insertText", {"text": "é"})
    await hands.keys("x")


async def _insert(hands: Hands) -> None:
    await hands.click(".box")
    await hands.page.keyboard.insert_text("🙂")
    await hands.wait()


async def _inner(hands: Hands, depth: int, text: str) -> None:
    frame = hands.page.frame_locator(f"#{hands.widget} iframe")
    for _ in range(depth - 1):
        frame = frame.frame_locator("iframe")
    box = await frame.get_by_text(text).bounding_box()
    assert box is not None
    await hands.page.mouse.move(box["x"] + 5, box["y"] + 5, steps=4)
    await hands.page.mouse.click(box["x"] + 5, box["y"] + 5)
    await hands.wait()


async def _other_window(hands: Hands, opener: str) -> None:
    async with hands.page.expect_popup() as opened:
        await hands.click(opener)
    other = await opened.value
    await other.wait_for_load_state("load")
    await other.bring_to_front()
    box = await other.locator("button").bounding_box()
    assert box is not None
    await other.mouse.click(box["x"] + 5, box["y"] + 5)
    await asyncio.sleep(0.2)
    await other.close()
    await hands.page.bring_to_front()
    await hands.wait()


async def _back(hands: Hands) -> None:
    async with hands.page.expect_navigation():
        await hands.page.mouse.click(*await hands.place("a"))
    await asyncio.sleep(0.2)
    await hands.page.go_back()
    await asyncio.sleep(0.2)


async def _reload(hands: Hands) -> None:
    await hands.page.reload()
    await asyncio.sleep(0.3)


async def _address(hands: Hands) -> None:
    await hands.page.goto(hands.page.url.replace("?", "?x&") + "#typed")
    await asyncio.sleep(0.3)


async def _pushed(hands: Hands) -> None:
    await hands.click("button")
    await hands.page.go_back()
    await asyncio.sleep(0.3)


async def _middle_of(hands: Hands, *more: str) -> None:
    await hands.click("input", 0.5)
    await hands.keys("End", *more)


async def _shift(hands: Hands) -> None:
    await hands.move(".box")
    await hands.page.keyboard.down("Shift")
    await hands.click(".box")
    await hands.page.keyboard.up("Shift")


async def _both(*acts: Awaitable[None]) -> None:
    for act in acts:
        await act


FILE = Path(__file__).parent / "note.txt"
OTHER = Path(__file__).parent / "popup.html"

INTERACTIONS: dict[str, Callable[[Hands], Awaitable[None]]] = {
    "button": lambda h: h.click("button"),
    "link": lambda h: h.click("a"),
    "label": lambda h: h.click("label", 0.2),
    "checkbox": lambda h: _both(h.click("input"), h.click("input")),
    "radio": lambda h: _both(h.click("label:last-child", 0.8), h.click("label:first-child input")),
    "select": _select,
    "multiple": lambda h: _both(h.click("option:first-child"), h.click("option:last-child")),
    "range": lambda h: h.click("input", 0.7),
    "number": lambda h: _both(_middle_of(h, "ArrowUp", "ArrowUp"), h.keys("Tab")),
    "date": lambda h: _both(h.click("input", 0.1), h.type("12242025"), h.keys("Tab")),
    "text": lambda h: _both(h.click("input"), h.type('Ann O\'Neil "<&>"'), h.keys("Tab")),
    "editing": lambda h: _both(_middle_of(h, "ArrowLeft", "Backspace", "x", "Delete")),
    "textarea": lambda h: _both(h.click("textarea"), h.keys("a", "Enter", "b", "Tab")),
    "password": lambda h: _both(h.click("input"), h.type("geheim"), h.keys("Tab")),
    "editor": lambda h: _both(h.click(".box"), h.keys("End", "a", "Backspace", "B", "Control+z")),
    "chord": lambda h: _both(h.click("input"), h.keys("Control+b")),
    "repeat": _hold,
    "tab": lambda h: _both(h.click("button"), h.keys("Tab", "Shift+Tab")),
    "enter": lambda h: _both(h.click("input"), h.type("hi"), h.keys("Enter")),
    "space": lambda h: _both(h.click(".box"), h.keys("Tab", "Space", "Enter")),
    "double": lambda h: h.click("button", click_count=2),
    "right": lambda h: h.click(".box", button="right"),
    "middle": lambda h: h.click(".box", button="middle"),
    "shifted": _shift,
    "long": lambda h: h.click(".box", delay=500),
    "place": lambda h: _both(h.click(".box", 0.9, 0.9), h.click(".box", 0.1, 0.2)),
    "html5drag": lambda h: h.drag("#dragged", "#dropzone"),
    "pointerdrag": lambda h: h.drag("#handle", "#end"),
    "hover": _hover_menu,
    "deephover": _deep_menu,
    "scripthover": _tip,
    "wheelinner": lambda h: _wheel(h, ".scroller", 3, 120),
    "wheelzoom": lambda h: _wheel(h, ".box", 1, -100),
    "copy": _copy,
    "pastehandled": _paste,
    "composed": _compose,
    "emoji": _insert,
    "file": lambda h: h.choosing("input", FILE),
    "hiddenfile": lambda h: h.choosing("button", FILE, OTHER),
    "alert": lambda h: h.answering("button", lambda d: d.accept()),
    "confirmed": lambda h: h.answering("button", lambda d: d.accept()),
    "refused": lambda h: h.answering("button", lambda d: d.dismiss()),
    "prompted": lambda h: h.answering("button", lambda d: d.accept('Ann "O\'Neil" é')),
    "frame": lambda h: _inner(h, 1, "Inner"),
    "nested": lambda h: _inner(h, 2, "Deeper"),
    "shadow": lambda h: h.click("button"),
    "popup": lambda h: _other_window(h, "button"),
    "newtab": lambda h: _other_window(h, "a"),
    "back": _back,
    "reload": _reload,
    "address": _address,
    "pushed": _pushed,
    "details": lambda h: h.click("summary"),
    "late": lambda h: _both(h.click("button"), h.click("#late")),
    "canvas": lambda h: h.click("canvas", 0.9),
}
"""What is done with each widget."""
