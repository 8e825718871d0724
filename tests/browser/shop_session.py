"""A failing session of the shop, as a tester would have recorded it."""

from __future__ import annotations

from minrepro.browser.recorder_schema import RecorderStep
from minrepro.browser.recording import Recording, of_steps


def click(selector: str) -> RecorderStep:
    """Return a click on an element."""
    return {"type": "click", "target": "main", "selectors": [[selector]], "anywhere": True}


def add(i: int) -> RecorderStep:
    """Return the step that puts a product into the cart."""
    return click(f"#products > li:nth-of-type({i}) > button")


def delete(i: int) -> RecorderStep:
    """Return the step that takes an item out of the cart."""
    return click(f"#cart > li:nth-of-type({i}) > button")


def key(name: str) -> list[RecorderStep]:
    """Return the steps that press a key."""
    return [{"type": "keyDown", "target": "main", "key": name}, {"type": "keyUp", "target": "main", "key": name}]


def session(url: str) -> Recording:
    """Return a session of more than 40 units that opens the catalogue and, long after, empties an empty cart."""
    steps: list[RecorderStep] = [
        {"type": "setViewport", "width": 1000, "height": 700},
        {"type": "navigate", "url": url},
    ]
    steps += [click("#empty"), click("#search"), *key("t"), *key("e"), *key("Backspace"), *key("Backspace")]
    steps += [click("#open")]
    for round_ in range(6):
        steps += [add(1 + round_ % 5), add(2), add(1), delete(1), click("#empty")]
    steps += [add(3), add(2), delete(2), delete(1), click("#empty"), add(1), click("#open")]
    return of_steps(steps, {"title": "the shop"}, "session")
