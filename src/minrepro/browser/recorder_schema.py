"""The steps of a recording: which types there are, what each must have, and what is wrong with one that is not so."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from minrepro.errors import InputError
from minrepro.traces.user_events import Json

RecorderStep = dict[str, Any]

STEPS: Mapping[str, tuple[str, ...]] = {
    "setViewport": ("width", "height"),
    "navigate": ("url",),
    "click": ("selectors",),
    "doubleClick": ("selectors",),
    "hover": ("selectors",),
    "change": ("selectors", "value"),
    "keyDown": ("key",),
    "keyUp": ("key",),
    "scroll": (),
    "waitForElement": ("selectors",),
    "waitForExpression": ("expression",),
    "emulateNetworkConditions": ("download", "upload", "latency"),
    "close": (),
    "customStep": ("name",),
}
"""The step types that there are, and the fields that none of them can do without."""

_OWN: Mapping[str, tuple[str, ...]] = {
    "drag": ("from", "to"),
    "wheel": ("at",),
    "paste": ("text",),
    "insert": ("text",),
    "compose": ("text",),
    "upload": ("to", "files"),
}
"""Our own custom steps, and what their parameters must have."""
_SIZES = ("width", "height", "deviceScaleFactor")
_LARGEST_SIZE = 20_000
_PLACES = ("offsetX", "offsetY", "x", "y", "deltaX", "deltaY")
_NUMBERS = (*_PLACES, "duration", "count", "download", "upload", "latency")
_TEXTS = ("url", "value", "key", "expression", "name", "target", "button", "deviceType", "operator", "text")
_SELECTORS = ("selectors", "from", "to", "at")
_OBJECTS = ("parameters", "attributes", "properties")


def checked(steps: Sequence[Any], name: str) -> list[RecorderStep]:
    """Return the steps of a recording, or say what is wrong with one."""
    for number, step in enumerate(steps, 1):
        if not isinstance(step, dict) or not isinstance(step.get("type"), str):
            raise InputError(f'{name}: step {number} is not a JSON object with a "type"')
        kind, where = step["type"], f"{name}: step {number}"
        if kind not in STEPS:
            raise InputError(f"{where} has the unknown type {kind!r}\nhint: the types are {', '.join(STEPS)}")
        _check(step, STEPS[kind], f"{where} ({kind})")
        if kind == "customStep" and step["name"] in _OWN:
            _check(step.get("parameters") or {}, _OWN[step["name"]], f"{where} ({step['name']})")
    return list(steps)


def _check(given: Mapping[str, Json], needed: Sequence[str], where: str) -> None:
    """Refuse what lacks a field that it needs, or has something else than it must be in one."""
    for field in needed:
        if field not in given:
            raise InputError(f"{where} lacks {field!r}")
    for field, value in given.items():
        expected = _expected(field, value)
        if expected and not (value is None and field not in needed):
            raise InputError(f"{where}: {field} must be {expected}")
        if field in needed and field in _SELECTORS and not value:
            raise InputError(f"{where} has no selector")


def _expected(field: str, value: Json) -> str:
    """Return what a field must be, if its value is something else."""
    if field in _SIZES:
        return "" if _is_number(value) and 0 < value <= _LARGEST_SIZE else f"a number from 1 to {_LARGEST_SIZE}"
    if field in _NUMBERS:
        return "" if _is_number(value) else "a number"
    if field in _TEXTS:
        return "" if isinstance(value, str) or (field == "value" and _is_number(value)) else "a string"
    if field in _OBJECTS:
        return "" if isinstance(value, dict) else "a JSON object"
    if field in _SELECTORS:
        good = isinstance(value, list) and all(_is_selector(item) for item in value)
        return "" if good else "strings, or lists of strings"
    if field in ("fromOffset", "toOffset", "offset"):
        good = isinstance(value, list) and len(value) == 2 and all(_is_number(item) for item in value)
        return "" if good else "two numbers"
    if field in ("dialogs", "files"):
        good = isinstance(value, list) and all(isinstance(item, dict) for item in value)
        return "" if good else "a list of JSON objects"
    if field == "history":
        return "" if value in ("back", "forward", "reload") else "back, forward or reload"
    if field == "frame":
        good = isinstance(value, list) and all(isinstance(item, int) and item >= 0 for item in value)
        return "" if good else "a list of frame numbers"
    return ""


def _is_number(value: Json) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _is_selector(item: Json) -> bool:
    return isinstance(item, str) or (isinstance(item, list) and bool(item) and all(isinstance(x, str) for x in item))
