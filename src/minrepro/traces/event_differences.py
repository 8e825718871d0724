"""The smallest difference between two traces: the events that make one of them fail."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from minrepro.documents.differences import ListChanges
from minrepro.errors import InputError
from minrepro.targets.difference import DifferenceTarget, isolate_changes
from minrepro.traces import trace_formats
from minrepro.traces.trace_formats import Format
from minrepro.traces.user_events import Event, Log, canonical


class EventChanges:
    """What leads from one trace to another, event by event, written in the format of the other."""

    def __init__(self, old: Sequence[Event], new: Sequence[Event], kind: Format, log: Log) -> None:
        self._kind, self._log = kind, log
        self._events = {_key(event): event for event in (*old, *new)}
        self._changes = ListChanges([*map(_key, old)], [*map(_key, new)])

    def __len__(self) -> int:
        return len(self._changes)

    def render(self, config: Sequence[int]) -> bytes:
        """Return the old trace with these changes applied."""
        events = [self._events[placed.unit] for placed in self._changes.applied(config)]
        return trace_formats.rendered(events, self._kind, self._log).encode("utf-8", "surrogatepass")


def _key(event: Event) -> str:
    return canonical([event.name, *event.args])


def by_events(target: DifferenceTarget) -> DifferenceTarget:
    """Return two traces as a target whose units are events; a log becomes the trace of its events."""
    (good, _), (bad, kind) = (trace_formats.read(path) for path in (target.good, target.bad))
    changes = EventChanges(good.trace, bad.trace, kind, bad)
    if not len(changes):
        raise InputError(f"{target.good} and {target.bad} have the same events")
    return replace(
        target,
        passing=changes.render(()),
        failing=changes.render(range(len(changes))),
        isolation=lambda: isolate_changes(changes),
    )
