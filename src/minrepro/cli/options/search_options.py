"""Which units are removed, by which algorithm and in which language, when `reduce` is not left to choose."""

from __future__ import annotations

import argparse

from minrepro.algorithms.algorithm_names import TREE_NAMES
from minrepro.algorithms.algorithm_registry import LIST_ALGORITHMS
from minrepro.cli.help_text import RESEARCH, group
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
