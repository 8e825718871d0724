"""Hierarchical delta debugging on events: what the user did is the tree, and is reduced from the top down.

Misherghi & Su (2006) name it: a high-level event such as the purchase of an item has low-level ones below it, such as
clicks of the mouse. Where a recording says which events belong together (`group`), that comes first. The rest is read
off the names of the events: a page and all that happens on it, a form with its fields and the click that sends it, an
action (a word that is typed, a drag, moves of the mouse with the click that they lead to), and a key that goes down and
up again.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from enum import Enum
from itertools import groupby

from minrepro.algorithms.lists.ddmin import ddmin
from minrepro.core.search import ListMinimizer, Reduction, embed
from minrepro.traces.user_events import Event, Json, Trace

GROUP = "group"
"""The key with which a recording says what an event belongs to: a name, or a list of names, the outermost first."""


class Deed(Enum):
    """What an event is to the user who causes it."""

    ARRIVE = "another page"
    PREPARE = "a move, or something else that only leads to the next event"
    GRAB = "a button of the mouse goes down"
    DROP = "it goes up"
    TYPE = "a key"
    FILL = "a field gets a value"
    ACT = "anything else"


_DEEDS = {
    Deed.ARRIVE: "navigate goto visit load reload back forward",
    Deed.PREPARE: "move hover motion mousemove mouseover mouseenter pointermove focus scroll wait set",
    Deed.GRAB: "mousedown pointerdown buttonpress touchstart dragstart",
    Deed.DROP: "mouseup pointerup buttonrelease touchend drop dragend",
    Deed.TYPE: "press key keydown keyup keypress keyrelease type",
    Deed.FILL: "change input fill select check",
}
_BY_WORD = {word: deed for deed, words in _DEEDS.items() for word in words.split()}
_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+")

Path = tuple[int, ...]
Group = Sequence[Event]


def deed_of(event: Event) -> Deed:
    """Return what an event is, by the first words of its name."""
    words = [word.lower() for word in _WORD.findall(event.name.partition(" ")[0])[:2]]
    for name in ("".join(words), *words[:1]):
        if name in _BY_WORD:
            return _BY_WORD[name]
    return Deed.ACT


def hdd(
    trace: Trace, restarted: Callable[[Trace, ListMinimizer], Reduction[Trace]], minimize: ListMinimizer = ddmin
) -> Reduction[Trace]:
    """Return what is left when each level of what the user did has been minimized, from the top down.

    `restarted` runs a minimizer of events, and may shorten what it finds.
    """
    paths = hierarchy(trace)
    for depth in range(1, 1 + max(map(len, paths.values()), default=0)):

        def of_level(config: Sequence[Event], depth: int = depth) -> Reduction[Trace]:
            units = [tuple(unit) for _, unit in groupby(config, key=lambda event: paths[id(event)][:depth])]

            def joined(kept: Iterable[int]) -> Trace:
                return tuple(event for i in kept for event in units[i])

            return joined((yield from embed(minimize(range(len(units))), into=joined)))

        trace = yield from restarted(trace, of_level)
    return trace


def hierarchy(trace: Trace) -> dict[int, Path]:
    """Return for each event, by identity, the numbers of what it is in, from the outermost to itself."""
    paths: dict[int, list[int]] = {id(event): [] for event in trace}
    levels = max((len(_named(event)) for event in trace), default=0)
    for depth in range(1, levels + 1):
        _number(paths, [list(group) for _, group in groupby(trace, key=lambda event: _named(event)[:depth])])
    strokes = _strokes(trace)
    actions = _actions(strokes)
    forms = _forms(actions)
    pages = _pages(trace)
    for grouped in (pages, forms, actions, strokes, [[event] for event in trace]):
        _number(paths, grouped)
    return {place: tuple(path) for place, path in paths.items()}


def _number(paths: dict[int, list[int]], groups: Iterable[Group]) -> None:
    for number, group in enumerate(groups):
        for event in group:
            paths[id(event)].append(number)


def _named(event: Event) -> list[Json]:
    """Return the groups that a recording says an event is in."""
    named = event.extra.get(GROUP, [])
    return list(named) if isinstance(named, list) else [named]


def _pages(trace: Trace) -> list[list[Event]]:
    """Cut where another page is opened."""
    pages: list[list[Event]] = []
    for event in trace:
        if not pages or deed_of(event) is Deed.ARRIVE:
            pages.append([])
        pages[-1].append(event)
    return pages


def _strokes(trace: Trace) -> list[list[Event]]:
    """Join a key that goes down with the same key that goes up next."""
    strokes: list[list[Event]] = []
    for event in trace:
        before = strokes[-1] if strokes else []
        if len(before) == 1 and _is_release_of(before[0], event):
            before.append(event)
        else:
            strokes.append([event])
    return strokes


def _is_release_of(down: Event, up: Event) -> bool:
    same = down.args == up.args and down.name != up.name
    return same and deed_of(down) is Deed.TYPE and deed_of(up) is Deed.TYPE


def _actions(strokes: Sequence[Group]) -> list[list[Event]]:
    """Join the keys of a word, what happens while a button is down, and moves with what they lead to."""
    actions: list[list[Event]] = []
    is_open = typing = False
    for stroke in strokes:
        deed = deed_of(stroke[0])
        if actions and (is_open or (typing and deed is Deed.TYPE)):
            actions[-1].extend(stroke)
        else:
            actions.append(list(stroke))
        is_open = deed in (Deed.PREPARE, Deed.GRAB) or (is_open and deed is not Deed.DROP and _holds(actions[-1]))
        typing = deed is Deed.TYPE and not _ends_word(stroke[0])
    return actions


def _holds(action: Group) -> bool:
    """Tell whether a button that went down is still down."""
    deeds = [deed_of(event) for event in action]
    return deeds.count(Deed.GRAB) > deeds.count(Deed.DROP)


def _ends_word(key: Event) -> bool:
    said = str(key.args[0]) if key.args else key.name.partition(" ")[2]
    return said.lower() in (" ", "space", "return", "enter", "tab")


def _forms(actions: Sequence[Group]) -> list[list[Event]]:
    """Join fields that are filled one after another with the clicks between them, and with the one that follows."""
    fills = [any(deed_of(event) in (Deed.TYPE, Deed.FILL) for event in action) for action in actions]
    forms: list[list[Event]] = []
    goes_on = False
    for i, action in enumerate(actions):
        if not goes_on:
            forms.append([])
        forms[-1].extend(action)
        leads_on = i + 1 < len(actions) and fills[i + 1]
        goes_on = leads_on or fills[i]
    return forms
