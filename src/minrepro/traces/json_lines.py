"""The own format of traces and logs: JSON Lines, one event a line, `{"event": "add", "args": [1], "state": {...}}`.

`args` may be missing (none) and `state` may be missing (a trace has none). A line without `event` gives the state in
which the session began. Other keys are kept. A file that is one JSON array of the same objects is read as well.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from minrepro.errors import InputError
from minrepro.traces.user_events import Entry, Event, Json, Log

_OWN_KEYS = frozenset({"event", "args", "state"})


def read(text: str, name: str) -> Log:
    """Return the log that a text holds."""
    # Only the array is looked for here: an object may be the first of many lines.
    records = _of_array(text, name) if text.lstrip().startswith("[") else _of_lines(text, name)
    return Log(tuple(_entry(record, line, name) for line, record in records), name)


def write(entries: Iterable[Entry]) -> str:
    """Return the text of a log, or of a trace when its entries have no states."""
    return "".join(json.dumps(_record(entry), ensure_ascii=False) + "\n" for entry in entries)


def parsed(text: str, name: str, first_line: int = 1) -> Json:
    """Return what a JSON text says, or raise with the place where it is wrong."""
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        line = first_line + error.lineno - 1
        raise InputError(f"{name}:{line}:{error.colno}: not JSON: {error.msg}") from None
    except RecursionError:
        raise InputError(f"{name}:{first_line}: JSON is nested too deeply for an event") from None


def _of_lines(text: str, name: str) -> Iterator[tuple[int, Any]]:
    # Not splitlines: U+2028 and its like may stand inside a JSON string, and do not end a line there.
    for line, source in enumerate(text.split("\n"), 1):
        if source.strip():
            yield line, parsed(source, name, line)


def _of_array(text: str, name: str) -> Iterator[tuple[int, Any]]:
    return ((i, record) for i, record in enumerate(parsed(text, name), 1))


def _entry(record: Any, line: int, name: str) -> Entry:
    where = f"{name}:{line}"
    if not isinstance(record, dict):
        raise InputError(f'{where}: an event is a JSON object such as {{"event": "open"}}, not {str(record)[:40]}')
    state, label, args = record.get("state"), record.get("event"), record.get("args", [])
    if state is not None and not isinstance(state, dict):
        raise InputError(f"{where}: a state is a JSON object of variables, not {str(state)[:40]}")
    if label is None:
        if state is None:
            raise InputError(f'{where}: expected "event" or "state", not {str(record)[:40]}')
        return Entry(None, state, line)
    if not isinstance(label, str) or not label:
        raise InputError(f'{where}: "event" must be the name of an event, not {str(label)[:40]}')
    if not isinstance(args, list):
        raise InputError(f'{where}: "args" must be a list, not {str(args)[:40]}')
    extra = {key: value for key, value in record.items() if key not in _OWN_KEYS}
    return Entry(Event(label, tuple(args), extra=extra), state, line)


def _record(entry: Entry) -> dict[str, Json]:
    record: dict[str, Json] = {}
    if entry.event is not None:
        record["event"] = entry.event.name
        if entry.event.args:
            record["args"] = list(entry.event.args)
        record.update(entry.event.extra)
    if entry.state is not None:
        record["state"] = dict(entry.state)
    return record
