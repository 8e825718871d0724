"""How far the default reducer goes, and what it takes for a better result."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from minrepro.effort import EFFORT_NAMES
from minrepro.ui.given import Given

if TYPE_CHECKING:
    from minrepro.reducer import DefaultReducer
    from minrepro.ui.folders import GivenFiles


def add_effort_options(group: argparse._ActionsContainer) -> None:
    """Add the options of the default reducer."""
    group.add_argument(
        "--effort",
        choices=EFFORT_NAMES,
        default="normal",
        help="fast: only what saves much. normal: until nothing more goes (default). thorough: rarer chances too",
    )
    group.add_argument("--golf", action="store_true", help="fewest bytes, also of white space, readable or not")
    group.add_argument(
        "--deterministic",
        action="store_true",
        help="the same result for any -j, also without --units and --algorithm; somewhat slower",
    )


def reducer_of(args: argparse.Namespace, given: Given | GivenFiles) -> Callable[[bytes], DefaultReducer]:
    """Return what makes the default reducer for a case, as the options ask for it."""
    how = {"effort": args.effort, "deterministic": args.deterministic, "golf": args.golf}
    if isinstance(given, Given):
        from minrepro.reducer import default_reducer  # takes a while to load, and not every reduction needs it

        return partial(default_reducer, given.path, language=args.language, **how)
    from minrepro.filesreducer import files_reducer

    return partial(files_reducer, given.table, **how)
