"""What a session does as calls of a few helpers, which each exported script brings along in the words of its tool."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Protocol
from urllib.parse import urlsplit

from minrepro.browser.recorder_schema import RecorderStep
from minrepro.browser.recording import Recording
from minrepro.browser.session_units import ARIA

_CLICK = (None, None, "left", 1, 0)
_BUTTONS = {"auxiliary": "middle", "secondary": "right"}

Selector = str | list[str]


class Tool(Protocol):
    """How a tool is told where an element is."""

    def selector(self, parts: list[str]) -> Any:
        """Return a way to an element in the words of the tool; None where it has none for it."""
        ...


@dataclass(frozen=True)
class Words:
    """The selectors of a tool that writes each of them as one string."""

    deeper: str
    xpath: str
    text: str
    pierce: str
    role: str
    named: str

    def selector(self, parts: list[str]) -> str | None:
        """Return a way to an element in the words of the tool; None where it has none for it."""
        found = [self._part(part) for part in parts]
        return None if None in found else self.deeper.join(part for part in found if part)

    def _part(self, part: str) -> str | None:
        if part.startswith("xpath/"):
            return self.xpath % part[6:]
        if part.startswith("text/"):
            return self.text % quoted(part[5:])
        if part.startswith("pierce/"):
            return self.pierce % part[7:]
        match = ARIA.match(part)
        if match is None:
            return part
        if match[2]:
            return self.role % {"role": match[2], "name": quoted(match[1])}
        return self.named % quoted(match[1]) if self.named else None


class _Selenium:
    """The selectors of WebDriver: a path of CSS or XPath, which goes through a shadow root at each step."""

    def selector(self, parts: list[str]) -> list[list[str]] | None:
        """Return a way to an element in the words of the tool; None where it has none for it."""
        found = [self._part(part) for part in parts]
        return None if None in found else [part for part in found if part]

    def _part(self, part: str) -> list[str] | None:
        kind, _, text = part.partition("/")
        if kind == "text":
            having = f"contains(normalize-space(.), {_of_xpath(' '.join(text.split()))})"
            return ["xpath", f"//*[{having}][not(self::script or self::style)][not(*[{having}])]"]
        if kind in ("xpath", "pierce"):
            return [kind, text]
        return None if kind == "aria" else ["css", part]


def _of_xpath(text: str) -> str:
    """Return a text as a string of XPath, which has no escapes."""
    if "'" not in text:
        return f"'{text}'"
    parts = [f"'{part}'" for part in text.split("'")]
    return "concat(" + ', "\'", '.join(parts) + ")"


PLAYWRIGHT = Words(" >> ", "xpath=%s", ":text(%s)", "%s", "role=%(role)s[name=%(name)s]", "")
PUPPETEER = Words(
    " >>>> ",
    "::-p-xpath(%s)",
    "::-p-text(%s)",
    ":scope >>> %s",
    '::-p-aria([name=%(name)s][role="%(role)s"])',
    "::-p-aria([name=%s])",
)
SELENIUM = _Selenium()


def quoted(text: str) -> str:
    """Return a text as a string of a selector; white space in it is what it is in a page, one space."""
    plain = " ".join(text.split())
    return '"' + plain.replace("\\", "\\\\").replace('"', '\\"') + '"'


def selector(alternatives: list[Selector], tool: Tool = PLAYWRIGHT) -> Any:
    """Return the first alternative for which a tool has words; where it has none, the first one as if it were CSS."""
    ways = [[way] if isinstance(way, str) else way for way in alternatives]
    found = (tool.selector(way) for way in ways)
    last = ways[0][-1].partition("/")[2] or ways[0][-1]
    return next((way for way in found if way is not None), tool.selector([f"[aria-label={quoted(last)}]"]))


@dataclass(frozen=True)
class Address:
    """An address of the session, which begins where the page is served."""

    path: str
    """What follows the base address; or a whole address, if it lies elsewhere."""


Call = tuple[str, tuple[Any, ...]]


def calls(recording: Recording, tool: Tool = PLAYWRIGHT) -> list[Call]:
    """Return which helpers do the session, each with its arguments."""
    found: list[Call] = []
    place: tuple[Any, ...] = ([], None)
    for step in recording.steps():
        here = (step.get("frame") or [], _window(step, recording))
        if here != place and step["type"] not in ("setViewport", "navigate"):
            place = here
            found.append(("within", place))
        found += _calls(step, recording, tool)
        if step["type"] == "close":
            place = ([], None)
    return found


def base_of(recording: Recording) -> str:
    """Return where the page of a session was served when it was recorded."""
    place = urlsplit(recording.url)
    return f"{place.scheme}://{place.netloc}" if place.netloc else ""


def _address(url: str, recording: Recording) -> Address:
    base = base_of(recording)
    return Address(url.removeprefix(base) if base and url.startswith((f"{base}/", f"{base}?")) else url)


def _window(step: RecorderStep, recording: Recording) -> Address | None:
    target = step.get("target") or "main"
    return None if target in ("main", recording.url) else _address(target, recording)


def _calls(step: RecorderStep, recording: Recording, tool: Tool) -> Iterator[Call]:
    """Yield which of the helpers do a step, and with what."""
    for answer in step.get("dialogs") or []:
        yield "answers.append", ((bool(answer.get("accept", True)), answer.get("text")),)
    where = selector(step["selectors"], tool) if step.get("selectors") else None
    place = (None, None) if step.get("anywhere") else (step.get("offsetX"), step.get("offsetY"))
    match step["type"]:
        case "setViewport":
            yield "size", (step["width"], step["height"])
        case "navigate" if step.get("history"):
            yield "history", (step["history"],)
        case "navigate":
            yield "go", (_address(step["url"], recording),)
        case "click" if step.get("deviceType") == "touch":
            yield "tap", _short((where, *place), _CLICK)
        case "click" | "doubleClick":
            count = 2 if step["type"] == "doubleClick" else 1
            button = _BUTTONS.get(step.get("button", ""), "left")
            held = min(step.get("duration") or 0, 2000)
            yield "click", _short((where, *place, button, count, held), _CLICK)
        case "hover":
            yield "hover", _short((where, *place), _CLICK)
        case "change":
            yield "fill", (where, str(step["value"]))
        case "keyDown" | "keyUp":
            yield ("down" if step["type"] == "keyDown" else "up"), (step["key"],)
        case "scroll":
            yield "scroll", (where, step.get("x", 0), step.get("y", 0))
        case "waitForElement":
            wanted = [step.get(name) for name in ("visible", "attributes", "properties")]
            args = (where, step.get("operator") or ">=", step.get("count", 1), *wanted)
            yield "wait", _short(args, (">=", 1, None, None, None))
        case "waitForExpression":
            yield "until", (step["expression"],)
        case "emulateNetworkConditions":
            yield "network", (step["download"], step["upload"], step["latency"])
        case "close":
            yield "close", ()
        case "customStep":
            yield from _own(step["name"], step.get("parameters") or {}, tool)


def _own(name: str, given: Mapping[str, Any], tool: Tool) -> Iterator[Call]:
    match name:
        case "drag":
            ends = selector(given["from"], tool), selector(given["to"], tool)
            offsets = [given.get(name) for name in ("fromOffset", "toOffset")]
            yield "drag", (*ends, *(offset or [None, None] for offset in offsets)) if any(offsets) else ends
        case "wheel":
            offset = given.get("offset") or [None, None]
            yield "wheel", (selector(given["at"], tool), *offset, given.get("deltaX", 0), given.get("deltaY", 0))
        case "paste" | "insert" | "compose":
            yield name, (given["text"],)
        case "upload":
            files = [[file["name"], file.get("type", ""), file.get("content", "")] for file in given["files"]]
            yield "upload", (selector(given["to"], tool), *files)


def _short(args: tuple[Any, ...], usual: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return arguments without those at the end that the helper takes anyway."""
    kept = list(args)
    while len(kept) > 1 and kept[-1] == usual[len(kept) - 2]:
        kept.pop()
    return tuple(kept)
