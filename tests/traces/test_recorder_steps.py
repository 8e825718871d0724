from __future__ import annotations

import json
from typing import Any

import pytest

from minrepro.errors import InputError
from minrepro.traces import recorder_steps
from minrepro.traces.user_events import Event

FLOW: dict[str, Any] = {
    "title": "a flow",
    "timeout": 5000,
    "steps": [
        {"type": "navigate", "url": "http://localhost/"},
        {"type": "click", "selectors": [["aria/Add"], ["#add"]], "offsetX": 3, "offsetY": 4},
        {"type": "change", "selectors": [["#host", "#inner"]], "value": "milk"},
        {"type": "keyDown", "key": "Enter"},
        {"type": "customStep", "name": "drag", "parameters": {"x": 1}},
    ],
}


def test_steps_become_events_named_by_type_and_first_selector() -> None:
    trace = recorder_steps.read(json.dumps(FLOW), "r.json").trace
    assert [str(event) for event in trace] == [
        'navigate("http://localhost/")',
        "click aria/Add",
        'change #host >>> #inner("milk")',
        'keyDown("Enter")',
        'customStep drag({"x":1})',
    ]


def test_a_flow_is_written_back_as_it_was() -> None:
    log = recorder_steps.read(json.dumps(FLOW), "r.json")
    assert json.loads(recorder_steps.write(log.trace, log.head)) == FLOW


def test_other_arguments_are_written_into_the_step() -> None:
    log = recorder_steps.read(json.dumps(FLOW), "r.json")
    changed = log.trace[2].with_args(["x"])
    assert recorder_steps.step_of(changed) == {**FLOW["steps"][2], "value": "x"}


def test_an_event_of_another_source_becomes_a_custom_step() -> None:
    assert recorder_steps.step_of(Event("add", (1,))) == {
        "type": "customStep",
        "name": "add",
        "parameters": {"args": [1]},
    }


@pytest.mark.parametrize("text", ['{"title": "x"}', '{"steps": [1]}', '{"steps": [{"kind": "click"}]}'])
def test_what_is_no_recording_is_refused(text: str) -> None:
    with pytest.raises(InputError):
        recorder_steps.read(text, "r.json")
