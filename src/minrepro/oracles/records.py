"""Diagnostics that are printed as JSON, turned into the lines that a person would have been shown."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

_MESSAGES = ("message", "msg", "text", "description", "reason", "detail", "title")
_CODES = ("code", "ruleId", "rule_id", "rule", "symbol", "check_name", "test_id", "keyword")
_LEVELS = ("severity", "level", "type", "kind")
_PLACES = ("line", "row", "location", "locations", "range", "start", "column", "path", "file", "filename")
_LEVEL_NAMES = frozenset({"error", "fatal", "warning", "warn", "info", "note", "hint", "help", "style", "convention"})
_MOST_READ = 4 << 20


def readable(text: str) -> str:
    """Return an output with each record of a diagnostic in JSON as one line; the same text where there is none."""
    stripped = text.strip()
    if not stripped.startswith(("{", "[")) or len(text) > _MOST_READ:
        return text
    if (whole := _parsed(stripped)) is not None:
        return "\n".join(_records(whole)) or text
    return "\n".join("\n".join(_records(_parsed(line))) or line for line in text.splitlines())


def _parsed(text: str) -> Any:
    try:
        return json.loads(text) if text[:1] in ("{", "[") else None
    except (ValueError, RecursionError):
        return None


def _records(value: Any) -> Iterator[str]:
    """Yield a line for each diagnostic in a value, outer ones first."""
    if isinstance(value, Mapping):
        message = _message(value)
        if message and any(key in value for key in (*_CODES, *_LEVELS, *_PLACES)):
            code = next((str(value[key]) for key in _CODES if isinstance(value.get(key), str)), "")
            yield f"{_level(value)}: {message}" + (f" [{code}]" if code else "")
            return
        value = list(value.values())
    if isinstance(value, list):
        for each in value:
            yield from _records(each)


def _message(record: Mapping[str, Any]) -> str:
    for key in _MESSAGES:
        found = record.get(key)
        if isinstance(found, Mapping):
            found = found.get("text")
        if isinstance(found, str) and found.strip():
            return " ".join(found.split())
    return ""


def _level(record: Mapping[str, Any]) -> str:
    for key in _LEVELS:
        found = record.get(key)
        if isinstance(found, str) and found.lower() in _LEVEL_NAMES:
            return found.lower()
        if isinstance(found, int) and key == "severity":
            return "error" if found > 1 else "warning"
    return "error"
