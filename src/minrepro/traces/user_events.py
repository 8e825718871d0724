"""Events, log entries and logs: what a user did, and the state that the application was in after it.

An event is a name with arguments; arguments and states are JSON values. Two events are the same when name and arguments
are, whatever else a recording says about them (`extra`) and wherever in a trace they stand (`position`).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

Json = Any
"""What JSON can say: None, bool, int, float, str, lists and dictionaries of them."""


def canonical(value: Json) -> str:
    """Return the one text that stands for a JSON value, whatever the order of its keys."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"))


@dataclass(frozen=True, slots=True, eq=False)
class Event:
    """Something a user did: a name and its arguments."""

    name: str
    args: tuple[Json, ...] = ()
    position: int | None = None
    """Where it stood in the original trace; None when it is not part of one."""
    extra: Mapping[str, Json] = field(default_factory=dict)
    """What a recording says beside name and arguments: kept when it is written again, never compared."""
    key: str = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "key", canonical([self.name, *self.args]))

    def __eq__(self, other: object) -> bool:
        return self.key == other.key if isinstance(other, Event) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.key)

    def __str__(self) -> str:
        return f"{self.name}({', '.join(map(canonical, self.args))})" if self.args else self.name

    def with_args(self, args: Iterable[Json]) -> Event:
        """Return the same event with other arguments."""
        return replace(self, args=tuple(args))


Trace = tuple[Event, ...]
"""A sequence of events; the case that a replay is shown."""


def numbered(events: Iterable[Event]) -> Trace:
    """Return a trace whose events know where they stand in it."""
    return tuple(replace(event, position=i) for i, event in enumerate(events))


def positions(trace: Iterable[Event]) -> list[int]:
    """Return where the events of a trace stood in the original."""
    return [event.position for event in trace if event.position is not None]


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of a log: an event, and the abstract state after it where that was logged."""

    event: Event | None
    """None for the line that only says in which state the session began."""
    state: Mapping[str, Json] | None
    line: int = 0
    """Where it stands in its file, for messages; 0 when it comes from none."""


@dataclass(frozen=True, slots=True)
class Log:
    """One session: its entries in order, and the name it goes by in messages."""

    entries: tuple[Entry, ...]
    name: str = "log"
    head: Mapping[str, Json] = field(default_factory=dict)
    """What its file says about the session as a whole."""

    @property
    def trace(self) -> Trace:
        """The events alone, numbered."""
        return numbered(entry.event for entry in self.entries if entry.event is not None)

    def seen(self, view: Callable[[Event], Event]) -> Log:
        """Return the same session with its events as a view shows them."""
        entries = (entry if entry.event is None else replace(entry, event=view(entry.event)) for entry in self.entries)
        return replace(self, entries=tuple(entries))
