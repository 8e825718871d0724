"""The options for what is made of a result when a run is over; what makes it is loaded only where it is wanted."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from minrepro.targets.result_file import ResultFile

if TYPE_CHECKING:
    from minrepro.chronicle import Chronicle


def add_report_options(command: argparse.ArgumentParser) -> None:
    """Add what is made of the result when the run is over."""
    group = command.add_argument_group("when it is done")
    group.add_argument("--explain", action="store_true", help="tell why each part of the result is there")
    group.add_argument("--report", metavar="FILE.html", type=Path, help="write a page about the run, for a bug report")
    group.add_argument("--markdown", metavar="FILE.md", type=Path, help="write the text of a bug report")


def chronicle_for(args: argparse.Namespace, data: bytes) -> Chronicle | None:
    """Return what keeps the course of the run, if a report is wanted; make sure that it can be written."""
    for path in (args.report, args.markdown):
        if path is not None:
            ResultFile(path)
    if not (args.report or args.markdown):
        return None
    from minrepro.chronicle import Chronicle

    return Chronicle(data)
