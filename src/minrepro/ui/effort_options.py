"""How far the default reducer goes, and what it takes for a better result."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from minrepro.settings import EFFORT_NAMES
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
        why = f"most of {given.path} is no {language}" if language else f"the language of {given.path} is not known"
        if container_of(case) is None:
            print(f"minrepro: {why}, so it is reduced as plain text; --language tells a language", file=sys.stderr)
    return reducer
