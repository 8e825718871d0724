"""The logs of the FITTEST Flash logger, which the original study used: `.xml`, and the same as raw text, `.log`.

An entry is two objects: the recorded event (type, targetID, args) and the abstract state after it. An event is named as
the study's rules name it, by type and target written together (`clickImage2`).
"""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from xml.sax.saxutils import quoteattr

from minrepro.errors import InputError
from minrepro.traces.user_events import Entry, Event, Json, Log

_EVENT = "eu.fittest.actionscript.automation::RecordEvent"
_STATE = "AppAbstractState"
_ARRAY = "Array"
_IDENTITY = "I"
"""Every object begins with a field of this name that only numbers it."""


@dataclass(slots=True)
class _Object:
    """An object of a log: its type and its fields, each a text with its type, or an object."""

    type: str
    fields: list[tuple[str, _Object | tuple[str, str]]] = field(default_factory=list)


def read_xml(text: str, name: str) -> Log:
    """Return the log that an `.xml` file holds."""
    try:
        root = ElementTree.fromstring(text)
    except ElementTree.ParseError as error:
        raise InputError(f"{name}:{error.position[0]}:{error.position[1] + 1}: not XML: {error}") from None
    entries = []
    for number, element in enumerate(root.iter("E"), 1):
        holder = _Object("E")
        todo = [(holder, element)]
        while todo:  # objects nest as deeply as the application likes: no recursion
            owner, node = todo.pop()
            for child in node:
                label, value = (child.get("n", ""), next(iter(child), None)) if child.tag == "fd" else ("", child)
                if value is None:
                    raise InputError(f"{name}: entry {number} has a field {label!r} without a value")
                if value.tag == "V":
                    owner.fields.append((label, (value.get("v", ""), value.get("ty", ""))))
                else:
                    inner = _Object(value.get("ty", ""))
                    owner.fields.append((label, inner))
                    todo.append((inner, value))
        entries.append(_entry(holder, number, f"{name}: entry {number}", element.get("t", "")))
    return Log(tuple(entries), name)


_SECTION = re.compile(r'%<S\s+(?:(?P<time>\S+)\s+)?"(?P<tag>.*)"\s*$')
_FIELD = re.compile(r"%<\{\s(?P<name>[^=]*)=(?P<value>.*)\s\}%>\s*$")


def read_raw(text: str, name: str) -> Log:
    """Return the log that a `.log` file holds."""
    entries: list[Entry] = []
    # Open sections, innermost last: its object (None for a paragraph, which only groups fields), time and line.
    open_sections: list[tuple[_Object | None, str, int]] = []
    awaited = ""
    for number, line in enumerate(text.splitlines(), 1):
        source = line.strip()
        holder = next((opened for opened, _, _ in reversed(open_sections) if opened is not None), None)
        if section := _SECTION.match(source):
            opened = _Object(section["tag"].removeprefix("O:"))
            if holder is not None:
                holder.fields.append((awaited, opened))
            open_sections.append((opened, section["time"] or "", number))
            awaited = ""
        elif source == "%<P":
            open_sections.append((None, "", number))
        elif (found := _FIELD.match(source)) and holder is not None:
            if found["value"] == ">":
                awaited = found["name"]
            else:
                value, _, type_name = found["value"].rpartition(":")
                holder.fields.append((found["name"], (value, type_name)))
        elif source == "%>" and open_sections:
            closed, time, begun = open_sections.pop()
            if closed is not None and not open_sections:
                entries.append(_entry(closed, begun, f"{name}:{begun}", time))
        elif source:
            raise InputError(f"{name}:{number}: not a line of a FITTEST log: {source[:60]}")
    if open_sections:
        raise InputError(f"{name}:{open_sections[0][2]}: the entry that starts here has no end")
    return Log(tuple(entries), name)


def write_xml(entries: Iterable[Entry]) -> str:
    """Return the text of an `.xml` log."""
    lines = ["<?xml version='1.0' ?>", "<body>"]
    for entry in entries:
        lines.append(f"  <E t={quoteattr(_time(entry))}>")
        for depth, mark, label, value in _walk(entry):
            indent = "  " * (depth + 2)
            if mark == "open":
                prefix = f"<fd n={quoteattr(label)}>" if label else ""
                lines.append(f"{indent}{prefix}<O ty={quoteattr(value[1])}>")
            elif mark == "close":
                lines.append(f"{indent}</O>" + ("</fd>" if label else ""))
            else:
                text, type_name = value
                inner = f"<V v={quoteattr(text)} ty={quoteattr(type_name)} />"
                lines.append(f"{indent}<fd n={quoteattr(label)}>{inner}</fd>")
        lines.append("  </E>")
    return "\n".join([*lines, "</body>", ""])


def write_raw(entries: Iterable[Entry]) -> str:
    """Return the text of a `.log`."""
    lines = []
    for entry in entries:
        lines.append(f'%<S {_time(entry)} "E"')
        for _, mark, label, (text, type_name) in _walk(entry):
            if mark == "open":
                lines.extend([*(["%<P", f"%<{{ {label}=> }}%>", "%>"] if label else []), f'%<S "O:{type_name}"'])
            elif mark == "close":
                lines.append("%>")
            else:
                lines.extend(["%<P", f"%<{{ {label}={text}:{type_name} }}%>", "%>"])
        lines.append("%>")
    return "\n".join([*lines, ""])


def _time(entry: Entry) -> str:
    return str(entry.event.extra.get("time", "0:0")) if entry.event is not None else "0:0"


def _entry(holder: _Object, line: int, where: str, time: str) -> Entry:
    parts = {part.type: part for _, part in holder.fields if isinstance(part, _Object)}
    if _EVENT not in parts:
        raise InputError(f"{where}: no recorded event")
    event = _value(parts[_EVENT])
    target, kind, args = event.get("targetID", ""), event.get("type", ""), event.get("args", [])
    extra = {"type": kind, "targetID": target, "time": time}
    state = _value(parts[_STATE]) if _STATE in parts else None
    return Entry(Event(f"{kind}{target}", tuple(args), extra=extra), state, line)


def _value(root: _Object) -> Json:
    """Return what an object says as JSON."""
    result: list[Json] | dict[str, Json] = [] if root.type == _ARRAY else {}
    todo = [(root, result)]
    while todo:
        source, into = todo.pop()
        for label, item in source.fields:
            if label == _IDENTITY and isinstance(item, tuple) and item[1] == "ID":
                continue
            value: Json
            if isinstance(item, _Object):
                value = [] if item.type == _ARRAY else {}
                todo.append((item, value))
            else:
                value = _scalar(*item)
            if isinstance(into, list):
                into.append(value)
            else:
                into[label] = value
    return result


def _scalar(text: str, type_name: str) -> Json:
    if type_name == "String":
        try:
            return json.loads(text)
        except json.JSONDecodeError:
            return text.removeprefix('"').removesuffix('"')
    if type_name in ("null", "undefined"):
        return None
    if type_name == "Boolean":
        return text == "true"
    try:
        return float(text) if type_name == "Number" else int(text)
    except ValueError:
        return text


def _typed(value: Json) -> tuple[str, str]:
    if value is None:
        return "null", "null"
    if isinstance(value, bool):
        return ("true" if value else "false"), "Boolean"
    if isinstance(value, int):
        return str(value), "int"
    if isinstance(value, float):
        return repr(value), "Number"
    return json.dumps(value, ensure_ascii=False), "String"


def _walk(entry: Entry) -> Iterator[tuple[int, str, str, tuple[str, str]]]:
    """Yield the objects and fields of an entry in order: depth, what happens, label, and text with type."""
    event, identity = entry.event, 0
    tops: list[tuple[str, Json]] = []
    if event is not None:
        recorded = {
            "targetID": event.extra.get("targetID", ""),
            "type": event.extra.get("type", event.name),
            "args": list(event.args),
        }
        tops.append((_EVENT, recorded))
    if entry.state is not None:
        tops.append((_STATE, dict(entry.state)))
    todo: list[tuple[int, str, str, Json, str]] = [(0, "open", "", value, kind) for kind, value in reversed(tops)]
    while todo:
        depth, mark, label, value, kind = todo.pop()
        if mark == "close":
            yield depth, mark, label, ("", "")
        elif isinstance(value, list | dict):
            yield depth, "open", label, ("", kind)
            yield depth + 1, "field", _IDENTITY, (str(identity), "ID")
            identity += 1
            todo.append((depth, "close", label, None, ""))
            items = list(value.items()) if isinstance(value, dict) else [("elem", item) for item in value]
            for name, item in reversed(items):
                todo.append((depth + 1, "open", name, item, _ARRAY if isinstance(item, list) else "Object"))
        else:
            yield depth, "field", label, _typed(value)
