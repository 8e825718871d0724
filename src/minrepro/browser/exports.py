"""Sessions as tests and scripts of other tools; an exported test fails as long as the bug is there.

The Python and JavaScript tests find elements with the first selector that their tool knows, act with real mouse and
keyboard events, and end with: no uncaught error of the page whose text has the failure's message.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from string import Template
from typing import Any

from minrepro.browser import javascript_exports
from minrepro.browser.package_files import script
from minrepro.browser.recorder_schema import RecorderStep
from minrepro.browser.recording import Recording
from minrepro.browser.script_calls import calls, message_of, selector
from minrepro.browser.step_descriptions import as_text
from minrepro.errors import UsageError
from minrepro.traces.user_events import Json

FAILURE = "minreproFailure"
"""The key under which a recording keeps the signature of its failure."""


def export(recording: Recording, to: str) -> str:
    """Return a session in another form."""
    if to not in EXPORTS:
        raise UsageError(f"unknown export {to!r}; choose from {', '.join(EXPORTS)}")
    return EXPORTS[to](recording)


def failure_of(recording: Recording) -> str:
    """Return the signature of the failure that a recording was reduced for; empty when it does not say."""
    return str(recording.head.get(FAILURE, ""))


def _kind(recording: Recording) -> str:
    return failure_of(recording).partition(":")[0]


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
        calls="\n".join(f"        {line}" for line in calls(recording, _python)),
        predicate=f"        seen += [{asked!r}] * bool(page.evaluate({asked!r}))\n" if asked else "",
    )


def _python(name: str, args: tuple[Any, ...]) -> str:
    return f"user.{name}({', '.join(map(repr, args))})"


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


def _side_command(step: RecorderStep) -> dict[str, Json] | None:
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
    found = selector(selectors)
    return found if found.startswith("xpath=") else f"css={found}"


EXPORTS: Mapping[str, Callable[[Recording], str]] = {
    "recorder": lambda recording: recording.text(),
    "pytest": _pytest,
    "playwright": lambda recording: javascript_exports.playwright(recording, failure_of(recording)),
    "puppeteer": lambda recording: javascript_exports.puppeteer(recording, failure_of(recording)),
    "side": _side,
    "text": lambda recording: as_text(recording.url, recording.trace, failure_of(recording)),
}
"""The forms that there are."""
