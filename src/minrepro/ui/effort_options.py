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
        help="fast: only what saves much. normal: until nothing more goes (default). thorough: rarer chances too",
    )
    group.add_argument(
        "--golf",
        action="store_true",
        help="fewest bytes, readable or not: short names and numbers, merged names, little white space "
        "(default: fewest tokens, with the names and the layout of INPUT)",
    )
    group.add_argument(
        "--deterministic",
        action="store_true",
        help="the same result for any -j, also without --units and --algorithm; somewhat slower",
    )


def add_format_option(group: argparse._ActionsContainer) -> None:
    """Add the option for a formatter."""
    group.add_argument(
        "--format",
        metavar="COMMAND",
        help="run a formatter (standard input to standard output, @@ = the file's name) on the result, and keep what "
        "it prints if that still fails; auto: the one for the language that is installed",
    )
