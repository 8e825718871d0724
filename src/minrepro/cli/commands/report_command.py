"""`minrepro report [DIR]`: a report about a recorded reduction, made from its journal."""

from __future__ import annotations

import argparse
import contextlib
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from minrepro.cli.command_words import take_words
from minrepro.cli.options.failure_options import has_failing_command
from minrepro.cli.options.report_options import ReportFile, add_original_option
from minrepro.cli.oracle_of import oracle_of
from minrepro.cli.places import input_of, output_of
from minrepro.cli.recorded_runs import add_journal, story_at
from minrepro.cli.web_replays import REPLAY, recording_of
from minrepro.core.keys import digest
from minrepro.errors import JournalError, UsageError
from minrepro.reports.timeline import from_story
from minrepro.runs.history.recorded_run import RecordedRun
from minrepro.targets.target import InputTarget
from minrepro.traces.trace_target import EventsTarget, TraceTarget

if TYPE_CHECKING:
    from minrepro.reports.report import Report

_EPILOG = """\
Examples:
  minrepro report                                   the newest reduction here, as report.html
  minrepro report crash.c.minrepro --explain        with the reason why each part is needed
  minrepro report --issue                           as issue.md, to be pasted into an issue tracker
"""


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add this command to the command line."""
    command = commands.add_parser(
        "report",
        help="Write an HTML or Markdown report for a bug tracker",
        description="Write a report about a recorded reduction: the failure, the result and every accepted step.",
        epilog=_EPILOG,
    )
    add_journal(command)
    command.add_argument(
        "-o",
        "--output",
        dest="report",
        metavar="FILE",
        type=Path,
        action=ReportFile,
        help="Write the report to FILE, .html or .md (repeatable) [default: report.html]",
    )
    command.add_argument(
        "--issue",
        action="store_true",
        help="Write Markdown that fits into an issue tracker [default file: issue.md]",
    )
    add_original_option(command)
    command.add_argument("--explain", action="store_true", help="Run the check again to show why each part is needed")
    command.add_argument("-q", "--quiet", action="store_true", help="Print warnings and errors only")
    command.set_defaults(run=run, markdown=None)


def run(args: argparse.Namespace) -> int:
    """Make the page, and return the exit status."""
    from minrepro.cli.hand_over import write_reports  # takes a while to load

    story = story_at(args.journal)
    if args.issue and args.report is not None:
        raise UsageError(f"--issue writes Markdown, not {args.report}\nhint: -o issue.md")
    if args.issue and args.markdown is None:
        args.markdown = Path("issue.md")
    if args.report is None and args.markdown is None:
        args.report = Path("report.html")
    for name in ("report", "markdown"):
        path = getattr(args, name)
        setattr(args, name, None if path is None else path.absolute())
    with contextlib.chdir(story.asked.folder):
        report = replace(_report(story, args.explain), with_original=args.with_original)
    write_reports(args, report)
    return 0


def _report(story: RecordedRun, explain: bool) -> Report:
    """Return what there is to tell of a run, made from its journal and its input."""
    from minrepro.cli.hand_over import can_be_explained, events_report, explanations_for, report_of
    from minrepro.cli.main import parsed

    asked = parsed(story.asked.words)
    why = "" if story.finished else story.ended or "not finished"
    if asked.command in ("traces", "web"):
        if explain:
            raise UsageError(
                f"--explain: a journal does not tell why events were removed\n"
                f"hint: minrepro {asked.command} reduce has --explain and --report"
            )
        target, check = (_trace_of if asked.command == "traces" else _session_of)(asked, story)
        original = target.codec.encode(target.trace)
        _require_same(target.label, original, story)
        return events_report(target, from_story(story, original, target.size_of), story.best(original), why, check)
    if asked.command != "reduce":
        raise JournalError(
            f"{story.path} records `minrepro {asked.command}`, which has two results and no report\n"
            f"hint: the difference between the results is the report: diff GOOD.min BAD.min"
        )
    given = _input_of(asked, story)
    chronicle, result = from_story(story, given.data), story.best(given.data)
    asked.quiet = True
    oracle = oracle_of(asked, given)
    explanations = explanations_for(asked, given, oracle, result) if explain and can_be_explained(given) else {}
    return report_of(asked, given, oracle, chronicle, result, why, explanations, str(output_of(asked)))


def _input_of(asked: argparse.Namespace, story: RecordedRun) -> InputTarget:
    """Return the input of a reduction, as it was."""
    asked.save_check = None
    take_words(asked, failing=has_failing_command(asked))
    given = input_of(asked, Path(story.asked.kept) if story.asked.kept else None)
    _require_same(given.label, given.data, story)
    return given


def _trace_of(asked: argparse.Namespace, story: RecordedRun) -> tuple[EventsTarget, str]:
    return TraceTarget.read(asked.input), asked.check


def _session_of(asked: argparse.Namespace, story: RecordedRun) -> tuple[EventsTarget, str]:
    from minrepro.browser.session_reduction import WebReduction
    from minrepro.browser.session_target import SessionTarget

    recording = recording_of(asked)
    return SessionTarget(recording, WebReduction(), story.asked.check.get("failure", ""), asked.recording), REPLAY


def _require_same(label: str, original: bytes, story: RecordedRun) -> None:
    if digest(original) not in story.asked.inputs.values():
        raise JournalError(f"{label} changed after the reduction, so no report can be made from its journal")
