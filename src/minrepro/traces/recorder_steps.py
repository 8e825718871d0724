"""Chrome DevTools Recorder JSON (schema of @puppeteer/replay): a user flow with its steps, as a trace and back.

A step becomes an event named by its type and its first selector, `click #clear`, whose arguments are what a user would
vary: the value typed, the key, the address, the position scrolled to. All else of the step is kept beside it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from minrepro.errors import InputError
from minrepro.traces.json_lines import parsed
from minrepro.traces.user_events import Entry, Event, Json, Log

_ARGUMENTS: Mapping[str, tuple[str, ...]] = {
    "change": ("value",),
    "keyDown": ("key",),
    "keyUp": ("key",),
    "navigate": ("url",),
    "scroll": ("x", "y"),
    "waitForExpression": ("expression",),
    "customStep": ("parameters",),
}
"""Which fields of a step are its event's arguments, by the step's type."""

_STEP = "step"


def looks_like(document: Json) -> bool:
    """Return whether a JSON document is a user flow."""
    return isinstance(document, dict) and isinstance(document.get("steps"), list)


def read(text: str, name: str) -> Log:
    """Return the trace of a user flow; it has no states."""
    document = parsed(text, name)
    if not looks_like(document):
        raise InputError(f'{name}: a recording is a JSON object with a list of "steps"')
    entries = tuple(Entry(_event(step, i, name), None, i) for i, step in enumerate(document["steps"], 1))
    return Log(entries, name, head={key: value for key, value in document.items() if key != "steps"})


def write(trace: Iterable[Event], head: Mapping[str, Json] | None = None) -> str:
    """Return the text of a user flow; events that came from no recording become custom steps."""
    flow = {"title": "", **(head or {}), "steps": [step_of(event) for event in trace]}
    return json.dumps(flow, indent=2, ensure_ascii=False) + "\n"


def step_of(event: Event) -> dict[str, Json]:
    """Return the step that an event stands for, with the event's arguments in it."""
    step = event.extra.get(_STEP)
    if step is None:
        return {"type": "customStep", "name": event.name, "parameters": {"args": list(event.args)}}
    fields = [field for field in _ARGUMENTS.get(step["type"], ()) if field in step]
    return {**step, **dict(zip(fields, event.args, strict=False))}


def _event(step: Any, number: int, name: str) -> Event:
    if not isinstance(step, dict) or not isinstance(step.get("type"), str):
        raise InputError(f'{name}: step {number} is not a JSON object with a "type"')
    kind = step["type"]
    args = tuple(step[field] for field in _ARGUMENTS.get(kind, ()) if field in step)
    target = step.get("name") if kind == "customStep" else _first_selector(step)
    return Event(f"{kind} {target}" if target else kind, args, extra={_STEP: step})


def _first_selector(step: Mapping[str, Json]) -> str:
    """Return the first way in which a step finds its element; a path through shadow roots is joined."""
    selectors = step.get("selectors") or [""]
    chosen = selectors[0] if isinstance(selectors, list) else selectors
    return " >>> ".join(map(str, chosen)) if isinstance(chosen, list) else str(chosen)
