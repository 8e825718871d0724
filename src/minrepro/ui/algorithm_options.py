"""Which units are removed, by which algorithm and in which language, when `reduce` is not left to choose."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from functools import partial

from minrepro.algorithms.catalogue import LIST_ALGORITHMS, list_minimizer
from minrepro.algorithms.trees import DEFAULT, TREE_ALGORITHMS, reduce_tree, tree_minimizer
from minrepro.documents.text import CUTTERS, ListDocument, reduce_text
from minrepro.documents.tokens import tokens
from minrepro.documents.treedocument import TreeDocument
from minrepro.documents.treesitter import language_of
from minrepro.errors import UsageError
from minrepro.search import Reduction
from minrepro.ui.folders import GivenFiles
from minrepro.ui.given import Given
from minrepro.ui.options import ddmin_options_of
from minrepro.ui.tree_command import add_language_options, document_of

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
        choices=(*LIST_ALGORITHMS, *TREE_ALGORITHMS),
        metavar="NAME",
        help=f"for trees: {', '.join(TREE_ALGORITHMS)}; for other units: {', '.join(LIST_ALGORITHMS)} "
        "(default: the passes that suit the input)",
    )
    add_language_options(group)


def reduction_of(args: argparse.Namespace, given: Given | GivenFiles) -> Callable[[bytes], Reduction[bytes]] | None:
    """Return the reduction that the options ask for, or None when they leave the choice to us."""
    options = ddmin_options_of(args)
    if args.algorithm is None and args.units is None and args.grammar is None and not options.given():
        return None
    if isinstance(given, GivenFiles):
        raise UsageError("--units and --algorithm are for one file: several files are reduced by passes.")
    if args.algorithm in TREE_ALGORITHMS or args.units == "tree" or (args.grammar is not None and args.units is None):
        return _tree_reduction(args, given)
    minimize = list_minimizer(args.algorithm or ("ddmin" if options.given() else "grouping"), options)
    return partial(reduce_text, minimize=minimize, cutters=_cutters(args, given))


def _tree_reduction(args: argparse.Namespace, given: Given) -> Callable[[bytes], Reduction[bytes]]:
    if args.units not in (None, "tree"):
        raise UsageError(f"{args.algorithm} works on trees: leave --units {args.units} out, or take another algorithm.")
    name = args.algorithm or DEFAULT
    if name not in TREE_ALGORITHMS:
        raise UsageError(f"{name} works on lists: leave --units tree out, or take one of {', '.join(TREE_ALGORITHMS)}.")
    document = document_of(args, given.path, given.data)
    if document is None:
        print(
            f"minrepro: the language of {given.path} is not known, so lines and then characters are removed instead; "
            "--language tells it",
            file=sys.stderr,
        )
        return partial(reduce_text, minimize=list_minimizer("grouping"), cutters=_plain_cutters())
    opened: TreeDocument = document
    return lambda data: reduce_tree(opened, tree_minimizer(name))


def _cutters(args: argparse.Namespace, given: Given) -> list[Callable[[bytes], ListDocument]]:
    if args.units == "tokens":
        language = args.language or language_of(given.path, given.data)
        return [partial(tokens, language=language)]
    return [CUTTERS[name] for name in (args.units or _PLAIN).split("-then-")]


def _plain_cutters() -> list[Callable[[bytes], ListDocument]]:
    return [CUTTERS[name] for name in _PLAIN.split("-then-")]
