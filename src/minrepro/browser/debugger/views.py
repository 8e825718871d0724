"""What the page is told of events, observations and results."""

from __future__ import annotations

from typing import Any

from minrepro.browser.session_replay import Observation
from minrepro.browser.session_units import steps_of
from minrepro.browser.step_descriptions import changed, described, plainly
from minrepro.traces.trace_reduction import Reason
from minrepro.traces.user_events import Event, Trace


def event_view(event: Event, pictured: bool) -> dict[str, Any]:
    """Return what is shown of an event."""
    selectors = [alternative for step in steps_of(event) for alternative in step.get("selectors") or []]
    plain = [" >>> ".join(one) if isinstance(one, list) else one for one in selectors]
    return {"text": described(event), "selectors": plain, "picture": pictured}


def observation_view(seen: Observation, numbers: list[int], times: int, shown: dict[str, int]) -> dict[str, Any]:
    """Return what is shown of a confirming replay; `numbers` are the places of its events in the whole session."""
    return {
        "fired": seen.fired,
        "impossible": seen.impossible,
        "times": times,
        "failures": [
            {"number": numbers[number - 1] + 1 if number else 0, "signature": one.signature, "kind": one.kind,
             "shown": shown.get(one.signature, 1)}
            for number, one in seen.seen
        ],
    }  # fmt: skip


def result_view(whole: Trace, result: Trace, reasons: list[Reason], numbers: list[int]) -> dict[str, Any]:
    """Return what is shown of a result, in the numbers of the whole session."""
    by_number = {
        numbers[reason.position]: {"kept": reason.kept, "text": plainly(reason.text), "rule": reason.rule is not None}
        for reason in reasons
    }
    dropped = {"kept": False, "text": "excluded by you", "rule": False}
    kept = []
    for event in result:
        number = numbers[event.position or 0]
        kept.append({"number": number + 1, "text": described(event), "changed": changed(whole[number], event)})
    return {"trace": kept, "reasons": [by_number.get(number, dropped) for number in range(len(whole))]}
