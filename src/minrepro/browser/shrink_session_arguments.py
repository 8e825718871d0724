"""Makes the arguments of units small once the sequence is: indices in selectors, texts, places.

An index often counts what earlier events made: the third row is there because two were added. So an event is also tried
away together with one less on the indices behind it, which neither change does alone.
The simplest place of a click is the middle of its element, which needs no numbers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice

from minrepro.algorithms.value_shrinking import smaller
from minrepro.browser.session_units import indices_of, place_of
from minrepro.core.search import Candidate, Reduction, first
from minrepro.traces.user_events import Event, Json, Trace

_SIMPLER = 3
"""So many simpler values are tried for each text and each number."""


@dataclass(frozen=True)
class _Simpler(Candidate[Trace]):
    """A trace that is simpler, and where to go on from."""

    event: int = 0


def shrink_web_arguments(trace: Trace) -> Reduction[Trace]:
    """Return the trace with arguments that no simple change makes smaller without losing the failure."""
    begin = 0
    while (found := (yield from first(_without_one(trace, begin), "arguments"))) is not None:
        trace, begin = found.config, found.event
        # What came behind it often only completed it, as Enter does what was typed.
        found = yield from first([_Simpler((*trace[:begin], *trace[begin + 1 :]))], "arguments")
        trace = trace if found is None else found.config
    trace = yield from _plain(trace)
    begin = 0
    while (found := (yield from first(_simpler(trace, begin), "arguments"))) is not None:
        trace, begin = found.config, found.event
    return trace


def centred(trace: Trace) -> Reduction[Trace]:
    """Return the trace with all clicks in the middle of their elements, if it fails so: most do, and one test tells."""
    return (yield from _instead(trace, central(trace)))


def central(trace: Trace) -> Trace:
    """Return the trace with all clicks in the middle of their elements."""
    return tuple(_central(event) for event in trace)


def _plain(trace: Trace) -> Reduction[Trace]:
    """Return the trace with the simplest place, indices and texts in all events at once, if it fails so."""
    trace = yield from centred(trace)
    plain = tuple(_plainest(event) for event in trace)
    several = sum(one != other for one, other in zip(trace, plain, strict=True)) > 1
    return (yield from _instead(trace, plain)) if several else trace


def _plainest(event: Event) -> Event:
    count = len(indices_of(event))
    typed = event.name.partition(" ")[0] == "change"
    return event.with_args(
        min(1, arg) if i < count else "a" if typed and isinstance(arg, str) and len(arg) > 1 else arg
        for i, arg in enumerate(event.args)
    )


def _instead(trace: Trace, other: Trace) -> Reduction[Trace]:
    """Return another trace if it fails, else the one that is known to."""
    found = None if other == trace else (yield from first([_Simpler(other)], "arguments"))
    return trace if found is None else found.config


def _central(event: Event) -> Event:
    """Return an event that goes to the middle of its element."""
    if place_of(event):
        return event.with_args(indices_of(event))
    if event.name == "customStep drag":
        ends = {key: value for key, value in event.args[-1].items() if key not in ("fromOffset", "toOffset")}
        return event.with_args((*event.args[:-1], ends))
    return event


def _without_one(trace: Trace, begin: int) -> Iterator[_Simpler]:
    """Yield the trace without an event, with one less on an index that occurs behind it."""
    for i in range(begin, len(trace)):
        later = trace[i + 1 :]
        values = {value for event in later for value in indices_of(event) if value > 1}
        for value in sorted(values):
            yield _Simpler((*trace[:i], *(_counted_down(event, value) for event in later)), event=i)


def _counted_down(event: Event, value: int) -> Event:
    count = len(indices_of(event))
    return event.with_args(arg - 1 if i < count and arg >= value else arg for i, arg in enumerate(event.args))


def _simpler(trace: Trace, begin: int) -> Iterator[_Simpler]:
    for step in range(len(trace)):
        i = (begin + step) % len(trace)
        for args in _simpler_args(trace[i]):
            yield _Simpler((*trace[:i], trace[i].with_args(args), *trace[i + 1 :]), event=i)


def _simpler_args(event: Event) -> Iterator[list[Json]]:
    args, count = list(event.args), len(indices_of(event))
    for i, value in enumerate(args[:count]):
        for less in dict.fromkeys((1, value // 2, value - 1)):
            if 0 < less < value:
                yield [*args[:i], less, *args[i + 1 :]]
    central = _central(event)
    if central != event:
        yield list(central.args)
    shrunk = event.name.partition(" ")[0] in ("change", "scroll") or bool(place_of(event))
    for i, value in enumerate(args[count:] if shrunk else (), count):
        for simple in islice(_simpler_values(value), _SIMPLER):
            yield [*args[:i], simple, *args[i + 1 :]]
    if event.name == "customStep wheel":
        for turned in islice(_turned_less(args[-1]), _SIMPLER):
            yield [*args[:-1], turned]


def _simpler_values(value: Json) -> Iterator[Json]:
    """Yield simpler values; for a text first the empty one and one letter, which is what most fields ask for."""
    if isinstance(value, str) and len(value) > 1:
        yield ""
        yield "a"
        yield from (text for text in smaller(value) if text)
    else:
        yield from smaller(value)


def _turned_less(given: Mapping[str, Json]) -> Iterator[Json]:
    for axis in ("deltaX", "deltaY"):
        for less in smaller(given.get(axis, 0)):
            yield {**given, axis: less}
