"""Units in the words of a tester."""

from __future__ import annotations

import pytest

from minrepro.browser.recorder_schema import RecorderStep
from minrepro.browser.session_units import units_of
from minrepro.browser.step_descriptions import as_text, described


@pytest.mark.parametrize(
    ("step", "said"),
    [
        ({"type": "click", "selectors": ["#a"]}, "click #a"),
        ({"type": "click", "selectors": ["#a", 'aria/Send[role="button"]']}, "click button 'Send' (#a)"),
        ({"type": "doubleClick", "selectors": [["#host", "b"]]}, "double-click #host >>> b"),
        ({"type": "change", "selectors": ["#a"], "value": ""}, "clear #a"),
        ({"type": "hover", "selectors": ["#a"]}, "move the mouse to #a"),
        ({"type": "navigate", "url": "http://h/"}, "go to http://h/"),
        ({"type": "scroll", "x": 1, "y": 2}, "scroll the page to 1, 2"),
        ({"type": "waitForExpression", "expression": "a > 1"}, "wait until a > 1"),
        ({"type": "customStep", "name": "paste", "parameters": {"text": "x"}}, "paste 'x'"),
        ({"type": "customStep", "name": "drag", "parameters": {"from": ["#a"], "to": ["#b"]}}, "drag #a to #b"),
        ({"type": "customStep", "name": "of others"}, "of others"),
    ],
)
def test_a_step_is_said_in_words(step: RecorderStep, said: str) -> None:
    (event,) = units_of([step])
    assert described(event) == said


def test_a_click_with_a_held_key_and_a_chord_are_said_in_words() -> None:
    steps: list[RecorderStep] = [
        {"type": "keyDown", "key": "Shift"},
        {"type": "click", "selectors": ["#a"]},
        {"type": "keyUp", "key": "Shift"},
    ]
    assert described(units_of(steps)[0]) == "hold Shift and click #a"
    assert described(units_of([steps[0], {"type": "keyDown", "key": "a"}])[0]) == "press Shift+a"


def test_a_report_numbers_the_steps() -> None:
    events = units_of([{"type": "click", "selectors": ["#a"]}])
    assert as_text("http://h/", events, "it throws") == "1. open http://h/\n2. click #a\n\nFailure: it throws\n"
