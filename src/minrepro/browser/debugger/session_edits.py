"""Sessions that were changed by hand: events moved, added, removed, or made of other steps."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from minrepro.browser.recorder_schema import RecorderStep, checked
from minrepro.browser.recording import Recording
from minrepro.browser.session_units import unit
from minrepro.errors import InputError, UsageError
from minrepro.traces.user_events import Event, numbered


def edited(recording: Recording, given: dict[str, Any]) -> tuple[Recording, list[int | None]]:
    """Return a session after a change, and for each of its events the number that it had; None for a new one."""
    numbers: list[int | None] = list(range(len(recording.trace)))
    events = list(recording.trace)
    number = _number(given, "number", len(events) - (given.get("do") != "add"))
    match given.get("do"):
        case "change":
            events[number] = _event(given)
        case "add":
            events.insert(number, _event(given))
            numbers.insert(number, None)
        case "remove":
            del events[number], numbers[number]
            if not events:
                raise UsageError("a session needs at least one event")
        case "move":
            to = _number(given, "to", len(events) - 1)
            events.insert(to, events.pop(number))
            numbers.insert(to, numbers.pop(number))
        case _:
            raise UsageError("unknown change")
    return replace(recording, trace=numbered(events)), numbers


def _event(given: dict[str, Any]) -> Event:
    """Return the event that the steps of a change are together."""
    steps = given.get("steps")
    if not isinstance(steps, list) or not steps:
        raise InputError("an event needs at least one step")
    try:
        json.dumps(steps, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise InputError("the event contains half of a surrogate pair (\\ud800 to \\udfff alone)") from None
    taken: Sequence[RecorderStep] = checked(steps, "the event")
    for step in taken:
        if "" in (step.get("selectors") or []):
            raise InputError("the event has no element yet: pick one in the picture, or enter a selector")
        if not str(step.get("url", "http://")).lower().startswith(("http://", "https://")):
            raise InputError("only http:// and https:// pages can be opened here")
    return unit(taken)


def _number(given: dict[str, Any], name: str, most: int) -> int:
    number = given.get(name)
    if not isinstance(number, int) or isinstance(number, bool) or not 0 <= number <= most:
        raise UsageError("there is no such event")
    return number
