"""How far the default reducer goes, and what it takes for a better result."""

from __future__ import annotations

import argparse

from minrepro.filesreducer import files_reducer
from minrepro.reducer import EFFORTS, DefaultReducer, default_reducer
from minrepro.ui.folders import GivenFiles
from minrepro.ui.given import Given


def add_effort_options(group: argparse._ActionsContainer) -> None:
    """Add the options of the default reducer."""
    group.add_argument(
        "--effort",
        choices=tuple(EFFORTS),
        default="normal",
        help="fast: only what saves much. normal: until nothing more goes (default). thorough: rarer chances too",
    )
    group.add_argument("--golf", action="store_true", help="fewest bytes, also of white space, readable or not")
    group.add_argument(
        "--deterministic",
        action="store_true",
        help="the same result for any -j, also without --units and --algorithm; somewhat slower",
    )


def reducer_of(args: argparse.Namespace, given: Given | GivenFiles, case: bytes) -> DefaultReducer:
    """Return the default reducer as the options ask for it."""
    how = {"effort": args.effort, "deterministic": args.deterministic, "golf": args.golf}
    if isinstance(given, GivenFiles):
        return files_reducer(given.table, case, **how)
    return default_reducer(given.path, case, language=args.language, **how)
