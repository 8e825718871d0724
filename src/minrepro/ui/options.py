"""Options that several commands share, and what they mean together."""

from __future__ import annotations

import argparse
from dataclasses import dataclass

from minrepro.algorithms.catalogue import DDMIN, SPLITS, split_factor
from minrepro.errors import UsageError
from minrepro.settings import DdminOptions, Loops, Mode
from minrepro.ui.workplace import add_workplace_options

PARALLEL: dict[str, tuple[Mode, Loops | None]] = {
    "in-order": ("in order", None),
    "race": ("race", "ahead"),
    "separate": ("race", "separate"),
    "combined": ("race", "combined"),
}


def positive(text: str) -> int:
    """Read a whole number from 1 on."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 1 on")
    return int(text)


def seconds(text: str) -> float:
    """Read a number of seconds above 0."""
    try:
        number = float(text)
    except ValueError:
        number = 0
    if not 0 < number < float("inf"):
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of seconds above 0")
    return number


def _factor(text: str) -> float:
    try:
        return split_factor(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def add_check_options(command: argparse.ArgumentParser) -> None:
    """Add how checks are run, how long, and how the run is shown."""
    checks = command.add_argument_group("checks")
    add_workplace_options(checks, positive, seconds)
    checks.add_argument("--stdin", action="store_true", help="give the candidate on standard input, not as an argument")
    checks.add_argument(
        "--timeout",
        type=seconds,
        metavar="S",
        help="end a check after S seconds; it counts as unresolved (default: adapts to the times seen)",
    )
    ends = command.add_argument_group("budgets")
    ends.add_argument("--max-tests", type=positive, metavar="N", help="end with the best so far after N checks")
    ends.add_argument("--max-seconds", type=seconds, metavar="S", help="end with the best so far after S seconds")
    shown = command.add_argument_group("what is shown")
    shown.add_argument("--json", action="store_true", help="print a machine-readable summary on standard output")
    shown.add_argument("-q", "--quiet", action="store_true", help="show no progress and no summary")


def add_ddmin_options(command: argparse.ArgumentParser) -> None:
    """Add the options of the ddmin family."""
    family = command.add_argument_group("options of ddmin, ddmin* and onemin")
    family.add_argument("--factor", type=_factor, metavar="ν", help="split factor: 2 and up, or inf (default: 2)")
    family.add_argument("--split", choices=sorted(SPLITS), help="how to cut a list into parts (default: zeller)")
    family.add_argument(
        "--reduce",
        choices=("subsets-first", "complements-first", "complements-only"),
        help="what to try, in which order (default: subsets-first)",
    )
    orders = ("forward", "backward", "random")
    family.add_argument("--subset-order", choices=orders, help="the order of the subsets (default: forward)")
    family.add_argument("--complement-order", choices=orders, help="the order of the complements (default: forward)")
    family.add_argument(
        "--restart",
        action="store_true",
        default=None,
        help="after a part was removed begin with the first part again, not with the next",
    )
    family.add_argument("--seed", type=int, default=0, metavar="N", help="the seed of random orders (default: 0)")


def add_parallel_option(command: argparse._ActionsContainer) -> None:
    """Add how several workers share a search."""
    command.add_argument(
        "--parallel",
        choices=tuple(PARALLEL),
        default="in-order",
        help="in-order: the same result for any -j (default). For the ddmin family also race: the first to finish "
        "wins; separate, combined: the parallel loops of Hodován and Kiss, each a race",
    )


@dataclass(frozen=True)
class Parallel:
    """How several workers share a search."""

    mode: Mode
    loops: Loops | None


def parallel_of(args: argparse.Namespace) -> Parallel:
    """Return what --parallel means."""
    return Parallel(*PARALLEL[args.parallel])


def ddmin_options_of(args: argparse.Namespace) -> DdminOptions:
    """Return the options of the ddmin family that were given, or say which of them contradict each other."""
    if parallel_of(args).loops and args.algorithm not in (None, *DDMIN):
        raise UsageError(
            f"--parallel {args.parallel} is for ddmin: {args.algorithm} builds questions on earlier answers.\n"
            f"Take one of the algorithms {', '.join(DDMIN)}, or leave --parallel out."
        )
    if args.reduce == "complements-only" and args.subset_order:
        raise UsageError("--reduce complements-only tries no subsets, so --subset-order has no meaning with it.")
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
