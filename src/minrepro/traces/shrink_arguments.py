"""Makes the arguments of events small once the sequence is: numbers towards 0, text and lists shorter and simpler.

Every candidate is smaller in (length, then simplicity) than what it replaces, so that shrinking ends. A number inside a
text, the 3 of `li:nth-child(3)`, shrinks like any other.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from minrepro.algorithms.value_shrinking import smaller
from minrepro.core.search import Candidate, Reduction, first
from minrepro.traces.user_events import Event, Json, Trace


@dataclass(frozen=True)
class _Shrunk(Candidate[Trace]):
    """A trace with one argument made smaller."""

    event: int = 0


def shrink_arguments(trace: Trace) -> Reduction[Trace]:
    """Return the trace with arguments of which no simple change makes any smaller without losing the failure."""
    begin = 0
    while True:
        # Go on behind the last success and come round: what was refused before it may succeed now.
        found = yield from first(_smaller_traces(trace, begin), "arguments")
        if found is None:
            return trace
        trace, begin = found.config, found.event


def _smaller_traces(trace: Trace, begin: int) -> Iterator[_Shrunk]:
    for step in range(len(trace)):
        i = (begin + step) % len(trace)
        for event in _smaller_events(trace[i]):
            yield _Shrunk((*trace[:i], event, *trace[i + 1 :]), event=i)


def _smaller_events(event: Event) -> Iterator[Event]:
    args = list(event.args)
    for path, part in _parts(args):
        for value in smaller(part):
            yield event.with_args(_replaced(args, path, value))


def _parts(args: list[Json]) -> Iterator[tuple[tuple[int | str, ...], Json]]:
    """Yield every argument and what is inside it, the outer before the inner, with the way that leads there."""
    todo: list[tuple[tuple[int | str, ...], Json]] = [((i,), arg) for i, arg in reversed(list(enumerate(args)))]
    while todo:
        path, part = todo.pop()
        yield path, part
        inner: list[tuple[int | str, Json]] = list(part.items() if isinstance(part, dict) else ())
        if isinstance(part, list):
            inner = list(enumerate(part))
        todo.extend(((*path, key), item) for key, item in reversed(inner))


def _replaced(args: list[Json], path: tuple[int | str, ...], value: Json) -> list[Json]:
    """Return the arguments with another value at the end of a way; only what is on the way is copied."""
    copy: Json = list(args)
    here = copy
    for key in path[:-1]:
        here[key] = dict(here[key]) if isinstance(here[key], dict) else list(here[key])
        here = here[key]
    here[path[-1]] = value
    return copy  # type: ignore[no-any-return]
