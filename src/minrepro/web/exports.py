"""Sessions as tests and scripts of other tools; an exported test fails while the bug is there.

The Python and JavaScript tests find elements with the first selector that their tool knows, act with real mouse and
keyboard events, and end with: no uncaught error of the page whose text has the failure's message.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from string import Template
from typing import Any

from minrepro.errors import UsageError
from minrepro.traces.events import Json
from minrepro.web.recording import Recording
from minrepro.web.resources import script
from minrepro.web.units import Step
from minrepro.web.words import as_text

_BUTTONS = {"auxiliary": "middle", "secondary": "right"}
FAILURE = "minreproFailure"
"""The key under which a recording keeps the signature of its failure."""


def export(recording: Recording, to: str) -> str:
    """Return a session in another form."""
    if to not in EXPORTS:
        raise UsageError(f"there is no export to {to!r}: choose from {', '.join(EXPORTS)}")
    return EXPORTS[to](recording)


def failure_of(recording: Recording) -> str:
    """Return the signature of the failure that a recording was reduced for; empty when it does not say."""
    return str(recording.head.get(FAILURE, ""))


def message_of(signature: str) -> str:
    """Return a regular expression for the message in a signature."""
    text = re.sub(r" in [\w$. <]+$", "", signature.partition(": ")[2])
    return ".*".join(re.escape(part) for part in re.split(r"#|URL", text))


def _kind(recording: Recording) -> str:
    return failure_of(recording).partition(":")[0]


def _selector(selectors: Any) -> str:
    """Return the first alternative that Playwright and Puppeteer scripts can use, in Playwright's words."""
    first = selectors[0]
    parts = first if isinstance(first, list) else [first]
    return " >> ".join(_playwright(part) for part in parts)


def _playwright(part: str) -> str:
    if part.startswith("xpath/"):
        return f"xpath={part[6:]}"
    if part.startswith("text/"):
        return f"text={part[5:]}"
    if part.startswith("pierce/"):
        return part[7:]
    match = re.match(r"^aria/(.*?)(?:\[role=\"([^\"]*)\"\])?$", part, re.DOTALL)
    if match:
        return f"role={match[2]}[name={json.dumps(match[1])}]" if match[2] else f"[aria-label={json.dumps(match[1])}]"
    return part


def _literal(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _lines(recording: Recording, say: Callable[[str, tuple[Any, ...]], str]) -> list[str]:
    """Return the calls of a script; `say` writes one call with its arguments."""
    lines = []
    for step in recording.steps():
        found = _call(step)
        if found is not None:
            lines.append(say(*found))
    return lines


def _call(step: Step) -> tuple[str, tuple[Any, ...]] | None:
    """Return which of the helpers does a step, and with what."""
    where = _selector(step["selectors"]) if step.get("selectors") else None
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
            return "drag", (_selector(given["from"]), _selector(given["to"]))
        case "customStep" if step["name"] == "wheel":
            return "wheel", (given.get("deltaX", 0), given.get("deltaY", 0))
        case "customStep" if step["name"] == "paste":
            return "paste", (given.get("text", ""),)
    return None


def _watch(kind: str) -> str:
    """Return the line of the Python test that watches for a kind of failure."""
    return {
        "console": 'page.on("console", lambda message: seen.append(message.text))',
        "dialog": 'page.on("dialog", lambda d: (seen.append(f"{d.type}: {d.message}"), d.accept()))',
        "http": 'page.on("response", lambda r: seen.append(f"{r.status} from {r.request.method} {r.url}"))',
        "crash": 'page.on("crash", lambda page: seen.append("the page crashed"))',
    }.get(kind, 'page.on("pageerror", lambda error: seen.append(f"{error.name}: {error.message}"))')


def _pytest(recording: Recording) -> str:
    signature, kind = failure_of(recording), _kind(recording)
    asked = signature.partition(": ")[2] if kind == "predicate" else ""
    return Template(script("session_test.txt")).substitute(
        title=str(recording.head.get("title") or "A recorded session.").replace('"""', "'''").replace("\\", "/"),
        message=repr(message_of(signature) or "."),
        watch=f"        {_watch(kind)}",
        calls="\n".join(f"        {line}" for line in _lines(recording, _python)),
        predicate=f"        seen += [FAILURE] * bool(page.evaluate({asked!r}))\n" if asked else "",
    )


def _python(name: str, args: tuple[Any, ...]) -> str:
    return f"user.{name}({', '.join(map(repr, args))})"


_SCRIPT_HELPERS = """async function place(page, selector, x, y) {
  const element = %(find)s;
  await element.scrollIntoView%(needed)s();
  const box = await element.boundingBox();
  return [box.x + (x === null ? box.width / 2 : x), box.y + (y === null ? box.height / 2 : y)];
}
"""


def _javascript(puppeteer: bool) -> Callable[[str, tuple[Any, ...]], str]:
    def say(name: str, args: tuple[Any, ...]) -> str:
        given = [_literal(arg) for arg in args]
        count = "count" if puppeteer else "clickCount"
        size = "setViewport" if puppeteer else "setViewportSize"
        match name:
            case "size":
                return f"await page.{size}({{ width: {given[0]}, height: {given[1]} }});"
            case "go":
                return f"await page.goto({given[0]});"
            case "click":
                options = f"{{ button: {given[3]}, {count}: {given[4]} }}"
                return f"await page.mouse.click(...await place(page, {given[0]}, {given[1]}, {given[2]}), {options});"
            case "hover":
                return f"await page.mouse.move(...await place(page, {given[0]}, null, null));"
            case "fill":
                return f"await page.locator({given[0]}).fill({given[1]});"
            case "down" | "up":
                return f"await page.keyboard.{name}({given[0]});"
            case "scroll":
                what = "document.scrollingElement" if args[0] is None else f"document.querySelector({given[0]})"
                return f"await page.evaluate(() => {what}.scrollTo({given[1]}, {given[2]}));"
            case "wait":
                wait = ".wait()" if puppeteer else ".first().waitFor()"
                return f"await page.locator({given[0]}){wait};"
            case "until":
                return f"await page.waitForFunction({given[0]});"
            case "drag":
                ends = [f"await page.mouse.move(...await place(page, {place}, null, null));" for place in given]
                return f"{ends[0]} await page.mouse.down(); {ends[1]} await page.mouse.up();"
            case "wheel":
                turned = f"{{ deltaX: {given[0]}, deltaY: {given[1]} }}" if puppeteer else f"{given[0]}, {given[1]}"
                return f"await page.mouse.wheel({turned});"
        insert = "sendCharacter" if puppeteer else "insertText"
        return f"await page.keyboard.{insert}({given[0]});"

    return say


def _playwright_test(recording: Recording) -> str:
    calls = "\n".join(f"  {line}" for line in _lines(recording, _javascript(False)))
    helpers = _SCRIPT_HELPERS % {"find": "page.locator(selector).first()", "needed": "IfNeeded"}
    return (
        "// Fails while the bug is there: npx playwright test\n"
        "const { test, expect } = require('@playwright/test');\n\n"
        f"{helpers}\ntest({_literal(str(recording.head.get('title') or 'session'))}, async ({{ page }}) => {{\n"
        "  const seen = [];\n  page.on('pageerror', (error) => seen.push(`${error.name}: ${error.message}`));\n"
        "  page.on('console', (message) => { if (message.type() === 'error') seen.push(message.text()); });\n"
        f"{calls}\n  await page.waitForTimeout(500);\n"
        f"  const failure = new RegExp({_literal(message_of(failure_of(recording)) or '.')});\n"
        "  expect(seen.filter((text) => failure.test(text))).toEqual([]);\n});\n"
    )


def _puppeteer(recording: Recording) -> str:
    calls = "\n".join(f"  {line}" for line in _lines(recording, _javascript(True)))
    helpers = _SCRIPT_HELPERS % {"find": "await page.waitForSelector(selector)", "needed": ""}
    return (
        "// Exits with status 1 while the bug is there: node FILE (CHROMIUM names the browser)\n"
        "const puppeteer = require('puppeteer-core');\n\n"
        f"{helpers}\n(async () => {{\n"
        "  const executablePath = process.env.CHROMIUM || '/usr/bin/chromium';\n"
        "  const browser = await puppeteer.launch({ executablePath, args: ['--no-sandbox'] });\n"
        "  const page = await browser.newPage();\n  const seen = [];\n"
        "  page.on('pageerror', (error) => seen.push(`${error.name}: ${error.message}`));\n"
        "  page.on('console', (message) => { if (message.type() === 'error') seen.push(message.text()); });\n"
        f"{calls}\n  await new Promise((done) => setTimeout(done, 500));\n  await browser.close();\n"
        f"  const failure = new RegExp({_literal(message_of(failure_of(recording)) or '.')});\n"
        "  const found = seen.filter((text) => failure.test(text));\n"
        "  if (found.length) { console.error(found.join('\\n')); process.exit(1); }\n})();\n"
    )


def _side(recording: Recording) -> str:
    commands: list[dict[str, Json]] = []
    for step in recording.steps():
        command = _side_command(step)
        if command is not None:
            commands.append({"id": str(len(commands)), "comment": "", **command})
    test = {"id": "t", "name": "session", "commands": commands}
    suite = {"id": "s", "name": "suite", "persistSession": False, "parallel": False, "timeout": 300, "tests": ["t"]}
    project: dict[str, Json] = {"id": "p", "version": "2.0", "name": str(recording.head.get("title") or "session")}
    project |= {"url": recording.url, "tests": [test], "suites": [suite], "urls": [recording.url], "plugins": []}
    return json.dumps(project, indent=1, ensure_ascii=False) + "\n"


def _side_command(step: Step) -> dict[str, Json] | None:
    def say(command: str, target: str = "", value: str = "") -> dict[str, Json]:
        return {"command": command, "target": target, "targets": [], "value": value}

    where = _locator(step["selectors"]) if step.get("selectors") else ""
    match step["type"]:
        case "navigate":
            return say("open", step["url"])
        case "setViewport":
            return say("setWindowSize", f"{step['width']}x{step['height']}")
        case "click" | "doubleClick":
            return say(step["type"], where)
        case "hover":
            return say("mouseOver", where)
        case "change":
            return say("type", where, step["value"])
        case "keyDown":
            name = {" ": "SPACE", "Escape": "ESC"}.get(step["key"], step["key"].removeprefix("Arrow").upper())
            key = step["key"] if len(step["key"]) == 1 and step["key"] != " " else f"${{KEY_{name}}}"
            return say("sendKeys", "css=*:focus", key)
        case "waitForElement":
            return say("waitForElementVisible", where, "5000")
    return None


def _locator(selectors: Any) -> str:
    selector = _selector(selectors)
    return selector if selector.startswith("xpath=") else f"css={selector}"


EXPORTS: Mapping[str, Callable[[Recording], str]] = {
    "recorder": lambda recording: recording.text(),
    "pytest": _pytest,
    "playwright": _playwright_test,
    "puppeteer": _puppeteer,
    "side": _side,
    "text": lambda recording: as_text(recording.url, recording.trace, failure_of(recording)),
}
"""The forms that there are."""
