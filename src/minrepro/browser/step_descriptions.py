"""Units in the words of a tester: "click 'Delete' in #cart", "press Control+z", "type 'milk' into #new"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any, Protocol

from minrepro.browser.page_failures import PageFailure, printable
from minrepro.browser.recorder_schema import RecorderStep
from minrepro.browser.recording import Recording
from minrepro.browser.session_units import ARIA, first_selector, place_of, steps_of
from minrepro.traces.user_events import Event


def described(event: Event) -> str:
    """Return what a unit does, for people."""
    steps = steps_of(event)
    if event.name.startswith("press "):
        return printable(event.name)
    acting = [step for step in steps if step["type"] not in ("keyDown", "keyUp")]
    held = event.name.partition("+")[0] if len(acting) < len(steps) else ""
    text = ", ".join(described_step(step) for step in acting)
    return printable(f"hold {held} and {text}" if held else text)


def changed(before: Event, after: Event) -> str:
    """Return what was made simpler in a unit, for people; empty when nothing was."""
    if before == after:
        return ""
    old, new = place_of(before), place_of(after)
    place = f"at {old[0]}, {old[1]} in its element" if len(old) == 2 and old != new else ""
    text = described(before) if described(before) != described(after) else ""
    return "recorded: " + " ".join(filter(None, (text, place))) if text or place else "simpler than recorded"


def plainly(reason: str) -> str:
    """Return why an event was kept in the words of a tester."""
    if reason.startswith("does not reproduce without it"):
        return "without it there is no failure"
    return re.sub(r"^unresolved without it \((.*)\)$", r"without it, \1", reason).replace("CannotFire: ", "")


def described_step(step: RecorderStep) -> str:
    """Return what a step does, for people."""
    what = _element(step)
    given: Any = step.get("parameters") or {}
    match step["type"]:
        case "click":
            kind = {"secondary": "right-click", "auxiliary": "middle-click"}.get(step.get("button", ""), "click")
            return f"{kind} {what}{_answered(step)}"
        case "doubleClick":
            return f"double-click {what}"
        case "hover":
            return f"move the mouse to {what}"
        case "change":
            return f"type {step['value']!r} into {what}" if step["value"] else f"clear {what}"
        case "navigate" if step.get("history"):
            return {"back": "go back to", "forward": "go forward to", "reload": "reload"}[
                step["history"]
            ] + f" {step['url']}"
        case "navigate":
            return f"go to {step['url']}"
        case "scroll":
            return f"scroll {what or 'the page'} to {step.get('x', 0)}, {step.get('y', 0)}"
        case "waitForElement":
            return f"wait for {what}"
        case "waitForExpression":
            return f"wait until {step['expression']}"
        case "setViewport":
            return f"resize the window to {step['width']} × {step['height']}"
        case "keyDown" | "keyUp":
            return f"{'press' if step['type'] == 'keyDown' else 'release'} {step['key']}"
        case "customStep" if step["name"] == "drag" and "from" in given:
            start, end = (first_selector({"selectors": given[key]}) for key in ("from", "to"))
            return f"drag {start} to {end}"
        case "customStep" if step["name"] == "wheel":
            return f"turn the wheel by {given.get('deltaY', 0)}"
        case "customStep" if step["name"] == "paste":
            return f"paste {given.get('text', '')!r}"
        case "customStep" if step["name"] in ("insert", "compose"):
            return f"enter {given.get('text', '')!r}"
        case "customStep" if step["name"] == "upload":
            files = ", ".join(repr(file.get("name", "")) for file in given.get("files", []))
            return f"choose {files or 'no file'} in {first_selector({'selectors': given['to']})}"
        case "customStep":
            return str(step["name"])
    return str(step["type"])


def _answered(step: RecorderStep) -> str:
    """Return how the dialogs that a step opens are answered."""
    said = (
        f"answer {answer['text']!r}" if answer.get("text") else "accept" if answer.get("accept", True) else "cancel"
        for answer in step.get("dialogs") or []
    )
    return "".join(f" ({answer} the dialog)" if " " not in answer else f" ({answer})" for answer in said)


def _element(step: RecorderStep) -> str:
    """Return what a step acts on: its name for people if the recording has one, and its selector."""
    selector = first_selector(step)
    for alternative in step.get("selectors") or []:
        match = ARIA.match(alternative[-1] if isinstance(alternative, list) else alternative)
        if match and match[1]:
            return f"{match[2] or ''} {match[1]!r} ({selector})".strip() if selector[:5] != "aria/" else repr(match[1])
    return selector


def as_text(url: str, events: Iterable[Event], failure: str = "") -> str:
    """Return numbered steps for a bug report."""
    lines = [f"1. open {url}", *(f"{i}. {described(event)}" for i, event in enumerate(events, 2))]
    return "\n".join([*lines, *([f"\nFailure: {failure}"] if failure else [])]) + "\n"


class Replay(Protocol):
    """What a replay showed."""

    fired: int
    impossible: str

    @property
    def failures(self) -> list[PageFailure]:
        """What went wrong in it."""
        ...


def compared(recording: Recording, seen: Sequence[PageFailure], replay: Replay) -> str:
    """Return how the replay of a session differs from what a person saw in it."""
    again = [failure.text for failure in replay.failures]
    if replay.impossible:
        event = described(recording.trace[replay.fired - 1])
        return f"its replay diverges at event {replay.fired} ({event}): {printable(replay.impossible)}"
    if not seen:
        return (
            "its replay shows no failure, as the recording" if not again else f"its replay fails: {printable(again[0])}"
        )
    shown = "shows the same failure" if seen[0].text in again else "does not show what you saw"
    return f"its replay {shown}: {printable(seen[0].text)}"
