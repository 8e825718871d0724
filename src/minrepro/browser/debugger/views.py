"""What the page is told of events, observations, steps and results."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from minrepro.browser.debugger.step_records import StepRecord
from minrepro.browser.page_failures import HARD
from minrepro.browser.session_replay import Observation
from minrepro.browser.session_units import steps_of
from minrepro.browser.step_descriptions import changed, described, plainly
from minrepro.traces.rewriting import Rewriting
from minrepro.traces.rules import Rule
from minrepro.traces.trace_reduction import Reason
from minrepro.traces.user_events import Event, Trace

_SHOWN = 400
"""Lines of a DOM, and of its changes, that are shown."""


def event_view(event: Event) -> dict[str, Any]:
    """Return what is shown of an event."""
    return {"text": described(event), "steps": steps_of(event)}


def observation_view(seen: Observation, numbers: list[int], times: int, shown: dict[str, int]) -> dict[str, Any]:
    """Return what is shown of a replay, the likeliest failure first; `numbers` are the places of its events."""
    failures: list[dict[str, Any]] = [
        {"number": numbers[number - 1] + 1 if number else 0, "signature": one.signature, "kind": one.kind,
         "shown": shown.get(one.signature, 1)}
        for number, one in seen.seen
    ]  # fmt: skip
    # A failure that no page should ever show, after an event, and each time; what comes first causes the rest.
    failures.sort(key=lambda one: (one["kind"] not in HARD, not one["number"], -one["shown"]))
    return {
        "fired": seen.fired,
        "impossible": seen.impossible,
        "instead": seen.instead,
        "at": numbers[seen.fired - 1] + 1 if seen.fired else 0,
        "times": times,
        "pending": seen.pending,
        "failures": failures,
    }


def step_view(record: StepRecord) -> dict[str, Any]:
    """Return what is shown of a step beside its pictures and the DOM."""
    return {
        "after": record.after is not None,
        "boxes": record.boxes,
        "size": record.size,
        "url": record.url,
        "console": record.console,
        "network": record.network,
        "errors": record.errors,
    }


def changes(before: list[str], after: list[str]) -> dict[str, Any]:
    """Return the lines of a DOM, and those that an event added and removed."""
    matcher = difflib.SequenceMatcher(None, before, after, autojunk=len(before) > 2000)
    found: list[dict[str, str]] = []
    for tag, begin, end, first, last in matcher.get_opcodes():
        if tag != "equal" and len(found) < _SHOWN:
            found += [{"mark": "-", "text": line[:500]} for line in before[begin:end]]
            found += [{"mark": "+", "text": line[:500]} for line in after[first:last]]
    return {"lines": [line[:500] for line in after[:_SHOWN]], "more": max(0, len(after) - _SHOWN), "changes": found}


def rules_view(
    rules: Sequence[Rule], without: Collection[str], rewriting: Rewriting, numbers: list[int]
) -> dict[str, Any]:
    """Return what is shown of rules, and of what those that are wanted would remove."""
    removed = {
        numbers[event.position or 0]: str(step.rule) for step in rewriting.applications for event in step.removed
    }
    table = [
        {"rule": str(rule), "kind": rule.kind.value, "for": rule.evidence.positive,
         "confidence": rule.evidence.confidence, "used": str(rule) not in without}
        for rule in rules
    ]  # fmt: skip
    return {"rules": table, "before": len(numbers), "after": len(rewriting.kept), "removed": removed}


def result_view(
    whole: Trace, result: Trace, reasons: list[Reason], numbers: list[int], checks: Mapping[int, int]
) -> dict[str, Any]:
    """Return what is shown of a result, in the numbers of the whole session."""
    by_number = {}
    for reason in reasons:
        number, text = numbers[reason.position], plainly(reason.text)
        if not reason.kept and reason.rule is None and number in checks:
            text = f"{text} (check {checks[number]})"
        by_number[number] = {"kept": reason.kept, "text": text, "rule": reason.rule is not None}
    dropped = {"kept": False, "text": "excluded by you", "rule": False}
    kept = []
    for event in result:
        number = numbers[event.position or 0]
        kept.append({"number": number + 1, "text": described(event), "changed": changed(whole[number], event)})
    return {"trace": kept, "reasons": [by_number.get(number, dropped) for number in range(len(whole))]}
