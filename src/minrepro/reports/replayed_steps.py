"""The accepted steps of a run as changes of a text, in which nothing is told that the result does not have."""

from __future__ import annotations

import re
from typing import Any

from minrepro.core.verdicts import Outcome
from minrepro.reports.report import Report
from minrepro.runs.history.recorded_run import AcceptedStep

LARGEST = 300_000
"""Steps from contents larger than this are not replayed: a page must stay small enough to be sent."""
MOST_STEPS = 3000

_WORD = re.compile(r"\w+")


class Mask:
    """Hides each word that a text does not have, behind signs of the same number."""

    def __init__(self, shown: str) -> None:
        self._shown = set(_WORD.findall(shown))

    def __call__(self, text: str) -> str:
        return _WORD.sub(self._masked, text)

    def _masked(self, match: re.Match[str]) -> str:
        word = match[0]
        return word if word in self._shown else "▒" * (len(word.encode("utf-16-le", "surrogatepass")) // 2)


def replayed_steps(report: Report) -> dict[str, Any]:
    """Return the first content that is shown, and the steps from there as changes of its text."""
    mask = (lambda text: text) if report.with_original else Mask(report.rendered(report.result))
    moments = report.chronicle.moments
    content, first, first_size, text = report.chronicle.original, "", 0, None
    steps: list[dict[str, Any]] = []
    skipped = 0
    for number, moment in enumerate(moments):
        before, content = content, moment.step.applied(content)
        if content == before:
            continue
        if len(before) > LARGEST or len(moments) - number > MOST_STEPS:
            skipped += 1
            continue
        if text is None:
            first = text = mask(report.rendered(before))
            first_size = report.size(before)
        after = mask(report.rendered(content))
        if after == text:
            continue  # what has changed cannot be seen
        spent = {"size": report.size(content), "tests": moment.tests, "seconds": moment.seconds}
        steps.append({**_change(text, after), "label": moment.step.label, **spent})
        text = after
    if text is None:
        first, first_size = mask(report.rendered(content)), report.size(content)
    masked = not report.with_original
    return {"first": first, "first_size": first_size, "steps": steps, "skipped": skipped, "masked": masked}


def _change(before: str, after: str) -> dict[str, Any]:
    """Return the stretch of a text that is replaced, counted as JavaScript does."""
    one, other = before.encode("utf-16-le", "surrogatepass"), after.encode("utf-16-le", "surrogatepass")
    step = AcceptedStep.between(one, other, "", Outcome.FAIL, smallest=True)
    start, end = step.start // 2, -(-step.end // 2)
    middle = other[2 * start : len(other) - (len(one) - 2 * end)]
    return {"start": start, "end": end, "middle": middle.decode("utf-16-le", "surrogatepass")}
