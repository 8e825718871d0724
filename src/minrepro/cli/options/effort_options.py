"""How far the default reducer goes, and what it takes for a better result."""

from __future__ import annotations

import argparse

from minrepro.settings import EFFORT_NAMES


def add_effort_options(group: argparse._ActionsContainer) -> None:
    """Add the options of the default reducer."""
    group.add_argument(
        "--effort",
        choices=EFFORT_NAMES,
        default="normal",
        help="Choose how long to try; fast: stop at diminishing returns; normal: until nothing more can be removed; "
        "thorough: also try edits that rarely succeed [default: normal]",
    )
    group.add_argument(
        "--minify",
        dest="golf",
        action="store_true",
        help="Minimize bytes, including names and whitespace, even if the result is unreadable [default: minimize "
        "tokens, keep the names and the layout of INPUT]",
    )
    group.add_argument(
        "--deterministic",
        action="store_true",
        help="Give the same result for every -j (slightly slower)",
    )


def add_format_option(group: argparse._ActionsContainer) -> None:
    """Add the option for a formatter."""
    group.add_argument(
        "--formatter",
        dest="format",
        metavar="COMMAND",
        help="Format the result with COMMAND (standard input to standard output, @@ = file name) if it then still "
        "reproduces the failure; auto: an installed formatter for the language [default: none]",
    )
