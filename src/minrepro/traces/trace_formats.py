"""Reads and writes traces and logs in whichever format a file has."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Literal

from minrepro.errors import InputError, OutputError
from minrepro.traces import fittest_logs, json_lines, recorder_steps
from minrepro.traces.user_events import Entry, Event, Log

Format = Literal["jsonl", "recorder", "xml", "log"]


def format_of(text: str) -> Format:
    """Return the format that a text has, by its first signs."""
    start = text.lstrip()
    if start.startswith("<"):
        return "xml"
    if start.startswith("%<"):
        return "log"
    if start.startswith("{"):
        try:
            if recorder_steps.looks_like(json.loads(text)):
                return "recorder"
        except (json.JSONDecodeError, RecursionError):
            return "jsonl"
    return "jsonl"


def read(path: Path) -> tuple[Log, Format]:
    """Return the log or trace in a file, and the format it is in."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise InputError(f"{path} is not a trace: not UTF-8 text (byte {error.start})") from None
    return parse(text, str(path))


def parse(text: str, name: str) -> tuple[Log, Format]:
    """Return the log or trace in a text, and the format it is in."""
    kind = format_of(text)
    readers = {
        "jsonl": json_lines.read,
        "recorder": recorder_steps.read,
        "xml": fittest_logs.read_xml,
        "log": fittest_logs.read_raw,
    }
    try:
        return readers[kind](text, name), kind
    except RecursionError:
        raise InputError(f"{name}: an argument or a state is nested too deeply") from None


def rendered(trace: Iterable[Event], kind: Format, log: Log | None = None) -> str:
    """Return the text of a trace in a format; `log` is where it came from."""
    entries = [Entry(event, None) for event in trace]
    match kind:
        case "recorder":
            return recorder_steps.write((entry.event for entry in entries if entry.event), log.head if log else None)
        case "xml":
            return fittest_logs.write_xml(entries)
        case "log":
            return fittest_logs.write_raw(entries)
        case "jsonl":
            return json_lines.write(entries)


def write(path: Path, text: str) -> None:
    """Put a text into a file."""
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise OutputError(f"cannot write {path}: {error.strerror}") from None
