"""Options about trust: where a run is recorded, how far a check is trusted, and what it may use up."""

from __future__ import annotations

import argparse
import re
from pathlib import Path

from minrepro.reproduction import FIRST_LOOK
from minrepro.ui.options import positive, seconds

_UNITS = {"": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40}


def share(text: str) -> float:
    """Read a rate above 0 and up to 1, also as a percentage."""
    match = re.fullmatch(r"(\d*\.?\d+) ?(%?)", text)
    number = float(match[1]) / (100 if match[2] else 1) if match else 0.0
    if not 0 < number <= 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a rate above 0 and up to 1, such as 0.3 or 30%")
    return number


def size(text: str) -> int:
    """Read a number of bytes, such as 500M."""
    match = re.fullmatch(r"(\d+) ?([kmgt]?)(?:i?b)?", text.lower())
    if not match or not int(match[1]):
        raise argparse.ArgumentTypeError(f"{text!r} is not a size such as 500M or 2G")
    return int(match[1]) * _UNITS[match[2]]


def add_record_options(command: argparse.ArgumentParser, *, shared: bool = True) -> None:
    """Add where a run is recorded, and what it may know from elsewhere where verdicts can be shared."""
    record = command.add_argument_group("records")
    record.add_argument(
        "--state", type=Path, metavar="DIR", help="keep the journal there (default: INPUT.minrepro beside the result)"
    )
    record.add_argument("--resume", action="store_true", help="go on where the last run was interrupted")
    if not shared:
        return
    record.add_argument("--cache", type=Path, metavar="DIR", help="share verdicts with other runs through this folder")


def add_trust_options(command: argparse.ArgumentParser) -> None:
    """Add how far a check is trusted."""
    trust = command.add_argument_group("checks that do not always answer alike")
    trust.add_argument(
        "--reproduction",
        type=share,
        metavar="RATE",
        help="the failure shows only now and then; accept what fails at least at this rate, such as 0.3",
    )
    trust.add_argument(
        "--repeats",
        type=positive,
        metavar="N",
        help=f"run the check N times on the input first to detect flakiness (default: {FIRST_LOOK}, or 1 with "
        "-- COMMAND)",
    )
    trust.add_argument(
        "--same-failure",
        action="store_true",
        help="accept only candidates whose message on standard error is that of the input, positions and numbers aside",
    )


def add_limit_options(command: argparse.ArgumentParser) -> None:
    """Add what a check may use up; one that wants more is ended and counts as unresolved."""
    limits = command.add_argument_group("limits for each check")
    limits.add_argument("--memory", type=size, metavar="SIZE", help="how much memory, such as 2G")
    limits.add_argument("--cpu", type=seconds, metavar="S", help="how many seconds of processor time, each process")
    limits.add_argument("--files", type=size, metavar="SIZE", help="how much it may write into its folder")
    limits.add_argument("--printed", type=size, metavar="SIZE", help="how much it may print")
    limits.add_argument("--processes", type=positive, metavar="N", help="how many processes at a time")
    limits.add_argument("--no-network", action="store_true", help="without network but for its own machine")
    limits.add_argument(
        "--place", type=Path, metavar="DIR", help="where checks have their folders (default: in memory if possible)"
    )
