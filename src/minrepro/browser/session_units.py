"""Steps of a recording as units that make sense on their own: a chord with its modifiers, a click, a value typed.

A unit is an `Event`. Its name says what is done to which element, its arguments are what a user would vary: the indices
in the selector, the text, the place. Keys held together are one unit, else a reduction would leave a held Control.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from minrepro.browser.recorder_schema import RecorderStep
from minrepro.traces.user_events import Event, Json, Trace, numbered

MODIFIERS = {"Control", "Shift", "Alt", "Meta"}
_INDEX = re.compile(r"(?<=:nth-child\()\d+|(?<=:nth-of-type\()\d+|(?<=\[)\d+(?=\])|(?<==\")\d+(?=\")")
_NUMBERED = re.compile(r"(#[\w-]*?[A-Za-z_-])(\d+)(?![\w-])")
"""An id that ends in a number."""
ARIA = re.compile(r"^aria/(.*?)(?:\[role=\"([^\"]*)\"\])?$", re.DOTALL)
"""A selector by the name and perhaps the role of an element."""
_STEPS = "steps"
_SPACE = {" ": "Space"}


def prologue(steps: Sequence[RecorderStep]) -> tuple[list[RecorderStep], list[RecorderStep]]:
    """Return what opens the page (up to the first navigation), and the rest."""
    for i, step in enumerate(steps):
        if step["type"] == "navigate":
            return list(steps[: i + 1]), list(steps[i + 1 :])
        if step["type"] not in ("setViewport", "emulateNetworkConditions"):
            break
    return [], list(steps)


def units_of(steps: Iterable[RecorderStep]) -> Trace:
    """Return the units of a session."""
    return numbered(unit(group) for group in _groups(steps))


def unit(steps: Sequence[RecorderStep]) -> Event:
    """Return the event that some steps are together."""
    step = next((step for step in steps if step["type"] not in ("keyDown", "keyUp")), None)
    if step is None:
        return Event(f"press {_chord(steps)}", extra={_STEPS: list(steps)})
    held = _chord([other for other in steps if other["type"] == "keyDown"])
    kind = f"{held}+{step['type']}" if held else step["type"]
    if len(steps) > 1 and sum(other["type"] not in ("keyDown", "keyUp") for other in steps) > 1:
        return Event(f"{kind} and {len(steps) - 1} more", tuple(steps), extra={_STEPS: list(steps)})
    selector = first_selector(step)
    args: list[Json] = [int(number) for number in _INDEX.findall(selector)]
    template = _INDEX.sub("?", selector) or str(step.get("name", ""))
    args += _varied(step)
    return Event(f"{kind} {template}".strip(), tuple(args), extra={_STEPS: list(steps)})


def _varied(step: RecorderStep) -> list[Json]:
    """Return what of a step, beside its selector, makes it another one."""
    match step["type"]:
        case "change":
            return [step["value"]]
        case "navigate":
            return [step["url"]]
        case "scroll":
            return [step.get("x", 0), step.get("y", 0)]
        case "waitForExpression":
            return [step["expression"]]
        case "customStep":
            return [step.get("parameters", {})]
        case "click" | "doubleClick":
            place = [] if step.get("anywhere") else [step.get("offsetX"), step.get("offsetY")]
            return [number for number in place if number is not None]
    return []


def steps_of(event: Event) -> list[RecorderStep]:
    """Return the steps that a unit stands for, with its arguments in them."""
    steps: list[RecorderStep] = [dict(step) for step in event.extra.get(_STEPS, ())]
    acting = [step for step in steps if step["type"] not in ("keyDown", "keyUp")]
    if len(acting) != 1:
        return steps
    step, selector = acting[0], first_selector(acting[0])
    count = len(_INDEX.findall(selector))
    indices, rest = event.args[:count], list(event.args[count:])
    if [int(number) for number in _INDEX.findall(selector)] != list(indices):
        # The other alternatives speak of the old element.
        step["selectors"] = [_with_indices(step["selectors"][0], list(indices))]
    fields = {"change": ["value"], "navigate": ["url"], "scroll": ["x", "y"], "waitForExpression": ["expression"]}
    fields |= {"customStep": ["parameters"]}
    names = fields.get(step["type"], [])
    if step["type"] in ("click", "doubleClick") and not step.get("anywhere"):
        names = ["offsetX", "offsetY"]
        if not rest and "offsetX" in step:
            step["anywhere"] = True
    for name, value in zip(names, rest, strict=False):
        if name in step:
            step[name] = value
    return steps


def indices_of(event: Event) -> tuple[int, ...]:
    """Return the arguments of a unit that are indices in its selector."""
    acting = [step for step in event.extra.get(_STEPS, ()) if step["type"] not in ("keyDown", "keyUp")]
    count = len(_INDEX.findall(first_selector(acting[0]))) if len(acting) == 1 else 0
    return tuple(event.args[:count])


def place_of(event: Event) -> tuple[float, ...]:
    """Return where in its element a unit clicks; nothing when that is its middle."""
    acting = [step for step in event.extra.get(_STEPS, ()) if step["type"] not in ("keyDown", "keyUp")]
    if len(acting) != 1 or acting[0]["type"] not in ("click", "doubleClick") or acting[0].get("anywhere"):
        return ()
    return tuple(event.args[len(indices_of(event)) :])


def as_rules_see(event: Event, names: Collection[str] = ()) -> Event:
    """Return a unit, or the event of a log, without where in its element a click went.

    The numbers of ids are arguments, `click #add-4` is `click #add-?` with 4, unless these names have it as it is.
    """
    kind, given = event.name.partition(" ")[0].rpartition("+")[2], event.args
    if kind in ("click", "doubleClick") and len(given) == event.name.count("?") + 2:
        given = given[:-2]
    if event.name in names:
        return event.with_args(given)
    numbers = [int(number) for _, number in _NUMBERED.findall(event.name)]
    return replace(event, name=_NUMBERED.sub(r"\1?", event.name), args=(*numbers, *given))


def _with_indices(selector: str | list[str], indices: list[Json]) -> str | list[str]:
    if isinstance(selector, list):
        return [str(_with_indices(part, indices)) for part in selector]
    return _INDEX.sub(lambda match: str(indices.pop(0)), selector)


def first_selector(step: Mapping[str, Json]) -> str:
    """Return the first way in which a step finds its element; a path through shadow roots is joined."""
    selectors = step.get("selectors") or [""]
    chosen = selectors[0]
    return " >>> ".join(chosen) if isinstance(chosen, list) else str(chosen)


def words(trace: Iterable[Event]) -> list[tuple[int, int]]:
    """Return the runs of single keys that were typed one after another, as ranges of a trace."""
    runs: list[tuple[int, int]] = []
    begin: int | None = None
    events = list(trace)
    for i, event in enumerate([*events, Event("")]):
        typed = len(event.name.removeprefix("press ").removeprefix("Shift+")) == 1
        if typed and begin is None:
            begin = i
        elif not typed and begin is not None:
            if i - begin > 1:
                runs.append((begin, i))
            begin = None
    return runs


def _key(step: RecorderStep) -> str:
    name = str(step["key"])
    for modifier in MODIFIERS:
        if name in (f"{modifier}Left", f"{modifier}Right"):
            return modifier
    return _SPACE.get(name, name)


def _chord(steps: Iterable[RecorderStep]) -> str:
    return "+".join(_key(step) for step in steps if step["type"] == "keyDown") or ""


def _groups(steps: Iterable[RecorderStep]) -> Iterator[list[RecorderStep]]:
    """Yield steps that belong together; a key that goes up later than the next goes down is put back to its own."""
    groups: list[list[RecorderStep]] = []
    chord: list[RecorderStep] | None = None
    held: set[str] = set()
    down: dict[str, list[RecorderStep]] = {}
    for step in steps:
        key = _key(step) if step["type"] in ("keyDown", "keyUp") else ""
        if step["type"] == "keyDown" and key in MODIFIERS:
            if chord is None:
                chord = []
                groups.append(chord)
            if key not in held:  # a key that repeats while it is held goes down once
                chord.append(step)
            held.add(key)
        elif step["type"] == "keyUp" and key in MODIFIERS:
            if chord is not None and key in held:
                chord.append(step)
                held.discard(key)
                if not held:
                    chord = None
        elif step["type"] == "keyUp":
            owner = down.pop(key, down.pop(key.swapcase(), None))
            if owner is not None and owner is not chord:
                owner.append(step)
            elif chord is not None:
                chord.append(step)
            else:
                groups.append([step])
        elif chord is not None:
            chord.append(step)
            if key:
                down[key] = chord
        else:
            groups.append([step])
            if key:
                down[key] = groups[-1]
    yield from groups
