"""`minrepro show [DIR]`: what a recorded reduction did: command, dates, accepted steps, how it ended."""

from __future__ import annotations

import argparse
import json
import shlex
from collections import Counter
from dataclasses import asdict
from datetime import datetime

from minrepro.cli.progress_state import OUTCOMES
from minrepro.cli.recorded_runs import add_journal, state_of, story_at
from minrepro.core.plurals import counted, named
from minrepro.runs.history.recorded_run import RecordedRun

_SOURCES = {
    "content": "the same content",
    "config": "the same units",
    "journal": "the journal",
    "cache_dir": "other reductions",
}
_SHOWN = 12
"""How many accepted steps are shown of a long run: as many from its beginning as from its end."""

_EPILOG = """\
Example:
  minrepro show crash.c.minrepro        its command, what was accepted, and how it ended
"""


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add this command to the command line."""
    command = commands.add_parser(
        "show",
        help="Show what a recorded reduction did",
        description="Show what a recorded reduction did: its command, its accepted steps, and how it ended.",
        epilog=_EPILOG,
    )
    add_journal(command)
    command.add_argument("--json", action="store_true", help="Print it as JSON, with every step and outcome")
    command.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print the story, and return the exit status."""
    story = story_at(args.journal)
    print(json.dumps(_machine_readable(story)) if args.json else "\n".join(_lines(story)))
    return 0


def _lines(story: RecordedRun) -> list[str]:
    asked = story.asked
    lines = [f"journal   {story.path}", f"command   minrepro {shlex.join(asked.words)}", f"directory {asked.folder}"]
    for moment, jobs in story.sessions:
        when = datetime.fromtimestamp(moment).strftime("%Y-%m-%d %H:%M:%S")
        lines.append(f"started   {when}, {jobs} in parallel")
    lines += [f"check     {name}  {value}" for name, value in asked.check.items() if name.startswith("file ")]
    lines += [f"note      {note}" for note in story.notes]
    outcomes = Counter(OUTCOMES[answer.verdict.outcome] for group in story.groups for answer in group)
    told = "".join(f", {count:,} {name}" for name, count in sorted(outcomes.items()))
    if story.counts is not None:
        counts = story.counts
        hits = sum(counts.cache_hits.values())
        kinds = ", ".join(f"{count:,} from {_SOURCES[kind]}" for kind, count in counts.cache_hits.items())
        turns = f", {counted(counts.iterations, 'iterations')}" if counts.iterations else ""
        lines.append(
            f"checks    {counts.checks:,}, {counted(hits, 'cache hits')}{f' ({kinds})' if kinds else ''}{turns}"
        )
        told += f", {counts.cancelled_runs:,} cancelled" if counts.cancelled_runs else ""
    lines.append(f"runs      {counted(story.tests, 'check runs')} in {story.seconds_in_tests:.1f} s{told}")
    steps = story.steps
    for number, step in enumerate(steps):
        if len(steps) > 2 * _SHOWN and number == _SHOWN:
            lines.append(f"          … {len(steps) - 2 * _SHOWN:,} more …")
        if len(steps) <= 2 * _SHOWN or not _SHOWN <= number < len(steps) - _SHOWN:
            lines.append(f"accepted  {step.size:>12,} {named(step.size, asked.unit)}  {step.label}")
    return [*lines, f"state     {state_of(story)}"]


def _machine_readable(story: RecordedRun) -> dict[str, object]:
    return {
        "journal": str(story.path),
        "asked": asdict(story.asked),
        "sessions": story.sessions,
        "check_runs": story.tests,
        "counts": None if story.counts is None else asdict(story.counts),
        "seconds_in_tests": story.seconds_in_tests,
        "verdicts": [
            {"outcome": verdict.outcome.value, "reason": verdict.reason, "seconds": verdict.seconds}
            for group in story.groups
            for verdict in (answer.verdict for answer in group)
        ],
        "accepted": [{"size": step.size, "label": step.label, "outcome": step.outcome.value} for step in story.steps],
        "notes": story.notes,
        "state": state_of(story),
    }
