"""Steps as units: chords stay together, arguments are found and put back."""

from __future__ import annotations

import pytest

from minrepro.browser.recorder_schema import RecorderStep
from minrepro.browser.session_units import as_rules_see, indices_of, prologue, steps_of, units_of, words
from minrepro.browser.step_descriptions import described
from minrepro.traces.user_events import Event


def down(key: str) -> RecorderStep:
    return {"type": "keyDown", "key": key}


def up(key: str) -> RecorderStep:
    return {"type": "keyUp", "key": key}


def test_a_key_with_its_modifiers_is_one_unit() -> None:
    steps = [down("ControlLeft"), down("z"), up("z"), up("ControlLeft"), down("a"), up("a")]
    trace = units_of(steps)
    assert [event.name for event in trace] == ["press Control+z", "press a"]
    assert [step for event in trace for step in steps_of(event)] == steps


def test_keys_that_overlap_in_quick_typing_are_single_units() -> None:
    trace = units_of([down("h"), down("i"), up("h"), up("i")])
    assert [event.name for event in trace] == ["press h", "press i"]
    assert steps_of(trace[0]) == [down("h"), up("h")]


def test_a_click_with_a_held_key_belongs_to_the_chord() -> None:
    click = {"type": "click", "selectors": [["#a"]], "offsetX": 1, "offsetY": 2}
    trace = units_of([down("Shift"), click, up("Shift")])
    assert [str(event) for event in trace] == ["Shift+click #a(1, 2)"]
    assert steps_of(trace[0]) == [down("Shift"), click, up("Shift")]


def test_indices_in_selectors_are_arguments_and_go_back_into_the_first_alternative() -> None:
    click = {"type": "click", "selectors": [["li:nth-child(3) b"], ["aria/Third"]], "offsetX": 5, "offsetY": 6}
    (event,) = units_of([click])
    assert (event.name, event.args, indices_of(event)) == ("click li:nth-child(?) b", (3, 5, 6), (3,))
    (step,) = steps_of(event.with_args((2, 5, 6)))
    assert step["selectors"] == [["li:nth-child(2) b"]]
    assert steps_of(event) == [click]


def test_a_value_is_an_argument() -> None:
    (event,) = units_of([{"type": "change", "selectors": ["#n"], "value": "milk"}])
    assert event.args == ("milk",)
    assert steps_of(event.with_args(["m"]))[0]["value"] == "m"
    assert described(event) == "type 'milk' into #n"


def test_keys_typed_one_after_another_are_words() -> None:
    trace = units_of([step for key in ["a", "b", "Enter", "c", "Shift"] for step in (down(key), up(key))])
    assert words(trace) == [(0, 2)]


def test_what_opens_the_page_is_no_unit() -> None:
    steps: list[RecorderStep] = [
        {"type": "setViewport", "width": 1, "height": 1},
        {"type": "navigate", "url": "u"},
        down("a"),
    ]
    assert prologue(steps) == (steps[:2], steps[2:])


@pytest.mark.parametrize(
    ("event", "seen"),
    [
        (Event("click #empty", (39, 9)), Event("click #empty")),
        (Event("click #add-4", (14, 13)), Event("click #add-?", (4,))),
        (
            Event("click #cart > li:nth-of-type(?) > button.more", (2, 8, 12)),
            Event("click #cart > li:nth-of-type(?) > button.more", (2,)),
        ),
        (Event("change #row12 > input", ("a",)), Event("change #row? > input", (12, "a"))),
        (Event("Control+click #h1-x", (1, 2)), Event("Control+click #h1-x")),
        (Event("press a"), Event("press a")),
    ],
)
def test_rules_see_no_places_of_clicks_and_ids_without_their_numbers(event: Event, seen: Event) -> None:
    assert as_rules_see(event) == seen


def test_rules_that_name_an_element_see_it_as_it_is() -> None:
    assert as_rules_see(Event("click #add-4", (14, 13)), {"click #add-4"}) == Event("click #add-4")
