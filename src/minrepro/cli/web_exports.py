"""`minrepro web export`: recordings as tests of other tools, which are run before they are written."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from minrepro.browser.exports import EXPORTS, LANGUAGES, export, predicate_of
from minrepro.browser.recording import Recording
from minrepro.cli.options.web_options import add_replay_options
from minrepro.cli.web_replays import browser_of, recording_of, stored_of
from minrepro.traces import trace_formats

_RUN = """
A test is run before it is written: it must fail, and for the reason of the failure. With --fixed URL, it must also
pass there. If the tool is not installed, a warning says so."""


def add_export(parts: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command that exports."""
    summary = "Write a recording as a test or script for another tool, and run it"
    command = parts.add_parser("export", help=summary, description=f"{summary}.{_RUN}")
    command.add_argument(
        "--to", required=True, choices=tuple(EXPORTS), metavar="FORM", help=f"Write {', '.join(EXPORTS)}"
    )
    command.add_argument("-o", "--output", metavar="OUT", type=Path, help="Write it to OUT [default: print it]")
    command.add_argument(
        "--fixed", metavar="URL", help="Also run the test at this address, where it must pass [default: none]"
    )
    command.add_argument(
        "--no-run", action="store_true", help="Write the test without a replay and without running it [default: run it]"
    )
    add_replay_options(command)
    command.set_defaults(run=run_export)


def run_export(args: argparse.Namespace) -> int:
    """Write a session in another form, and return the exit status."""
    recording = recording_of(args)
    if args.to in LANGUAGES and not args.no_run:
        text = _run_export(args, recording)
    else:
        text = export(recording, args.to)
    if args.output is None:
        print(text, end="")
    else:
        trace_formats.write(args.output, text)
    return 0


def _run_export(args: argparse.Namespace, recording: Recording) -> str:
    """Return a test that has been run, and tell how it ended."""
    from minrepro.browser import export_check

    if args.fixed is not None:
        recording.at(args.fixed)  # refuses what is no address
    near = (args.output or Path("x")).resolve().parent
    with browser_of(args, recording.url) as chromium:
        from minrepro.browser.session_replay import Replayer

        options = {"predicate": args.predicate or predicate_of(recording), "reset_command": args.reset}
        replayer = Replayer(
            chromium, recording, frames=args.frames, hang=args.timeout, stored=stored_of(args), **options
        )
        tested = export_check.tested(replayer, args.to, near, args.fixed, args.signature, args.browser)
        replayer.close()
    for line in tested.told:
        print(f"minrepro: {line}", file=sys.stderr)
    return tested.text
