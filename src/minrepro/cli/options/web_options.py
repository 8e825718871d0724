"""The options that several commands of `minrepro web` share."""

from __future__ import annotations

import argparse
from pathlib import Path

from minrepro.cli.help_text import BROWSER, group
from minrepro.cli.options.check_options import seconds


def add_browser_options(command: argparse.ArgumentParser) -> None:
    """Add which browser is used, and what its pages may reach."""
    browser = group(command, BROWSER)
    browser.add_argument("--browser", metavar="PATH", help="Use this Chromium [default: the installed one]")
    browser.add_argument(
        "--allow-network",
        action="store_true",
        help="Let pages reach other hosts [default: this machine and their own host only]",
    )


def add_replay_options(command: argparse.ArgumentParser) -> None:
    """Add a recording, the failure to look for, and how it is replayed."""
    command.add_argument(
        "recording", metavar="RECORDING", type=Path, help="Chrome Recorder JSON or Selenium .side file"
    )
    failure = group(command, "Failure")
    failure.add_argument(
        "--expect-failure",
        dest="signature",
        metavar="TEXT",
        help="Look for the failure that contains TEXT [default: the first one]",
    )
    failure.add_argument(
        "--expect-js",
        dest="predicate",
        metavar="JS",
        help="Report a failure if this JavaScript expression is true after an event [default: none]",
    )
    failure.add_argument(
        "--stack-frames",
        dest="frames",
        type=int,
        default=1,
        metavar="N",
        help="Compare the N innermost functions of the stack [default: 1]",
    )
    replay = group(command, "Replay")
    replay.add_argument(
        "--base-url",
        dest="origin",
        metavar="URL",
        help="Replay at this address, e.g. http://127.0.0.1:8000 [default: the recorded one]",
    )
    replay.add_argument(
        "--before",
        metavar="FILE",
        type=Path,
        help="Log in by this recording or storageState [default: none]",
    )
    add_before_each(replay)
    replay.add_argument(
        "--fresh-context",
        dest="fresh",
        action="store_true",
        help="Use a fresh browser context for every replay [default: reset pages]",
    )
    replay.add_argument(
        "--timeout",
        type=seconds,
        default=20.0,
        metavar="SECONDS",
        help="Report a hang if the page does not respond for SECONDS [default: 20]",
    )
    add_browser_options(command)


def add_before_each(container: argparse._ActionsContainer) -> None:
    """Add the command that resets a server."""
    container.add_argument(
        "--before-each",
        dest="reset",
        metavar="COMMAND",
        help="Run COMMAND before each replay, to reset the state of a server [default: none]",
    )


def add_app_state(command: argparse.ArgumentParser) -> None:
    """Add the state that is logged after each event."""
    command.add_argument(
        "--app-state",
        dest="state",
        metavar="JS",
        help="Log the value of this JavaScript expression after each event [default: none]",
    )
