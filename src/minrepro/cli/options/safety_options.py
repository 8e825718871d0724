"""Options about trust: where a reduction is recorded, how far a check is trusted, and what it may use."""

from __future__ import annotations

import argparse
import re
from pathlib import Path

from minrepro.cli.help_text import FLAKY, JOURNAL, LIMITS, RESULT, group
from minrepro.cli.options.check_options import positive, seconds
from minrepro.executors.kept_candidates import MOST
from minrepro.settings import CACHE_KINDS

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
    """Add where a reduction is recorded, and what it may know from elsewhere where outcomes can be shared."""
    group(command, RESULT).add_argument(
        "-v", "--verbose", action="store_true", help="Print every accepted step, one line each [default: a few]"
    )
    record = group(command, JOURNAL)
    record.add_argument("--resume", action="store_true", help="Continue the last interrupted reduction")
    record.add_argument(
        "--state-dir",
        dest="state",
        type=Path,
        metavar="DIR",
        help="Keep the journal in DIR [default: INPUT.minrepro, next to the result]",
    )
    if not shared:
        return
    record.add_argument(
        "--cache-dir",
        dest="cache",
        type=Path,
        metavar="DIR",
        help="Cache outcomes in DIR and share them between reductions [default: no cache]",
    )


def add_trust_options(command: argparse.ArgumentParser) -> None:
    """Add how far a check is trusted."""
    trust = group(command, FLAKY)
    trust.add_argument(
        "--flaky",
        dest="reproduction",
        type=share,
        metavar="RATE",
        help="Accept candidates that reproduce the failure in at least this share of check runs, e.g. 0.3 [default: "
        "detected]",
    )
    trust.add_argument(
        "--initial-runs",
        dest="repeats",
        type=positive,
        metavar="N",
        help="Check the input N times first to detect flakiness [default: 1; flakiness is detected along the way]",
    )
    trust.add_argument(
        "--same-failure",
        action="store_true",
        help="Accept only candidates with the error message of the input, apart from positions and numbers",
    )


def add_limit_options(command: argparse.ArgumentParser) -> None:
    """Add what a check run may use; one that exceeds a limit is killed and counts as unresolved."""
    limits = group(command, LIMITS, "A check run that exceeds a limit is killed; the candidate counts as unresolved.")
    limits.add_argument(
        "--limit-memory",
        dest="memory",
        type=size,
        metavar="SIZE",
        help="Limit the memory of each check run, e.g. 2G [default: no limit]",
    )
    limits.add_argument(
        "--limit-cpu",
        dest="cpu",
        type=seconds,
        metavar="SECONDS",
        help="Limit the CPU time of each process of a check run [default: no limit]",
    )
    limits.add_argument(
        "--limit-disk",
        dest="files",
        type=size,
        metavar="SIZE",
        help="Limit the disk use of each check run, e.g. 100M [default: no limit]",
    )
    limits.add_argument(
        "--limit-output",
        dest="printed",
        type=size,
        metavar="SIZE",
        help="Limit what each check run prints, e.g. 10M [default: no limit]",
    )
    limits.add_argument(
        "--limit-processes",
        dest="processes",
        type=positive,
        metavar="N",
        help="Limit the processes of each check run [default: no limit]",
    )
    limits.add_argument(
        "--no-network",
        action="store_true",
        help="Run checks without a network, apart from a loopback device [default: with the network]",
    )
    limits.add_argument(
        "--work-dir",
        dest="place",
        type=Path,
        metavar="DIR",
        help="Create temporary directories in DIR [default: RAM disk if available]",
    )


def add_keeping_options(command: argparse.ArgumentParser) -> None:
    """Add how outcomes are remembered, and what is left of checks for the user to look at."""
    record = group(command, JOURNAL)
    record.add_argument(
        "--keep-candidates",
        type=Path,
        metavar="DIR",
        help=f"Keep every candidate that is checked in DIR, with its outcome in its name; of more than {MOST:,}, or of "
        "more than 1 GiB, the last ones [default: none]",
    )
    record.add_argument(
        "--no-cleanup",
        action="store_true",
        help="Keep the directory of each check run, with all that was written there [default: delete it]",
    )
    record.add_argument(
        "--cache",
        dest="cache_kind",
        choices=CACHE_KINDS,
        default="content",
        help="Within a reduction, remember the outcomes of candidates by content, or by the units they consist of "
        "(config; for lists), or not at all (none) [default: content]",
    )
