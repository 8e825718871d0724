"""What the user did, as a tree of events, and its reduction from the top down."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby, pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from minrepro.core.verdicts import Outcome, Verdict
from minrepro.executors.inline import Inline
from minrepro.traces import Event, reduce_events, trace_formats
from minrepro.traces.event_hierarchy import Deed, deed_of, hierarchy
from minrepro.traces.trace_reduction import Algorithm, TraceReduction, TraceResult, reduce_trace
from minrepro.traces.user_events import Trace, numbered


def typed(text: str) -> Iterator[Event]:
    for letter in text:
        yield Event("keyDown", (letter,))
        yield Event("keyUp", (letter,))


def groups(trace: Trace, depth: int) -> list[str]:
    """Return the groups of a level, each as the names and arguments of its events."""
    paths = hierarchy(trace)
    found = groupby(trace, key=lambda event: paths[id(event)][:depth])
    return [" ".join(map(str, group)) for _, group in found]


PAGE, FORM, ACTION, STROKE = 1, 2, 3, 4


@pytest.mark.parametrize(
    ("name", "deed"),
    [
        ("navigate", Deed.ARRIVE),
        ("keyDown", Deed.TYPE),
        ("key_release", Deed.TYPE),
        ("press Control+a", Deed.TYPE),
        ("mousemove", Deed.PREPARE),
        ("MotionNotify", Deed.PREPARE),
        ("ButtonPress", Deed.GRAB),
        ("mouseup", Deed.DROP),
        ("change #name", Deed.FILL),
        ("click #send", Deed.ACT),
        ("KEY", Deed.TYPE),
        ("", Deed.ACT),
        ("→", Deed.ACT),
    ],
)
def test_the_name_of_an_event_tells_what_it_is(name: str, deed: Deed) -> None:
    assert deed_of(Event(name)) is deed


def test_a_word_is_typed_until_a_space_and_each_key_goes_down_and_up() -> None:
    trace = numbered(typed("ab c"))
    assert groups(trace, ACTION) == [
        'keyDown("a") keyUp("a") keyDown("b") keyUp("b") keyDown(" ") keyUp(" ")',
        'keyDown("c") keyUp("c")',
    ]
    assert len(groups(trace, STROKE)) == 4


def test_a_drag_is_one_action_and_moves_belong_to_the_click_that_they_lead_to() -> None:
    names = ["mousemove", "mousemove", "mousedown", "mousemove", "scroll", "mouseup", "click a", "hover b", "click c"]
    assert groups(numbered(map(Event, names)), ACTION) == [
        "mousemove mousemove mousedown mousemove scroll mouseup",
        "click a",
        "hover b click c",
    ]


def test_a_form_is_its_fields_the_clicks_between_them_and_the_click_that_sends_it() -> None:
    names = ["click menu", "click name", "change name", "click mail", "change mail", "click send", "click other"]
    assert groups(numbered(map(Event, names)), FORM) == [
        "click menu",
        "click name change name click mail change mail click send",
        "click other",
    ]


def test_a_page_begins_where_it_is_opened() -> None:
    names = ["set", "navigate", "click a", "reload", "click b"]
    assert groups(numbered(map(Event, names)), PAGE) == ["set", "navigate click a", "reload click b"]


def test_groups_that_a_recording_names_come_first() -> None:
    path = ["buy", "choose"], ["buy", "pay"], "leave"
    trace = numbered(Event(name, extra={"group": group}) for name, group in zip("abc", path, strict=True))
    assert groups(trace, 1) == ["a b", "c"]
    assert groups(trace, 2) == ["a", "b", "c"]


NAMES = st.sampled_from(
    ["keyDown", "keyUp", "mousedown", "mouseup", "hover", "click a", "change b", "navigate", "open"]
)
EVENTS = st.builds(
    Event,
    NAMES,
    st.sampled_from([(), ("a",), (" ",)]),
    extra=st.sampled_from([{}, {"group": "x"}, {"group": ["x", "y"]}]),
)
TRACES = st.lists(EVENTS, min_size=1, max_size=14).map(numbered)


@given(TRACES)
def test_each_level_divides_the_groups_of_the_one_above_down_to_single_events(trace: Trace) -> None:
    paths = hierarchy(trace)
    depth = len(paths[id(trace[0])])
    for level in range(1, depth + 1):
        keys = [key for key, _ in groupby(paths[id(event)][:level] for event in trace)]
        assert len(keys) == len(set(keys))  # a group is a row of neighbors
    assert all(paths[id(one)] != paths[id(other)] for one, other in pairwise(trace))


@given(TRACES, st.data())
def test_the_result_is_1_minimal_if_what_is_needed_is_a_set(trace: Trace, data: st.DataObject) -> None:
    needed = data.draw(st.sets(st.sampled_from(range(len(trace))), min_size=1))
    found = _reduced(trace, [trace[i] for i in sorted(needed)], "hdd")
    assert len(found.trace) == len(needed)


def test_what_the_user_did_goes_as_a_whole() -> None:
    noise = [Event("mousemove", (1,)), Event("click #find"), *typed("some words to find"), Event("click #go")]
    needed = [Event("click #name"), *typed("bob"), Event("click #send")]
    trace = numbered([Event("navigate"), *noise, *noise, *needed, *noise, Event("navigate"), *noise, *needed, *noise])
    by_level, plain = (_reduced(trace, needed + needed, name) for name in ("hdd", "ddmin"))
    assert list(by_level.trace) == list(plain.trace) == needed + needed
    assert by_level.events_fired < plain.events_fired


def test_it_is_there_from_python() -> None:
    class Field:
        def reset(self) -> None:
            self.text = ""

        def fire(self, event: Event) -> None:
            self.text += str(event.args[0]) if event.name == "keyDown" else ""
            if self.text.endswith("abc"):
                raise ValueError("abc")

    result = reduce_events([*typed("xy abc de")], Field(), algorithm="hdd")
    assert [event.args[0] for event in result.trace] == ["a", "b", "c"]


def test_groups_are_kept_in_the_file(tmp_path: Path) -> None:
    path = tmp_path / "trace.jsonl"
    path.write_text('{"event": "a", "group": ["buy", "pay"]}\n{"event": "b"}\n')
    log, kind = trace_formats.read(path)
    assert trace_formats.rendered(log.trace, kind, log) == path.read_text()


def _reduced(trace: Trace, needed: list[Event], algorithm: Algorithm) -> TraceResult:
    def replay(candidate: Trace) -> Verdict:
        left = list(needed)
        for fired, event in enumerate(candidate, 1):
            if event == left[0]:
                left.pop(0)
                if not left:
                    return Verdict(Outcome.FAIL, stopped_at=fired)
        return Verdict(Outcome.PASS, stopped_at=len(candidate))

    return reduce_trace(trace, Inline(replay), TraceReduction((), algorithm, arguments=False))
