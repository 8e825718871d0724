"""Which units are removed, by which algorithm and in which language, when `reduce` is not left to choose."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from minrepro.algorithms.catalogue import LIST_ALGORITHMS, list_minimizer
from minrepro.algorithms.names import TREE_NAMES
from minrepro.documents.text import CUTTERS, ListDocument, reduce_text
from minrepro.errors import UsageError
from minrepro.search import Reduction
from minrepro.ui.given import Given
from minrepro.ui.language_options import add_language_options, check_language, document_of
from minrepro.ui.options import ddmin_options_of

if TYPE_CHECKING:
    from minrepro.ui.folders import GivenFiles

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


def reduction_of(args: argparse.Namespace, given: Given | GivenFiles) -> Callable[[bytes], Reduction[bytes]] | None:
    """Return the reduction that the options ask for, or None when they leave the choice to us."""
    check_language(args)
    if args.grammar is not None and args.units not in (None, "tree"):
        raise UsageError(f"--grammar is for trees: leave --units {args.units} out, or the grammar.")
    options = ddmin_options_of(args)
    if args.algorithm is None and args.units is None and args.grammar is None and not options.given():
        return None
    if not isinstance(given, Given):
        raise UsageError("--units and --algorithm are for one file: several files are reduced by passes.")
    if args.algorithm in TREE_NAMES or args.units == "tree" or (args.grammar is not None and args.units is None):
        return _tree_reduction(args, given)
    minimize = list_minimizer(args.algorithm or ("ddmin" if options.given() else "grouping"), options)
    return partial(reduce_text, minimize=minimize, cutters=_cutters(args, given))


def _tree_reduction(args: argparse.Namespace, given: Given) -> Callable[[bytes], Reduction[bytes]]:
    if args.units not in (None, "tree"):
        raise UsageError(f"{args.algorithm} works on trees: leave --units {args.units} out, or take another algorithm.")
    from minrepro.algorithms.trees import DEFAULT, reduce_tree, tree_minimizer  # takes a while to load

    name = args.algorithm or DEFAULT
    if name not in TREE_NAMES:
        raise UsageError(
            f"{name} works on lists: leave --units tree and --grammar out, or take one of {', '.join(TREE_NAMES)}."
        )
    document = document_of(args, given.path, given.data)
    if document is None:
        print(
            f"minrepro: the language of {given.path} is not known, so lines and then characters are removed instead; "
            "--language tells it",
            file=sys.stderr,
        )
        return partial(reduce_text, minimize=list_minimizer("grouping"), cutters=_plain_cutters())
    if 2 * document.allowed[1] > len(given.data):
        print(
            f"minrepro: the parser can make no sense of most of {given.path}: is it in another language?",
            file=sys.stderr,
        )
    return lambda data: reduce_tree(document, tree_minimizer(name))


def _cutters(args: argparse.Namespace, given: Given) -> list[Callable[[bytes], ListDocument]]:
    if args.units == "tokens":
        from minrepro.documents.tokens import tokens
        from minrepro.documents.treesitter import language_of

        language = args.language or language_of(given.path, given.data)
        return [partial(tokens, language=language)]
    return [CUTTERS[name] for name in (args.units or _PLAIN).split("-then-")]


def _plain_cutters() -> list[Callable[[bytes], ListDocument]]:
    return [CUTTERS[name] for name in _PLAIN.split("-then-")]
