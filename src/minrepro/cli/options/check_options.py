"""Options that several commands share, and what they mean together."""

from __future__ import annotations

import argparse
import re
from dataclasses import dataclass
from pathlib import Path

from minrepro.algorithms.algorithm_registry import DDMIN, SPLITS, split_factor
from minrepro.cli.help_text import CHECKS, RESEARCH, RESULT, STOP, group
from minrepro.cli.options.workplace_options import add_workplace_options
from minrepro.errors import UsageError
from minrepro.settings import DdminOptions, Factor, Loops, Mode

PARALLEL: dict[str, tuple[Mode, Loops | None]] = {
    "in-order": ("in order", None),
    "race": ("race", "ahead"),
    "separate": ("race", "separate"),
    "combined": ("race", "combined"),
}


def positive(text: str) -> int:
    """Read a whole number of at least 1."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number of at least 1")
    return int(text)


def result_path(text: str) -> Path:
    """Read where a result goes: a file, in which the best so far is safe at any time."""
    if text == "-":
        raise argparse.ArgumentTypeError(
            "the result is a file, so that the best so far survives an interruption; print it with cat afterwards"
        )
    return Path(text)


def seconds(text: str) -> float:
    """Read a number of seconds above 0."""
    try:
        number = float(text)
    except ValueError:
        number = 0
    if not 0 < number < float("inf"):
        raise argparse.ArgumentTypeError(f"{text!r} is not a positive number of seconds")
    return number


_DURATION = re.compile(r"(?:(\d+(?:\.\d+)?)h)?(?:(\d+(?:\.\d+)?)m)?(?:(\d+(?:\.\d+)?)s?)?")


def duration(text: str) -> float:
    """Read a time such as 90 (seconds), 10m or 1h30m."""
    match = _DURATION.fullmatch(text.strip())
    hours, minutes, rest = (float(part or 0) for part in (match.groups() if match else ()) or (0, 0, 0))
    number = 3600 * hours + 60 * minutes + rest
    if not 0 < number < float("inf"):
        raise argparse.ArgumentTypeError(f"{text!r} is not a time such as 90, 10m or 2h")
    return number


def _factor(text: str) -> Factor:
    try:
        return split_factor(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def add_check_options(command: argparse.ArgumentParser, *, stdin: bool = True) -> None:
    """Add how checks are run, how long, and what is printed; and where a candidate can be read, how it is passed."""
    add_workplace_options(command, positive, seconds)
    checks = group(command, CHECKS)
    if stdin:
        checks.add_argument(
            "--stdin", action="store_true", help="Pass the candidate on standard input [default: as an argument]"
        )
    checks.add_argument(
        "--timeout",
        type=seconds,
        metavar="SECONDS",
        help="Kill a check run after SECONDS; the candidate counts as unresolved [default: adaptive]",
    )
    add_stop_options(command, "checks")
    add_summary_options(command)


def add_stop_options(command: argparse.ArgumentParser, counted: str) -> None:
    """Add what stops a reduction early."""
    stop = group(command, STOP)
    stop.add_argument(
        "--max-tests",
        type=positive,
        metavar="N",
        help=f"Stop after N {counted} with the best so far [default: no limit]",
    )
    stop.add_argument(
        "--max-time",
        dest="max_seconds",
        type=duration,
        metavar="TIME",
        help="Stop after TIME (90, 10m, 2h) with the best so far [default: no limit]",
    )


def add_summary_options(command: argparse.ArgumentParser) -> None:
    """Add how the summary is printed."""
    result = group(command, RESULT)
    result.add_argument("--json", action="store_true", help="Print a summary as JSON to standard output")
    result.add_argument(
        "--json-lines",
        action=_JsonLines,
        nargs=0,
        default=False,
        help="Print one JSON object per event to standard output, the summary last [default: progress for people]",
    )
    result.add_argument("-q", "--quiet", action="store_true", help="Print warnings and errors only")


class _JsonLines(argparse.Action):
    """Asks for the summary as JSON, and for all that happens before it."""

    def __call__(self, parser: argparse.ArgumentParser, namespace: argparse.Namespace, *_: object) -> None:
        namespace.json = namespace.json_lines = True


def add_ddmin_options(command: argparse.ArgumentParser) -> None:
    """Add the options of the ddmin family."""
    family = group(command, RESEARCH)
    family.add_argument(
        "--ddmin-factor",
        dest="factor",
        type=_factor,
        metavar="N",
        help="Split each subset into N subsets: 2 or more, inf, or auto (inf for few units, else 4) [default: 2]",
    )
    family.add_argument(
        "--ddmin-split", dest="split", choices=sorted(SPLITS), help="Split lists in this way [default: zeller]"
    )
    family.add_argument(
        "--ddmin-steps",
        dest="reduce",
        choices=("subsets-first", "complements-first", "complements-only"),
        help="Try subsets and complements in this order [default: subsets-first]",
    )
    orders = ("forward", "backward", "random")
    for name in ("subset", "complement"):
        family.add_argument(
            f"--ddmin-{name}-order",
            dest=f"{name}_order",
            choices=orders,
            help=f"Try {name}s in this order [default: forward]",
        )
    family.add_argument(
        "--ddmin-restart",
        dest="restart",
        action="store_true",
        default=None,
        help="After each success, start over at the first subset [default: continue with the next]",
    )
    family.add_argument(
        "--ddmin-seed", dest="seed", type=int, default=0, metavar="N", help="Seed random orders with N [default: 0]"
    )


def add_parallel_option(command: argparse.ArgumentParser) -> None:
    """Add how several workers share a search."""
    group(command, RESEARCH).add_argument(
        "--parallel-mode",
        dest="parallel",
        choices=tuple(PARALLEL),
        default="in-order",
        help="Share the work of --algorithm among jobs: in-order gives the same result for every -j; for the ddmin "
        "family also race (the first success wins), separate and combined (the parallel loops of Hodován and Kiss) "
        "[default: in-order]",
    )


@dataclass(frozen=True)
class Parallel:
    """How several workers share a search."""

    mode: Mode
    loops: Loops | None


def parallel_of(args: argparse.Namespace) -> Parallel:
    """Return what --parallel-mode means."""
    return Parallel(*PARALLEL[args.parallel])


def ddmin_options_of(args: argparse.Namespace) -> DdminOptions:
    """Return the options of the ddmin family that were given, or say which of them contradict each other."""
    if parallel_of(args).loops and args.algorithm not in (None, *DDMIN):
        raise UsageError(
            f"--parallel-mode {args.parallel} cannot be combined with --algorithm {args.algorithm}\n"
            f"hint: use it with one of {', '.join(DDMIN)}"
        )
    if args.reduce == "complements-only" and args.subset_order:
        raise UsageError(
            "--ddmin-subset-order cannot be combined with --ddmin-steps complements-only, which has no subsets"
        )
    return DdminOptions(
        factor=args.factor,
        split=args.split,
        reduce=args.reduce and args.reduce.replace("-", " "),
        subset_order=args.subset_order,
        complement_order=args.complement_order,
        restart=args.restart,
        loops=parallel_of(args).loops,
        seed=args.seed,
    )
