"""Which units are removed, by which algorithm and in which language, when `reduce` is not left to choose."""

from __future__ import annotations

import argparse

from minrepro.algorithms.algorithm_names import TREE_NAMES
from minrepro.algorithms.algorithm_registry import LIST_ALGORITHMS
from minrepro.cli.help_text import REDUCTION, RESEARCH, group
from minrepro.cli.options.check_options import positive
from minrepro.documents.text import CUTTERS

_PLAIN = "lines-then-characters"
UNITS = ("tree", "tokens", *CUTTERS, _PLAIN)


def add_algorithm_options(command: argparse.ArgumentParser) -> None:
    """Add the choice of units and algorithm."""
    research = group(command, RESEARCH)
    research.add_argument(
        "--units",
        choices=UNITS,
        metavar="UNITS",
        help=f"Remove whole units of one kind only: {', '.join(UNITS)} [default: chosen by the reducer; with "
        f"--algorithm: tree or {_PLAIN}]",
    )
    research.add_argument(
        "--algorithm",
        choices=(*LIST_ALGORITHMS, *TREE_NAMES),
        metavar="NAME",
        help=f"Use one published algorithm; for trees: {', '.join(TREE_NAMES)}; for other units: "
        f"{', '.join(LIST_ALGORITHMS)} [default: the passes that suit the input]",
    )


def add_versions_option(
    command: argparse.ArgumentParser, where: str = "CHECK or COMMAND", under: str = REDUCTION
) -> None:
    """Add the versions of the failing program."""
    group(command, under).add_argument(
        "--versions",
        metavar="A,B,...",
        type=_versions,
        help="Reduce with one version of the program after another, the result of each being the input of the next; "
        f"{{version}} in {where} stands for it [default: one program]",
    )


def _versions(text: str) -> list[str]:
    versions = [each.strip() for each in text.split(",")]
    if not all(versions) or len(set(versions)) != len(versions):
        raise argparse.ArgumentTypeError(f"{text!r} is not a list of different versions such as 1.0,1.1,2.0")
    return versions


def add_refinement_options(command: argparse.ArgumentParser) -> None:
    """Add what more can be asked of an algorithm for lists."""
    group(command, REDUCTION).add_argument(
        "--all",
        action="store_true",
        help="Find all different results: after each, look for the failure without it; writes PATH, PATH.2 and so on "
        "[default: one result]",
    )
    research = group(command, RESEARCH)
    research.add_argument(
        "--minimality",
        type=positive,
        default=1,
        metavar="N",
        help="Also try to remove up to N units together, whichever they are; says first how many checks that takes "
        "[default: 1]",
    )
    research.add_argument(
        "--monotone",
        action="store_true",
        help="Assume that no part of a candidate without the failure has it, and skip those checks; off at the first "
        "contradiction",
    )
    research.add_argument(
        "--smallest",
        action="store_true",
        help="Where several subsets fail, continue with the smallest (ddmin) [default: with the first]",
    )


def add_list_algorithm_option(command: argparse.ArgumentParser) -> None:
    """Add the choice of an algorithm where there are only lists."""
    group(command, RESEARCH).add_argument(
        "--algorithm",
        choices=LIST_ALGORITHMS,
        metavar="NAME",
        help=f"Use one published algorithm: {', '.join(LIST_ALGORITHMS)} [default: grouping]",
    )
