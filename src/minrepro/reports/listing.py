"""An explanation as an annotated listing, and as JSON."""

from __future__ import annotations

import sys
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import groupby
from pathlib import PurePath
from typing import Any

from rich.console import Console
from rich.text import Text

from minrepro.core.protocols import Executor
from minrepro.core.verdicts import Outcome, Verdict
from minrepro.engine.default_reducer import default_reducer
from minrepro.engine.tester import Tester
from minrepro.errors import NotFailing
from minrepro.reports.explanation import Explanation, Part, asking, explain
from minrepro.targets.target import InputTarget, TextPart

STYLES = {"free": "green", Outcome.PASS: "bold red", Outcome.UNRESOLVED: "yellow", Outcome.FAIL: "dim strike"}
"""How parts are shown: free to be anything, the failure gone without it, unclear without it, not needed at all."""
_MEANING = {
    Outcome.PASS: "without it, no failure",
    Outcome.UNRESOLVED: "without it, another outcome",
    Outcome.FAIL: "not needed",
}
_MOST_NOTES = 6
_LONGEST = 40


def explanations_of(given: InputTarget, data: bytes, executor: Executor) -> dict[str, Explanation]:
    """Return the explanations of a failing content, one for each text in it, or say that it does not fail."""
    counted = _Counted(executor, data, given.path)
    explanations = {}
    for part in given.texts(data):
        language = default_reducer(PurePath(part.name), part.content).language
        explanations[part.name] = counted.done(explain(part.content, language, partial(counted.ask_within, part)))
    return explanations


class _Counted:
    """Asks for verdicts on changed versions of a content that must fail, and counts them."""

    def __init__(self, executor: Executor, data: bytes, path: PurePath) -> None:
        self._tests = 0
        self.ask = asking(Tester(executor, permit_test=self._count))
        verdict = self.ask([data])[0]
        if verdict.outcome is not Outcome.FAIL:
            raise NotFailing(f"{path} does not reproduce the failure: {verdict.reason}", verdict=verdict)

    def ask_within(self, part: TextPart[bytes], contents: Sequence[bytes]) -> list[Verdict]:
        """Return the verdicts on contents in the place of a text."""
        return self.ask([part.put(content) for content in contents])

    def done(self, explanation: Explanation) -> Explanation:
        """Return an explanation with the number of tests since the last one."""
        tests, self._tests = self._tests, 0
        return replace(explanation, tests=tests)

    def _count(self) -> None:
        self._tests += 1


def print_all(explanations: Mapping[str, Explanation]) -> None:
    """Print explanations to standard output, with colors where that is a terminal."""
    show_all(explanations, Console(file=sys.stdout, highlight=False, soft_wrap=True))


def show_all(explanations: Mapping[str, Explanation], console: Console) -> None:
    """Print the listings of several files, each below its name."""
    for name, explanation in explanations.items():
        if len(explanations) > 1:
            console.print(Text(f"──── {name}", style="bold"))
        show(explanation, console)


def show(explanation: Explanation, console: Console) -> None:
    """Print the listing with notes below each line."""
    lines = explanation.content.splitlines(keepends=True) or [b""]
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line))
    width = len(str(len(lines)))
    for number, line in enumerate(lines):
        start = starts[number]
        parts = [part for part in explanation.parts if start <= part.start < starts[number + 1]]
        shown = _styled(explanation, start, line, [p for p in explanation.parts if p.start < starts[number + 1]])
        console.print(Text(f"{number + 1:>{width}} │ ", style="dim").append_text(shown))
        for note in _notes(explanation, parts):
            console.print(Text(f"{'':>{width}} │   ", style="dim").append_text(note))
    console.print(_summary(explanation))


def _styled(explanation: Explanation, start: int, line: bytes, parts: list[Part]) -> Text:
    """Return a line in which each piece has the style of the innermost part around it."""
    end = start + len(line.rstrip(b"\r\n"))
    styles = [""] * (end - start)
    for part in parts:  # outer ones come first
        for at in range(max(part.start, start), min(part.end, end)):
            styles[at - start] = STYLES["free"] if part.may_be else STYLES[part.without.outcome]
    text, position = Text(), start
    for style, group in groupby(styles):
        length = len(list(group))
        text.append(_decoded(explanation.content[position : position + length]), style=style or None)
        position += length
    return text


def _notes(explanation: Explanation, parts: list[Part]) -> list[Text]:
    """Return what is to be said about the parts of a line, alike ones together."""
    groups: dict[tuple[str, str], list[str]] = {}
    for part in parts:
        text = _abbreviated(_decoded(explanation.content[part.start : part.end]))
        if part.may_be:
            groups.setdefault((part.may_be, STYLES["free"]), []).append(text)
        else:
            reason = f": {part.without.reason}" if part.without.outcome is Outcome.UNRESOLVED else ""
            groups.setdefault((_MEANING[part.without.outcome] + reason, STYLES[part.without.outcome]), []).append(text)
    notes = [
        Text("  ".join(dict.fromkeys(texts)), style=style).append(f"  {what}", "dim")
        for (what, style), texts in groups.items()
    ]
    return notes[:_MOST_NOTES]


def _abbreviated(text: str) -> str:
    """Return a text in at most a part of a line."""
    first, *more = text.strip().splitlines() or [""]
    return f"{first[:_LONGEST]}…" if more or len(first) > _LONGEST else first


def _summary(explanation: Explanation) -> Text:
    lines = []
    if explanation.freedoms:
        lines.append("replaceable parts, as placeholders:\n" + _decoded(explanation.abstract).rstrip("\n"))
    if explanation.passing is not None:
        place = explanation.content.count(b"\n", 0, explanation.change[0].start) + 1
        lines.append(f"small change that makes the failure disappear: {_told(explanation)} (line {place})")
    return Text("\n".join(lines))


def _told(explanation: Explanation) -> str:
    """Return in words what makes the failure disappear."""
    gone = "  ".join(_decoded(explanation.content[cut.start : cut.end]).strip() for cut in explanation.change)
    first = explanation.change[0]
    if not first.text:
        return f"remove  {gone} "
    return f"replace  {_decoded(explanation.content[first.start : first.end])}  by  {_decoded(first.text)} "


def as_json(explanation: Explanation) -> dict[str, Any]:
    """Return an explanation in what JSON knows."""
    content = explanation.content
    starts = [0, *(i + 1 for i, byte in enumerate(content) if byte == 10)]
    return {
        "parts": [
            {
                "start": part.start,
                "end": part.end,
                "line": bisect_right(starts, part.start),
                "text": _decoded(content[part.start : part.end]),
                "needed": part.needed,
                "without": {"outcome": part.without.outcome.value, "reason": part.without.reason},
                "may_be": part.may_be,
                "tried": [_decoded(value) for value in part.tried],
            }
            for part in explanation.parts
        ],
        "free": [
            {
                "kind": one.kind,
                "places": [list(place) for place in one.places],
                "values": list(map(_decoded, one.values)),
            }
            for one in explanation.freedoms
        ],
        "abstract": _decoded(explanation.abstract),
        "passes": None if explanation.passing is None else _decoded(explanation.passing),
        "change": [[cut.start, cut.end, _decoded(cut.text)] for cut in explanation.change],
        "tests": explanation.tests,
    }


def _decoded(text: bytes) -> str:
    return text.decode("utf-8", "backslashreplace")
