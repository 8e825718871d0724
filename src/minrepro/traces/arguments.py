"""Makes the arguments of events small once the sequence is: numbers towards 0, text and lists shorter and simpler.

Every candidate is smaller in (length, then simplicity) than what it replaces, so that shrinking ends. A number inside a
text, the 3 of `li:nth-child(3)`, shrinks like any other.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from minrepro.search import Candidate, Reduction, first
from minrepro.traces.events import Event, Json, Trace

_DIGITS = re.compile(r"\d+")


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


def smaller(value: Json) -> Iterator[Json]:
    """Yield simpler values than this one, the simplest first; what is inside a list or an object stays as it is."""
    match value:
        case bool():
            if value:
                yield False
        case int() | float():
            yield from _smaller_numbers(value)
        case str():
            yield from _smaller_texts(value)
        case list():
            yield from _shorter(value)
        case dict():
            for key in sorted(value):
                yield {name: item for name, item in value.items() if name != key}


def _smaller_numbers(value: int | float) -> Iterator[int | float]:
    if value != value or value in (float("inf"), float("-inf")):
        yield 0
        return
    if value < 0:
        yield -value
    if isinstance(value, float) and value != int(value):
        yield int(value)
        return
    size, sign = abs(int(value)), -1 if value < 0 else 1
    gap = size
    while gap:  # 0 first, then ever nearer to what there is
        yield sign * (size - gap)
        gap //= 2


def _smaller_texts(value: str) -> Iterator[str]:
    seen = {value}
    for text in (*_shorter(value), *_smaller_numbers_in(value), *_plainer(value)):
        if text not in seen:
            seen.add(text)
            yield text


def _shorter(value: Json) -> Iterator[Json]:
    """Yield a text or a list without parts of it: all, halves, quarters, and so on to single elements."""
    size = len(value)
    while size:
        for start in range(0, len(value), size):
            yield value[:start] + value[start + size :]
        size //= 2


def _smaller_numbers_in(value: str) -> Iterator[str]:
    for match in _DIGITS.finditer(value):
        if len(match[0]) < 19:
            for number in _smaller_numbers(int(match[0])):
                yield f"{value[: match.start()]}{number}{value[match.end() :]}"


def _plainer(value: str) -> Iterator[str]:
    """Yield the text with one character made an `a`, where that is simpler."""
    for i, character in enumerate(value):
        if character not in "a0123456789" and (character > "a" or character.isupper() or not character.isascii()):
            yield f"{value[:i]}a{value[i + 1 :]}"
