"""Which units are removed, by which algorithm and in which language, when `reduce` is not left to choose."""

from __future__ import annotations

import argparse

from minrepro.algorithms.catalogue import LIST_ALGORITHMS
from minrepro.algorithms.names import TREE_NAMES
from minrepro.documents.text import CUTTERS
from minrepro.ui.language_options import add_language_options

_PLAIN = "lines-then-characters"
UNITS = ("tree", "tokens", *CUTTERS, _PLAIN)


def add_algorithm_options(group: argparse._ArgumentGroup) -> None:
    """Add the choice of units, algorithm and language."""
    group.add_argument(
        "--units",
        choices=UNITS,
        help=f"remove only such units (default: whatever helps; with --algorithm: what it works on, or {_PLAIN})",
    )
    group.add_argument(
        "--algorithm",
        choices=(*LIST_ALGORITHMS, *TREE_NAMES),
        metavar="NAME",
        help=f"for trees: {', '.join(TREE_NAMES)}; for other units: {', '.join(LIST_ALGORITHMS)} "
        "(default: the passes that suit the input)",
    )
    add_language_options(group)
