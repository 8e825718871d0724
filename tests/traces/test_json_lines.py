from __future__ import annotations

import pytest

from minrepro.errors import InputError
from minrepro.traces import json_lines
from minrepro.traces.user_events import Entry, Event


def test_an_event_has_a_name_arguments_and_a_state() -> None:
    log = json_lines.read('{"event": "add", "args": [1, "x"], "state": {"N": 1}}\n', "a.jsonl")
    assert log.entries == (Entry(Event("add", (1, "x")), {"N": 1}, 1),)


def test_a_line_without_event_gives_the_state_at_the_beginning() -> None:
    log = json_lines.read('{"state": {"N": 0}}\n{"event": "open"}\n', "a.jsonl")
    assert (log.entries[0].event, log.entries[0].state) == (None, {"N": 0})
    assert [str(event) for event in log.trace] == ["open"]


def test_an_array_of_events_is_read_too() -> None:
    assert len(json_lines.read('[{"event": "a"}, {"event": "b"}]', "a.json").entries) == 2


def test_what_is_written_is_read_back_with_all_other_keys() -> None:
    text = '{"event": "add", "args": [1], "steps": [2], "state": {"N": 1}}\n{"event": "öffnen"}\n'
    assert json_lines.write(json_lines.read(text, "a").entries) == text


def test_a_line_separator_inside_a_string_ends_no_line() -> None:
    assert json_lines.read('{"event": "type", "args": ["a\u2028b"]}', "a").trace == (Event("type", ("a\u2028b",)),)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"event": "a"}\n{"event": }', "log:2:11: not JSON"),
        ("[1]", "log:1: an event is a JSON object"),
        ('{"event": 3}', 'log:1: "event" must be the name'),
        ('{"event": "a", "args": 1}', 'log:1: "args" must be a list'),
        ('{"event": "a", "state": 1}', "log:1: a state is a JSON object"),
        ('{"time": 3}', 'log:1: expected "event" or "state"'),
        ("[" * 100_000, "log:1: JSON is nested too deeply"),
    ],
)
def test_what_is_no_trace_is_refused_with_its_place(text: str, message: str) -> None:
    with pytest.raises(InputError) as raised:
        json_lines.read(text, "log")
    assert str(raised.value).startswith(message)
