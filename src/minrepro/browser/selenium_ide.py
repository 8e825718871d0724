"""Selenium IDE projects (`.side`) as steps: the commands that do something, and those that wait for something."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import urljoin

from minrepro.browser.recorder_schema import RecorderStep
from minrepro.errors import InputError
from minrepro.traces.user_events import Json

_KEY = re.compile(r"\$\{KEY_([A-Z_0-9]+)\}")
_KEYS = {
    "ENTER": "Enter", "RETURN": "Enter", "TAB": "Tab", "ESC": "Escape", "ESCAPE": "Escape", "SPACE": " ",
    "BACKSPACE": "Backspace", "BKSP": "Backspace", "DELETE": "Delete", "DEL": "Delete", "UP": "ArrowUp",
    "DOWN": "ArrowDown", "LEFT": "ArrowLeft", "RIGHT": "ArrowRight", "HOME": "Home", "END": "End",
    "PAGE_UP": "PageUp", "PAGE_DOWN": "PageDown", "CTRL": "Control", "CONTROL": "Control", "SHIFT": "Shift",
    "ALT": "Alt", "META": "Meta",
}  # fmt: skip
_HELD = {"Control", "Shift", "Alt", "Meta"}
_IGNORED = {"", "close", "echo", "pause", "mouseOut", "setSpeed", "runScript", "storeWindowHandle"}


def looks_like(document: Json) -> bool:
    """Return whether a JSON document is a Selenium IDE project."""
    return isinstance(document, dict) and isinstance(document.get("tests"), list)


def steps(document: Mapping[str, Json], name: str) -> list[RecorderStep]:
    """Return the steps of the project's first test."""
    tests = document["tests"]
    if not tests or not isinstance(tests[0], dict) or not isinstance(tests[0].get("commands"), list):
        raise InputError(f"{name}: the project has no test with commands")
    found: list[RecorderStep] = []
    frame: list[int] = []
    for number, command in enumerate(tests[0]["commands"], 1):
        if not isinstance(command, dict):
            raise InputError(f"{name}: command {number} is not a JSON object")
        if command.get("skip") or str(command.get("command", "")).startswith("//"):
            continue
        where = f"{name}: command {number}"
        if command.get("command") == "selectFrame":
            frame = _frame(str(command.get("target") or ""), frame, where)
            continue
        made = _steps(command, str(document.get("url", "")), where)
        if any(step["type"] == "navigate" for step in made):
            frame = []
        found += [{**step, "frame": frame} if frame else step for step in made]
    sizes = [step for step in found if step["type"] == "setViewport"][:1]
    return [*sizes, *(step for step in found if step["type"] != "setViewport")]


def _frame(target: str, frame: list[int], where: str) -> list[int]:
    """Return the way to the frame that is chosen from another one."""
    kind, _, value = target.partition("=")
    if kind == "index" and value.isdigit():
        return [*frame, int(value)]
    if target in ("relative=parent", "relative=top"):
        return frame[:-1] if target.endswith("parent") else []
    raise InputError(f"{where}: {target!r} is not a frame such as index=0, relative=parent or relative=top")


def _steps(command: Mapping[str, Any], base: str, where: str) -> list[RecorderStep]:
    kind, target, value = (str(command.get(key) or "") for key in ("command", "target", "value"))
    if kind in _IGNORED:
        return []
    match kind:
        case "open":
            return [{"type": "navigate", "url": urljoin(base, target)}]
        case "selectWindow" if "root" not in target:
            raise InputError(f"{where}: only the first window is supported in a .side file; record with web record")
        case "selectWindow":
            return []
        case "setWindowSize":
            width, _, height = target.partition("x")
            if not (width.isdigit() and height.isdigit()):
                raise InputError(f"{where}: {target!r} is not a window size such as 1000x700")
            return [{"type": "setViewport", "width": int(width), "height": int(height)}]
        case "click" | "check" | "uncheck":
            return [{"type": "click", "selectors": _selectors(command, where), "anywhere": True}]
        case "clickAt" | "doubleClick" | "doubleClickAt":
            double = "doubleClick" if kind.startswith("double") else "click"
            return [{"type": double, "selectors": _selectors(command, where), "anywhere": True}]
        case "type":
            return [{"type": "change", "selectors": _selectors(command, where), "value": value}]
        case "select":
            chosen = value.partition("=")[2] if value.startswith(("label=", "value=", "id=")) else value
            return [{"type": "change", "selectors": _selectors(command, where), "value": chosen}]
        case "mouseOver":
            return [{"type": "hover", "selectors": _selectors(command, where)}]
        case "sendKeys":
            return [{"type": "click", "selectors": _selectors(command, where), "anywhere": True}, *_typed(value, where)]
        case "dragAndDropToObject":
            ends = {"from": _selectors(command, where), "to": [_selector(value, where)]}
            return [{"type": "customStep", "name": "drag", "parameters": ends}]
        case "assertElementPresent" | "waitForElementPresent" | "waitForElementVisible" | "verifyElementPresent":
            return [{"type": "waitForElement", "selectors": _selectors(command, where)}]
        case "assertElementNotPresent" | "waitForElementNotPresent" | "verifyElementNotPresent":
            absent = {"operator": "==", "count": 0}
            return [{"type": "waitForElement", "selectors": _selectors(command, where), **absent}]
    raise InputError(f"{where}: {kind!r} is not supported; disable it in Selenium IDE or remove it from the file")


def _selectors(command: Mapping[str, Any], where: str) -> list[str]:
    given = [str(command.get("target") or "")]
    given += [str(pair[0]) for pair in command.get("targets") or [] if isinstance(pair, list) and pair]
    return [_selector(locator, where) for locator in dict.fromkeys(given)]


def _selector(locator: str, where: str) -> str:
    kind, equals, text = locator.partition("=")
    match kind if equals else "":
        case "id":
            return f'[id="{text}"]'
        case "name":
            return f'[name="{text}"]'
        case "css":
            return text
        case "xpath":
            return f"xpath/{text}"
        case "linkText" | "link" | "partialLinkText":
            return f"text/{text}"
        case "class":
            return f".{text}"
    if locator.startswith("//"):
        return f"xpath/{locator}"
    raise InputError(f"{where}: {locator!r} is not a locator (id=, name=, css=, xpath=, linkText=)")


def _typed(value: str, where: str) -> list[RecorderStep]:
    keys: list[str] = []
    place = 0
    for match in _KEY.finditer(value):
        keys += value[place : match.start()]
        if match[1] not in _KEYS:
            raise InputError(f"{where}: unknown key {match[0]}")
        keys.append(_KEYS[match[1]])
        place = match.end()
    keys += value[place:]
    found: list[RecorderStep] = []
    held: list[str] = []
    for key in keys:
        found.append({"type": "keyDown", "key": key})
        if key in _HELD:
            held.append(key)
        else:
            found.append({"type": "keyUp", "key": key})
    return [*found, *({"type": "keyUp", "key": key} for key in reversed(held))]
