"""One self-contained page about a run, to be attached to a bug report, and the same in short as Markdown.

The curve is drawn by uPlot 1.6.32 (MIT licence, in `page/uPlot.LICENSE`), which is part of the page like all else: it
opens without a network, and years from now.
"""

from __future__ import annotations

import base64
import json
import os
import platform
import string
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.resources import files
from typing import Any

from minrepro._version import VERSION
from minrepro.core.invocations import File
from minrepro.core.verdicts import Outcome
from minrepro.reports.explanation import Explanation
from minrepro.reports.listing import as_json
from minrepro.reports.reproducing import commands_for, shown_as_it_is
from minrepro.reports.timeline import Timeline
from minrepro.runs.history.recorded_run import AcceptedStep

_LARGEST = 300_000
"""Steps from contents larger than this are not replayed: a page must stay small enough to be sent."""
_MOST_STEPS = 3000


@dataclass(frozen=True)
class Report:
    """All that is told about a run."""

    name: str
    """What was reduced."""
    check: str
    """What tells whether it fails, as typed."""
    failure: str
    chronicle: Timeline
    result: bytes
    why: str
    """Why the run ended, if that was before its time."""
    program: str = ""
    """The failing program, when the command is known."""
    explanation: Explanation | None = None
    rendered: Callable[[bytes], str] = lambda content: content.decode("utf-8", "backslashreplace")
    """Turns a content into text: several files become one text with their names."""
    size: Callable[[bytes], int] = len
    unit: str = "bytes"
    reasons: Sequence[str] = ()
    """Why each part of the original was kept or removed, a line each."""
    files: Callable[[bytes], Mapping[str, File]] | None = None
    """The files that a content is made of; None where it is one file."""
    command: str = ""
    """The result itself, where it is a command to be run, not a file."""

    @property
    def is_text(self) -> bool:
        """Whether the result is one file that can be pasted as it is shown."""
        (content, *others) = self._files.values() or (b"",)
        return not others and isinstance(content, bytes) and shown_as_it_is(content)

    @property
    def _files(self) -> Mapping[str, File]:
        return {self.name: self.result} if self.files is None else self.files(self.result)

    @property
    def to_run(self) -> list[str]:
        """What to run to see the failure."""
        if self.command:
            return [self.command]
        return [*commands_for(self._files), self.check]

    @property
    def summary(self) -> str:
        """The reduction in a sentence."""
        before, after = self.size(self.chronicle.original), self.size(self.result)
        ended = f"; {self.why}" if self.why else ""
        taken = f"{self.chronicle.tests:,} checks, {self.chronicle.seconds:.1f} {self.chronicle.seconds_mean}"
        return f"{before:,} → {after:,} {self.unit} in {taken}{ended}"


def page(report: Report) -> str:
    """Return the page."""
    folder = files("minrepro.reports") / "page"
    texts = {name: (folder / name).read_text(encoding="utf-8") for name in ("page.html", "page.css", "page.js")}
    return string.Template(texts["page.html"]).substitute(
        title=_escaped(f"minrepro: {report.name}"),
        style=texts["page.css"],
        script=texts["page.js"],
        library=(folder / "uPlot.iife.min.js").read_text(encoding="utf-8"),
        library_style=(folder / "uPlot.min.css").read_text(encoding="utf-8"),
        data=json.dumps(_data(report)).replace("<", "\\u003c"),
    )


def markdown(report: Report) -> str:
    """Return the text of a bug report."""
    result, as_file = report.rendered(report.result).rstrip("\n"), report.is_text and not report.command
    fence = "```"
    while fence in result:
        fence += "`"
    lines = [
        f"# {report.failure or 'The failure'} on {report.name}",
        "",
        f"Save this as `{report.name}` and run `{report.check}`:" if as_file else "Run this:",
        "",
        fence,
        result if as_file else "\n".join(report.to_run),
        fence,
        "",
    ]
    if report.explanation is not None and report.explanation.freedoms:
        abstract = report.explanation.abstract.decode("utf-8", "backslashreplace").rstrip("\n")
        lines += ["Replaceable parts, as placeholders:", "", fence, abstract, fence, ""]
    if report.reasons:
        lines += [f"Why the {report.unit} were kept or removed (-):", "", fence, *report.reasons, fence, ""]
    lines += [f"- {name}: {value}" for name, value in _environment(report)]
    return "\n".join([*lines, f"- reduced by minrepro: {report.summary}", ""])


def _data(report: Report) -> dict[str, Any]:
    chronicle = report.chronicle
    after = report.rendered(report.result)
    before = report.rendered(chronicle.original)
    explanation = None
    if report.explanation is not None:
        content = base64.b64encode(report.explanation.content).decode()
        explanation = {**as_json(report.explanation), "content": content}
    return {
        "title": report.name,
        "failure": report.failure,
        "summary": report.summary,
        "reproduce": "\n".join(f"$ {line}" for line in report.to_run),
        "size_before": report.size(chronicle.original),
        "size_after": report.size(report.result),
        "before": before if len(before) <= 2 * _LARGEST else before[: 2 * _LARGEST] + "\n[truncated]",
        "after": after,
        "explanation": explanation,
        "unit": report.unit,
        "reasons": "\n".join(report.reasons),
        "seconds_mean": chronicle.seconds_mean,
        "curve": _curve(chronicle),
        **_replay(report),
        "passes": [
            [label or "other", e.steps, e.saved, e.tests or "", round(e.seconds, 1) or ""]
            for label, e in sorted(chronicle.earnings.items(), key=lambda item: -item[1].saved)
        ],
        "environment": _environment(report),
        "footer": f"Made by minrepro {VERSION}; chart by uPlot 1.6.32 (MIT license).",
    }


def _curve(chronicle: Timeline) -> list[dict[str, float]]:
    """Return the size over tests and over time, thinned out where there is more than a screen can show."""
    points = [{"tests": 0, "seconds": 0.0, "size": chronicle.measure(chronicle.original)}]
    points += [{"tests": m.tests, "seconds": round(m.seconds, 3), "size": m.step.size} for m in chronicle.moments]
    size = chronicle.measure(chronicle.last)
    points.append({"tests": chronicle.tests, "seconds": round(chronicle.seconds, 3), "size": size})
    every = max(1, len(points) // _MOST_STEPS)
    thinned = points[::every]
    return thinned if thinned[-1] == points[-1] else [*thinned, points[-1]]


def _replay(report: Report) -> dict[str, Any]:
    """Return the first content that is shown, and the steps from there as changes of its text."""
    moments = report.chronicle.moments
    content, first, first_size, text = report.chronicle.original, "", 0, None
    steps: list[dict[str, Any]] = []
    skipped = 0
    for number, moment in enumerate(moments):
        before, content = content, moment.step.applied(content)
        if content == before:
            continue
        if len(before) > _LARGEST or len(moments) - number > _MOST_STEPS:
            skipped += 1
            continue
        if text is None:
            first = text = report.rendered(before)
            first_size = report.size(before)
        after = report.rendered(content)
        if after == text:
            continue  # what has changed cannot be seen
        steps.append(
            {
                **_change(text, after),
                "label": moment.step.label,
                "size": report.size(content),
                "tests": moment.tests,
                "seconds": moment.seconds,
            }
        )
        text = after
    if text is None:
        first, first_size = report.rendered(content), report.size(content)
    return {"first": first, "first_size": first_size, "steps": steps, "skipped": skipped}


def _change(before: str, after: str) -> dict[str, Any]:
    """Return the stretch of a text that is replaced, counted as JavaScript does."""
    one, other = before.encode("utf-16-le", "surrogatepass"), after.encode("utf-16-le", "surrogatepass")
    step = AcceptedStep.between(one, other, "", Outcome.FAIL, smallest=True)
    start, end = step.start // 2, -(-step.end // 2)
    middle = other[2 * start : len(other) - (len(one) - 2 * end)]
    return {"start": start, "end": end, "middle": middle.decode("utf-16-le", "surrogatepass")}


def _environment(report: Report) -> list[tuple[str, str]]:
    found = [("date", datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")), ("system", platform.platform())]
    found += [
        ("CPUs", str(os.cpu_count())),
        ("language", os.environ.get("LC_ALL") or os.environ.get("LANG", "C")),
    ]
    if report.program:
        found.append((report.program, version_of([report.program]) or "version unknown"))
    return [*found, ("minrepro", f"{VERSION} on Python {sys.version.split()[0]}")]


def version_of(words: Sequence[str]) -> str:
    """Return the first line that a program prints when asked for its version, if it does."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            asked = subprocess.run(
                [*words, "--version"],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                cwd=folder,
                timeout=5,
                check=False,
            )
        except (OSError, subprocess.SubprocessError, ValueError):
            return ""
    lines = asked.stdout.decode("utf-8", "replace").strip().splitlines()
    return lines[0][:200] if lines and asked.returncode == 0 else ""


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;")
