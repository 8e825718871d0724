"""Sessions as Selenium IDE projects."""

from __future__ import annotations

import json
from typing import Any

from minrepro.browser.recorder_schema import RecorderStep
from minrepro.browser.recording import Recording
from minrepro.browser.script_calls import selector
from minrepro.traces.user_events import Json


def side(recording: Recording) -> str:
    """Return a session as a Selenium IDE project; steps that it has no command for are left out."""
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
