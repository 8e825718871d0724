"""One self-contained page about a run, to be attached to a bug report.

The curve is drawn by uPlot 1.6.32 (MIT licence, in `page/uPlot.LICENSE`), which is part of the page like all else: it
opens without a network, and years from now.
"""

from __future__ import annotations

import base64
import json
import string
from importlib.resources import files
from typing import Any

from minrepro._version import VERSION
from minrepro.reports.explanation import Explanation
from minrepro.reports.listing import as_json
from minrepro.reports.replayed_steps import LARGEST, MOST_STEPS, replayed_steps
from minrepro.reports.report import Report, environment
from minrepro.reports.timeline import Timeline


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


def _data(report: Report) -> dict[str, Any]:
    chronicle = report.chronicle
    result = report.rendered(report.result)
    single = {"": report.explanation} if report.explanation is not None else {}
    explanations = {name: _explained(each) for name, each in (report.explanations or single).items()}
    original = report.rendered(chronicle.original) if report.with_original else ""
    return {
        "title": report.name,
        "failure": report.failure,
        "summary": report.summary,
        "reproduce": "\n".join(report.to_run),
        "size_before": report.size(chronicle.original),
        "size_after": report.size(report.result),
        "original": original if len(original) <= 2 * LARGEST else original[: 2 * LARGEST] + "\n[truncated]",
        "result": result,
        "difference": report.difference,
        "explanations": explanations,
        "unit": report.unit,
        "reasons": "\n".join(report.told_reasons),
        "pictures": [[text, base64.b64encode(image).decode()] for text, image in report.pictures],
        "seconds_mean": chronicle.seconds_mean,
        "curve": _curve(chronicle),
        **replayed_steps(report),
        "passes": [
            [label or "other", e.steps, e.saved, e.tests or "", round(e.seconds, 1) or ""]
            for label, e in sorted(chronicle.earnings.items(), key=lambda item: -item[1].saved)
        ],
        "environment": environment(report),
        "footer": f"Made by minrepro {VERSION}; chart by uPlot 1.6.32 (MIT license).",
    }


def _explained(explanation: Explanation) -> dict[str, Any]:
    return {**as_json(explanation), "content": base64.b64encode(explanation.content).decode()}


def _curve(chronicle: Timeline) -> list[dict[str, float]]:
    """Return the size over tests and over time, thinned out where there is more than a screen can show."""
    points = [{"tests": 0, "seconds": 0.0, "size": chronicle.measure(chronicle.original)}]
    points += [{"tests": m.tests, "seconds": round(m.seconds, 3), "size": m.step.size} for m in chronicle.moments]
    size = chronicle.measure(chronicle.last)
    points.append({"tests": chronicle.tests, "seconds": round(chronicle.seconds, 3), "size": size})
    every = max(1, len(points) // MOST_STEPS)
    thinned = points[::every]
    return thinned if thinned[-1] == points[-1] else [*thinned, points[-1]]


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;")
