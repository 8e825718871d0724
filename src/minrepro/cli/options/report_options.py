"""The options for explanations and reports; what makes them is loaded only where it is wanted."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from minrepro.cli.help_text import RESULT, group
from minrepro.targets.result_file import ResultFile

if TYPE_CHECKING:
    from minrepro.reports.timeline import Timeline


def add_report_options(
    command: argparse.ArgumentParser, explained: str = "Show why each part of the result is needed"
) -> None:
    """Add what is made of the result at the end."""
    result = group(command, RESULT)
    result.add_argument("--explain", action="store_true", help=explained)
    result.add_argument(
        "--report",
        metavar="FILE",
        type=Path,
        action=ReportFile,
        help="Write a report for a tracker, .html or .md (repeatable) [default: none]",
    )
    add_original_option(result)
    command.set_defaults(markdown=None)


def add_original_option(result: argparse._ActionsContainer) -> None:
    """Add the option that hands over more than the result."""
    result.add_argument(
        "--with-original",
        action="store_true",
        help="Include the original in the report, too",
    )


class ReportFile(argparse.Action):
    """Takes the file of a report; `.md` is Markdown, everything else a page."""

    def __call__(
        self, parser: argparse.ArgumentParser, namespace: argparse.Namespace, values: Any, option: str | None = None
    ) -> None:
        setattr(namespace, "markdown" if values.suffix.lower() in (".md", ".markdown") else self.dest, values)


def chronicle_for(
    args: argparse.Namespace,
    data: bytes,
    encode: Callable[[Any], bytes] | None = None,
    measure: Callable[[bytes], int] = len,
) -> Timeline | None:
    """Return what keeps the history of the reduction if a report is wanted; make sure that it can be written."""
    for path in (args.report, args.markdown):
        if path is not None:
            ResultFile(path)
    if not (args.report or args.markdown):
        return None
    from minrepro.reports.timeline import Timeline

    return Timeline(data, measure=measure) if encode is None else Timeline(data, encode=encode, measure=measure)
