"""Arguments of units: indices count down together with the event that made them needed."""

from __future__ import annotations

from minrepro.search import Outcome, solve
from minrepro.traces.events import Trace
from minrepro.web.arguments import shrink_web_arguments
from minrepro.web.units import Step, steps_of, units_of


def trace_of(*selectors: str) -> Trace:
    steps: list[Step] = [{"type": "click", "selectors": [selector], "anywhere": True} for selector in selectors]
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
    steps: list[Step] = [
        {"type": "click", "selectors": ["li:nth-child(9)"], "anywhere": True},
        {"type": "change", "selectors": ["#n"], "value": "milk"},
    ]
    trace = units_of(steps)
    small = solve(shrink_web_arguments(trace), lambda given: Outcome.FAIL if len(given) == 2 else Outcome.PASS)
    assert [event.args for event in small] == [(1,), ("",)]
