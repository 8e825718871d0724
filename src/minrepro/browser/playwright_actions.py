"""Actions that Playwright recorded (`playwright codegen --target jsonl`) as steps."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from minrepro.browser.recorder_schema import RecorderStep
from minrepro.errors import InputError

_MODIFIERS = ((1, "Alt"), (2, "Control"), (4, "Meta"), (8, "Shift"))
_BUTTONS = {"right": "secondary", "middle": "auxiliary"}
_NAMED = re.compile(r"^internal:(label|text|role|attr|testid)=(.*)$", re.DOTALL)
_ATTRIBUTE = re.compile(r'^\[([\w-]+)="((?:[^"\\]|\\.)*)"[is]?\]$', re.DOTALL)
_ROLE = re.compile(r'^(\w+)(?:\[name="((?:[^"\\]|\\.)*)"[is]?\])?$', re.DOTALL)


def looks_like(text: str) -> bool:
    """Return whether a text is what Playwright writes: one action in each line, after a line of options."""
    first = text.lstrip().partition("\n")[0]
    return first.startswith("{") and '"browserName"' in first


def steps(text: str, name: str) -> list[RecorderStep]:
    """Return the steps of the actions."""
    found: list[RecorderStep] = []
    first = ""
    for number, line in enumerate(text.splitlines(), 1):
        if number == 1 or not line.strip():
            continue
        where = f"{name}: line {number}"
        try:
            action = json.loads(line)
        except json.JSONDecodeError as error:
            raise InputError(f"{where} is not JSON: {error}") from None
        if not isinstance(action, dict) or not isinstance(action.get("name"), str):
            raise InputError(f"{where} is not an action with a name")
        first = first or str(action.get("pageGuid") or "")
        if str(action.get("pageGuid") or first) != first:
            raise InputError(f"{where}: only the first window is supported; record with web record")
        found += _steps(action, where)
    return found


def _steps(action: Mapping[str, Any], where: str) -> list[RecorderStep]:
    kind = action["name"]
    if kind in ("openPage", "closePage") or kind.startswith("assert"):
        url = action.get("url")
        opens = kind == "openPage" and isinstance(url, str) and url.startswith("http")
        return [{"type": "navigate", "url": url}] if opens else []
    if kind == "navigate":
        return [{"type": "navigate", "url": str(action.get("url"))}]
    ways = [_selector(str(action.get("selector") or ""), where)]
    click: RecorderStep = {"type": "click", "selectors": ways, "anywhere": True}
    match kind:
        case "click":
            double = {"type": "doubleClick"} if action.get("clickCount") == 2 else {}
            button = _BUTTONS.get(str(action.get("button")), "")
            return _held(action, [{**click, **double, **({"button": button} if button else {})}])
        case "check" | "uncheck":
            return [click]
        case "hover":
            return [{"type": "hover", "selectors": ways}]
        case "fill":
            return [{"type": "change", "selectors": ways, "value": str(action.get("text", ""))}]
        case "select":
            return [{"type": "change", "selectors": ways, "value": "\n".join(map(str, action.get("options") or []))}]
        case "press":
            key = str(action.get("key", ""))
            return _held(action, [{"type": "keyDown", "key": key}, {"type": "keyUp", "key": key}])
    raise InputError(f"{where}: {kind!r} is not supported; remove the line")


def _held(action: Mapping[str, Any], made: list[RecorderStep]) -> list[RecorderStep]:
    """Return steps with the modifiers that are held meanwhile."""
    given = action.get("modifiers")
    keys = [name for bit, name in _MODIFIERS if isinstance(given, int) and given & bit]
    down = [{"type": "keyDown", "key": key} for key in keys]
    return [*down, *made, *({"type": "keyUp", "key": key} for key in reversed(keys))]


def _selector(given: str, where: str) -> str | list[str]:
    parts = [_part(part, where) for part in given.split(" >> ") if part != "nth=0"]
    if not given or not parts:
        raise InputError(f"{where} has no selector")
    return parts[0] if len(parts) == 1 else parts


def _part(part: str, where: str) -> str:
    match = _NAMED.match(part)
    if match is None:
        if part.startswith(("internal:", "nth=")):
            raise InputError(f"{where}: the selector {part!r} is not supported")
        return (
            f"xpath/{part.removeprefix('xpath=')}" if part.startswith(("xpath=", "//")) else part.removeprefix("css=")
        )
    kind, rest = match[1], match[2]
    if kind == "role" and (role := _ROLE.match(rest)):
        return f'aria/{_plain(role[2] or "")}[role="{role[1]}"]'
    if kind in ("attr", "testid") and (attribute := _ATTRIBUTE.match(rest)):
        return f"[{attribute[1]}={json.dumps(_plain(attribute[2]), ensure_ascii=False)}]"
    text = _plain(rest.rstrip("is").strip('"'))
    return f"aria/{text}" if kind == "label" else f"text/{text}"


def _plain(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", text)
