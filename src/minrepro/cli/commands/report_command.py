"""`minrepro report [DIR]`: a report about a recorded reduction, made from its journal."""

from __future__ import annotations

import argparse
import contextlib
from pathlib import Path

from minrepro.cli.command_words import take_words
from minrepro.cli.commands.reduce_command import oracle_of
from minrepro.cli.commands.show_command import story_at
from minrepro.cli.hand_over import explanations_for, report_of, write_reports
from minrepro.cli.options.failure_options import has_failing_command
from minrepro.cli.options.report_options import ReportFile
from minrepro.core.keys import digest
from minrepro.errors import JournalError
from minrepro.reports.timeline import from_story
from minrepro.runs.history.recorded_run import RecordedRun
from minrepro.targets.choosing import target_at
from minrepro.targets.file import FileTarget
from minrepro.targets.reading import read_input
from minrepro.targets.target import InputTarget

_EPILOG = """\
Examples:
  minrepro report                                   the newest reduction here, as report.html
  minrepro report crash.c.minrepro --explain        with the reason why each part is needed
  minrepro report -o issue.md                       as Markdown, for an issue tracker
"""


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add this command to the command line."""
    command = commands.add_parser(
        "report",
        help="Write an HTML or Markdown report for a bug tracker",
        description="Write a report about a recorded reduction: the failure, the result and every accepted step.",
        epilog=_EPILOG,
    )
    command.add_argument(
        "journal",
        metavar="DIR",
        type=Path,
        nargs="?",
        help="State directory, for the newest reduction in it, or one journal [default: the only *.minrepro here]",
    )
    command.add_argument(
        "-o",
        "--output",
        dest="report",
        metavar="FILE",
        type=Path,
        action=ReportFile,
        help="Write the report to FILE, .html or .md (repeatable) [default: report.html]",
    )
    command.add_argument("--explain", action="store_true", help="Run the check again to show why each part is needed")
    command.add_argument("-q", "--quiet", action="store_true", help="Print warnings and errors only")
    command.set_defaults(run=run, markdown=None)


def run(args: argparse.Namespace) -> int:
    """Make the page, and return the exit status."""
    story = story_at(args.journal)
    if args.report is None and args.markdown is None:
        args.report = Path("report.html")
    for name in ("report", "markdown"):
        path = getattr(args, name)
        setattr(args, name, None if path is None else path.absolute())
    with contextlib.chdir(story.asked.folder):
        asked, given = _asked_again(story)
        chronicle = from_story(story, given.data)
        result = story.best(given.data)
        asked.quiet = True
        oracle = oracle_of(asked, given)
        explained = args.explain and isinstance(given, FileTarget)
        explanations = explanations_for(asked, given, oracle, result) if explained else {}
        why = "" if story.finished else story.ended or "not finished"
        report = report_of(asked, given, oracle, chronicle, result, why, explanations.get(given.name))
    write_reports(args, report)
    return 0


def _asked_again(story: RecordedRun) -> tuple[argparse.Namespace, InputTarget]:
    """Return what a run was asked to do, with its input as it was."""
    from minrepro.cli.main import parsed

    asked = parsed(story.asked.words)
    if asked.command != "reduce":
        raise JournalError(f"{story.path} records `minrepro {asked.command}`; only `minrepro reduce` has reports")
    asked.save_check = None
    take_words(asked, failing=has_failing_command(asked))
    kept = story.asked.kept
    given = FileTarget(asked.input, read_input(Path(kept))) if kept else target_at(asked.inputs)
    if digest(given.data) not in story.asked.inputs.values():
        raise JournalError(f"{given.label} changed after the reduction, so no report can be made from its journal")
    return asked, given
