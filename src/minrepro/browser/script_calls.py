"""What a session does as calls of a few helpers, which each script writes in the words of its tool."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from minrepro.browser.recorder_schema import RecorderStep
from minrepro.browser.recording import Recording
from minrepro.errors import UsageError
from minrepro.traces.user_events import Json

_BUTTONS = {"auxiliary": "middle", "secondary": "right"}


@dataclass(frozen=True)
class Tool:
    """How a tool writes the selectors that are not CSS."""

    deeper: str
    xpath: str
    text: str
    pierce: str
    role: str
    named: str


PLAYWRIGHT = Tool(" >> ", "xpath=%s", "text=%s", "%s", "role=%(role)s[name=%(name)s]", "[aria-label=%s]")
PUPPETEER = Tool(
    " >>>> ",
    "::-p-xpath(%s)",
    "::-p-text(%s)",
    ":scope >>> %s",
    "::-p-aria([role=%(role)s][name=%(name)s])",
    "::-p-aria([name=%s])",
)


def message_of(signature: str) -> str:
    """Return a regular expression for the message in a signature."""
    text = re.sub(r" in [\w$. <]+$", "", signature.partition(": ")[2])
    return ".*".join(re.escape(part) for part in re.split(r"#|URL", text))


def selector(selectors: Any, tool: Tool = PLAYWRIGHT) -> str:
    """Return the first alternative in the words of a tool."""
    first = selectors[0]
    parts = first if isinstance(first, list) else [first]
    return tool.deeper.join(_part(part, tool) for part in parts)


def _part(part: str, tool: Tool) -> str:
    for prefix, form in (("xpath/", tool.xpath), ("text/", tool.text), ("pierce/", tool.pierce)):
        if part.startswith(prefix):
            return form % part[len(prefix) :]
    match = re.match(r"^aria/(.*?)(?:\[role=\"([^\"]*)\"\])?$", part, re.DOTALL)
    if match is None:
        return part
    name = json.dumps(match[1], ensure_ascii=False)
    return tool.role % {"role": match[2], "name": name} if match[2] else tool.named % name


def calls(recording: Recording, say: Callable[[str, tuple[Any, ...]], str], tool: Tool = PLAYWRIGHT) -> list[str]:
    """Return the calls of a script; `say` writes one call with its arguments."""
    lines: list[str] = []
    frame: list[int] = []
    for number, step in enumerate(recording.steps(), 1):
        if step.get("target", "main") not in ("main", recording.url):
            raise UsageError(f"step {number} is in another window, which only Recorder JSON and text can express")
        if (step.get("frame") or []) != frame:
            frame = step.get("frame") or []
            lines.append(say("within", (frame,)))
        found = _call(step, tool)
        if found is not None:
            lines.append(say(*found))
    return lines


def _call(step: RecorderStep, tool: Tool) -> tuple[str, tuple[Any, ...]] | None:
    """Return which of the helpers does a step, and with what."""
    where = selector(step["selectors"], tool) if step.get("selectors") else None
    given: Mapping[str, Json] = step.get("parameters") or {}
    match step["type"]:
        case "setViewport":
            return "size", (step["width"], step["height"])
        case "navigate":
            return "go", (step["url"],)
        case "click" | "doubleClick":
            place = (None, None) if step.get("anywhere") else (step.get("offsetX"), step.get("offsetY"))
            count = 2 if step["type"] == "doubleClick" else 1
            return "click", (where, *place, _BUTTONS.get(step.get("button", ""), "left"), count)
        case "hover":
            return "hover", (where,)
        case "change":
            return "fill", (where, step["value"])
        case "keyDown" | "keyUp":
            return ("down" if step["type"] == "keyDown" else "up"), (step["key"],)
        case "scroll":
            return "scroll", (where, step.get("x", 0), step.get("y", 0))
        case "waitForElement":
            return "wait", (where,)
        case "waitForExpression":
            return "until", (step["expression"],)
        case "customStep" if step["name"] == "drag":
            return "drag", (selector(given["from"], tool), selector(given["to"], tool))
        case "customStep" if step["name"] == "wheel":
            return "wheel", (given.get("deltaX", 0), given.get("deltaY", 0))
        case "customStep" if step["name"] == "paste":
            return "paste", (given.get("text", ""),)
    return None
