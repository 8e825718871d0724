"""Arguments of units: indices count down together with the event that made them needed."""

from __future__ import annotations

from minrepro.browser.recorder_schema import RecorderStep
from minrepro.browser.session_units import steps_of, units_of
from minrepro.browser.shrink_session_arguments import shrink_web_arguments
from minrepro.core.search import solve
from minrepro.core.verdicts import Outcome
from minrepro.traces.user_events import Trace


def trace_of(*selectors: str) -> Trace:
    steps: list[RecorderStep] = [{"type": "click", "selectors": [selector], "anywhere": True} for selector in selectors]
    return units_of(steps)


def clicked(trace: Trace) -> list[str]:
    return [str(step["selectors"][0]) for event in trace for step in steps_of(event)]


def test_a_row_less_is_added_when_the_row_that_is_clicked_counts_down_with_it() -> None:
    def rows_match(trace: Trace) -> Outcome:
        """Fail when the last row is clicked, and there was one to begin with."""
        names = clicked(trace)
        wanted = f"tr:nth-child({1 + names.count('#add')})"
        return Outcome.FAIL if names[-1:] == [wanted] and "#add" in names else Outcome.PASS

    trace = trace_of("#add", "#add", "#add", "tr:nth-child(4)")
    assert rows_match(trace) is Outcome.FAIL
    small = solve(shrink_web_arguments(trace), rows_match)
    assert clicked(small) == ["#add", "tr:nth-child(2)"]


def test_indices_and_texts_become_small_where_they_do_not_matter() -> None:
    steps: list[RecorderStep] = [
        {"type": "click", "selectors": ["li:nth-child(9)"], "anywhere": True},
        {"type": "change", "selectors": ["#n"], "value": "milk"},
    ]
    trace = units_of(steps)
    small = solve(shrink_web_arguments(trace), lambda given: Outcome.FAIL if len(given) == 2 else Outcome.PASS)
    assert [event.args for event in small] == [(1,), ("",)]


def test_clicks_go_to_the_middle_of_their_elements_where_the_place_does_not_matter() -> None:
    steps: list[RecorderStep] = [
        {"type": "click", "selectors": ["#a"], "offsetX": 7, "offsetY": 9},
        {"type": "doubleClick", "selectors": ["li:nth-child(2)"], "offsetX": 30, "offsetY": 4},
        {"type": "customStep", "name": "drag", "parameters": {"from": ["#a"], "to": ["#b"], "toOffset": [3, 4]}},
    ]
    reduction = shrink_web_arguments(units_of(steps))
    small = solve(reduction, lambda given: Outcome.FAIL if len(given) == 3 else Outcome.PASS)
    assert [str(event) for event in small][:2] == ["click #a", "doubleClick li:nth-child(?)(1)"]
    acted = [step for event in small for step in steps_of(event)]
    assert acted[0]["anywhere"] and acted[1]["anywhere"]
    assert acted[2]["parameters"] == {"from": ["#a"], "to": ["#b"]}


def test_a_place_that_matters_stays_and_only_becomes_smaller() -> None:
    steps: list[RecorderStep] = [
        {"type": "click", "selectors": ["canvas"], "offsetX": 40, "offsetY": 9},
        {"type": "click", "selectors": ["#b"], "offsetX": 5, "offsetY": 5},
    ]

    def left_part(trace: Trace) -> Outcome:
        """Fail when the canvas is clicked at its left."""
        first = steps_of(trace[0])[0]
        return Outcome.FAIL if not first.get("anywhere") and 20 <= first["offsetX"] < 50 else Outcome.PASS

    small = solve(shrink_web_arguments(units_of(steps)), left_part)
    assert [str(event) for event in small] == ["click canvas(20, 0)", "click #b"]


def test_turns_of_the_wheel_and_scrolling_become_smaller() -> None:
    steps: list[RecorderStep] = [
        {"type": "customStep", "name": "wheel", "parameters": {"at": ["html"], "deltaX": 0, "deltaY": 480}},
        {"type": "scroll", "x": 0, "y": 300},
    ]

    def far(trace: Trace) -> Outcome:
        wheel, scroll = (steps_of(event)[0] for event in trace)
        return Outcome.FAIL if wheel["parameters"]["deltaY"] >= 100 and scroll["y"] >= 10 else Outcome.PASS

    wheel, scroll = solve(shrink_web_arguments(units_of(steps)), far)
    assert 100 <= wheel.args[-1]["deltaY"] < 200
    assert 10 <= scroll.args[1] < 20
