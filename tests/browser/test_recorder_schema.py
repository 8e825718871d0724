"""What is in a file is a recording, or it is said which step of it is wrong, and how."""

from __future__ import annotations

import ast
import contextlib
import json
import re

import pytest

from minrepro.browser.exports import export
from minrepro.browser.recorder_schema import RecorderStep, checked
from minrepro.browser.recording import parse
from minrepro.browser.step_descriptions import described
from minrepro.errors import InputError, UsageError
from minrepro.traces.user_events import Json


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "not JSON"),
        ("[]", 'neither a recording with "steps"'),
        ('{"steps": [3]}', "step 1 is not a JSON object"),
        ('{"steps": [{"type": "fly"}]}', "unknown type 'fly'"),
        ('{"steps": [{"type": "navigate"}]}', "lacks 'url'"),
        ('{"steps": [{"type": "click", "selectors": []}]}', "has no selector"),
        ('{"steps": [{"type": "click", "selectors": [[3]]}]}', "selectors must be strings"),
        ('{"steps": [{"type": "keyDown", "key": "a"}]}', "must start with a navigate step"),
        ('{"tests": []}', "no test with commands"),
        ('{"steps": [], "title": "\\ud800"}', "half of a surrogate pair"),
    ],
)
def test_a_bad_recording_is_refused_with_its_place(text: str, said: str) -> None:
    with pytest.raises(InputError, match=said.replace("(", r"\(")):
        parse(text, "bad")


def test_steps_that_are_right_are_left_as_they_are() -> None:
    steps = [{"type": "customStep", "name": "anything", "parameters": {"a": 1}}, {"type": "close"}]
    assert checked(steps, "good") == steps


NAVIGATE = {"type": "navigate", "url": "http://127.0.0.1:1/"}


@pytest.mark.parametrize(
    ("step", "said"),
    [
        ({**NAVIGATE, "url": 5}, "step 1 (navigate): url must be a string"),
        ({"type": "setViewport", "width": "wide", "height": 1}, "width must be a number from 1 to 20000"),
        ({"type": "setViewport", "width": 0, "height": 1}, "width must be a number from 1"),
        ({"type": "click", "selectors": ["a"], "offsetX": "5"}, "offsetX must be a number"),
        ({"type": "click", "selectors": ["a"], "offsetX": float("nan")}, "offsetX must be a number"),
        ({"type": "click", "selectors": ["a"], "frame": "0"}, "frame must be a list"),
        ({"type": "click", "selectors": "a"}, "selectors must be strings"),
        ({"type": "change", "selectors": ["a"], "value": None}, "value must be a string"),
        ({"type": "keyDown", "key": {}}, "key must be a string"),
        ({"type": "waitForElement", "selectors": ["a"], "count": "two"}, "count must be a number"),
        ({"type": "customStep", "name": "drag"}, "step 1 (drag) lacks 'from'"),
        ({"type": "customStep", "name": "drag", "parameters": {"from": [], "to": ["a"]}}, "(drag) has no selector"),
        ({"type": "customStep", "name": "drag", "parameters": ["a"]}, "parameters must be a JSON object"),
        ({"type": "customStep", "name": "wheel", "parameters": {"at": ["a"], "deltaY": "5"}}, "deltaY must be"),
        ({"type": "customStep", "name": "paste", "parameters": {"text": 5}}, "text must be a string"),
    ],
)
def test_what_no_step_can_have_in_a_field_is_refused(step: RecorderStep, said: str) -> None:
    with pytest.raises(InputError, match=re.escape(said)):
        checked([step], "bad")


@pytest.mark.parametrize("value", [None, 0, -1, 1.5, True, "", "x", [], [0], [[]], {}, {"a": 1}])
@pytest.mark.parametrize("field", ["selectors", "value", "key", "offsetX", "frame", "target", "button", "duration"])
def test_whatever_a_field_holds_it_is_refused_or_can_be_described_and_exported(field: str, value: Json) -> None:
    for kind in ("click", "change", "keyDown", "scroll"):
        step = {"type": kind, "selectors": ["a"], "value": "v", "key": "k", field: value}
        try:
            recording = parse(json.dumps({"steps": [NAVIGATE, step]}), "any")
        except InputError as error:
            assert "step 2" in str(error)
            continue
        assert [described(event) for event in recording.trace]
        assert export(recording, "recorder")
        with contextlib.suppress(UsageError):  # other windows cannot be said in all forms
            ast.parse(export(recording, "pytest"))
