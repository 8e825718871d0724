"""The text of an issue in a tracker: Markdown, no longer than what trackers take."""

from __future__ import annotations

from minrepro.reports.report import Report, environment

LONGEST = 60_000
"""GitHub takes 65,536 characters."""
_INLINE = 8_000
"""A longer input is attached: nobody reads past it to the rest."""
_MOST_LINES = 60


def issue(report: Report) -> str:
    """Return the text."""
    lines = [f"# {_first_line(report.failure) or 'The failure'} on {report.name}", "", *_to_reproduce(report), ""]
    if report.difference:
        lines += ["The difference to an input that does not fail:", "", *_fenced(_shortened(report.difference)), ""]
    explanation = report.explanation
    if explanation is not None and explanation.freedoms and len(explanation.content) <= _INLINE:
        abstract = explanation.abstract.decode("utf-8", "backslashreplace")
        lines += ["Replaceable parts, as placeholders:", "", *_fenced(abstract), ""]
    if report.reasons:
        reasons = "\n".join(report.told_reasons)
        lines += [f"Why the {report.unit} were kept or removed (-):", "", *_fenced(_shortened(reasons)), ""]
    lines += [f"- {name}: {value}" for name, value in environment(report)]
    lines += [f"- reduced by minrepro: {report.summary}", ""]
    text = "\n".join(lines)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 20]}\n\n[truncated]\n"


def _to_reproduce(report: Report) -> list[str]:
    shown, commands = report.rendered(report.result), "\n".join(report.to_run)
    if not report.command and max(len(shown), len(commands)) > _INLINE:
        output = report.output or "the result"
        return [f"Attached: `{output}`. Use it as `{report.name}` and run:", "", *_fenced(report.check)]
    if report.is_text and not report.command:
        return [f"Save this as `{report.name}` and run `{report.check}`:", "", *_fenced(shown)]
    return ["Run this:", "", *_fenced(commands)]


def _fenced(text: str) -> list[str]:
    fence = "```"
    while fence in text:
        fence += "`"
    return [fence, text.rstrip("\n"), fence]


def _shortened(text: str) -> str:
    lines = text.splitlines()
    more = len(lines) - _MOST_LINES
    return text if more <= 0 else "\n".join([*lines[:_MOST_LINES], f"[{more:,} more lines]"])


def _first_line(text: str) -> str:
    return text.strip().partition("\n")[0][:200]
