"""Sessions as JavaScript: a test for @playwright/test and a script for Puppeteer."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from minrepro.browser.recording import Recording
from minrepro.browser.script_calls import PUPPETEER, calls, message_of

_HELPERS = """const within = (page, way) => way.reduce((frame, i) => frame.childFrames()[i], page.mainFrame());
async function place(frame, selector, x, y) {
  const element = %(find)s;
  await element.scrollIntoView%(needed)s();
  const box = await element.boundingBox();
  return [box.x + (x === null ? box.width / 2 : x), box.y + (y === null ? box.height / 2 : y)];
}
"""
_WATCHES = {
    "console": "page.on('console', (message) => { if (message.type() === 'error') seen.push(message.text()); });",
    "dialog": "page.on('dialog', (asked) => { seen.push(`${asked.type()}: ${asked.message()}`); asked.accept(); });",
    "http": "page.on('response', (answer) => seen.push("
    "`${answer.status()} from ${answer.request().method()} ${answer.url()}`));",
}
_ERRORS = "page.on('pageerror', (error) => seen.push(`${error.name}: ${error.message}`));"
_CRASHES = "page.on('%s', () => seen.push('the page crashed'));"


def playwright(recording: Recording, signature: str) -> str:
    """Return a test for @playwright/test that fails while a failure is there."""
    lines = "\n".join(f"  {line}" for line in calls(recording, _javascript(False)))
    helpers = _HELPERS % {"find": "frame.locator(selector).first()", "needed": "IfNeeded"}
    return (
        "// Fails as long as the bug is there: npx playwright test\n"
        "const { test, expect } = require('@playwright/test');\n\n"
        f"{helpers}\ntest({_literal(str(recording.head.get('title') or 'session'))}, async ({{ page }}) => {{\n"
        f"  const seen = [];\n  {_watch(signature, 'crash')}\n  let here = page.mainFrame();\n"
        f"{lines}\n  await page.waitForTimeout(500);\n{_asked(signature)}"
        f"  const failure = new RegExp({_literal(message_of(signature) or '.')});\n"
        "  expect(seen.filter((text) => failure.test(text))).toEqual([]);\n});\n"
    )


def puppeteer(recording: Recording, signature: str) -> str:
    """Return a script for Puppeteer that exits with status 1 while a failure is there."""
    lines = "\n".join(f"  {line}" for line in calls(recording, _javascript(True), PUPPETEER))
    helpers = _HELPERS % {"find": "await frame.waitForSelector(selector, { visible: true })", "needed": ""}
    return (
        "// Exits 1 as long as the bug is there: node FILE (CHROMIUM names the browser)\n"
        "const puppeteer = require('puppeteer-core');\n\n"
        f"{helpers}\nasync function main() {{\n"
        "  const executablePath = process.env.CHROMIUM || '/usr/bin/chromium';\n"
        "  const browser = await puppeteer.launch({ executablePath, args: ['--no-sandbox'] });\n"
        f"  const page = await browser.newPage();\n  const seen = [];\n  {_watch(signature, 'error')}\n"
        f"  let here = page.mainFrame();\n"
        f"{lines}\n  await new Promise((done) => setTimeout(done, 500));\n{_asked(signature)}  await browser.close();\n"
        f"  const failure = new RegExp({_literal(message_of(signature) or '.')});\n"
        "  const found = seen.filter((text) => failure.test(text));\n"
        "  if (found.length) { console.error(found.join('\\n')); process.exit(1); }\n}\n"
        "main().catch((error) => { console.error(error); process.exit(2); });\n"
    )


def _watch(signature: str, crash: str) -> str:
    kind = signature.partition(":")[0]
    return _CRASHES % crash if kind == "crash" else _WATCHES.get(kind, _ERRORS)


def _asked(signature: str) -> str:
    """Return the line that asks for a predicate, where that is the failure."""
    kind, _, expression = signature.partition(": ")
    if kind != "predicate":
        return ""
    return f"  if (await page.evaluate({_literal(expression)})) seen.push({_literal(expression)});\n"


def _literal(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _javascript(puppeteer: bool) -> Callable[[str, tuple[Any, ...]], str]:
    def say(name: str, args: tuple[Any, ...]) -> str:
        given = [_literal(arg) for arg in args]
        count = "count" if puppeteer else "clickCount"
        size = "setViewport" if puppeteer else "setViewportSize"
        match name:
            case "within":
                return f"here = within(page, {given[0]});"
            case "size":
                return f"await page.{size}({{ width: {given[0]}, height: {given[1]} }});"
            case "go":
                return f"await page.goto({given[0]});"
            case "click":
                options = f"{{ button: {given[3]}, {count}: {given[4]} }}"
                return f"await page.mouse.click(...await place(here, {given[0]}, {given[1]}, {given[2]}), {options});"
            case "hover":
                return f"await page.mouse.move(...await place(here, {given[0]}, null, null));"
            case "fill":
                first = "" if puppeteer else ".first()"
                return f"await here.locator({given[0]}){first}.fill({given[1]});"
            case "down" | "up":
                return f"await page.keyboard.{name}({given[0]});"
            case "scroll":
                what = "document.scrollingElement" if args[0] is None else f"document.querySelector({given[0]})"
                return f"await here.evaluate(() => {what}.scrollTo({given[1]}, {given[2]}));"
            case "wait":
                wait = ".wait()" if puppeteer else ".first().waitFor()"
                return f"await here.locator({given[0]}){wait};"
            case "until":
                return f"await here.waitForFunction({given[0]});"
            case "drag":
                ends = [f"await page.mouse.move(...await place(here, {place}, null, null));" for place in given]
                return f"{ends[0]} await page.mouse.down(); {ends[1]} await page.mouse.up();"
            case "wheel":
                turned = f"{{ deltaX: {given[0]}, deltaY: {given[1]} }}" if puppeteer else f"{given[0]}, {given[1]}"
                return f"await page.mouse.wheel({turned});"
        insert = "sendCharacter" if puppeteer else "insertText"
        return f"await page.keyboard.{insert}({given[0]});"

    return say
