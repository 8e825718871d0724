"""How far the default reducer goes, and what it takes for a better result."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

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


def reducer_of(
    args: argparse.Namespace, given: Given | GivenFiles, focus: tuple[int, ...] = ()
) -> Callable[[bytes], DefaultReducer]:
    """Return what makes the default reducer for a case, as the options ask for it.

    The focus is the lines of the input in which the failure is said to be.
    """
    how = {"effort": args.effort, "deterministic": args.deterministic, "golf": args.golf}
    if isinstance(given, Given):
        return partial(_of_one_file, args, given, how, focus)
    from minrepro.filesreducer import files_reducer

    return partial(files_reducer, given.table, **how)


def _of_one_file(
    args: argparse.Namespace, given: Given, how: dict[str, Any], focus: tuple[int, ...], case: bytes
) -> DefaultReducer:
    """Return the default reducer for a file, and tell where it is not reduced as a tree, and why."""
    from minrepro.reducer import default_reducer  # takes a while to load, and not every reduction needs it

    focus = focus if case == given.data else ()  # the lines are those of the whole input
    reducer = default_reducer(given.path, case, language=args.language, focus=focus, **how)
    if reducer.language is None and not args.quiet and case == given.data:
        from minrepro.documents.containers import container_of
        from minrepro.documents.treesitter import language_of

        language = args.language or language_of(given.path, case)
        path = given.path
        why = f"most of {path} is not valid {language}" if language else f"the language of {path} is unknown"
        if container_of(case) is None:
            print(f"minrepro: {why}; reducing it as plain text (--language NAME changes that)", file=sys.stderr)
    return reducer
