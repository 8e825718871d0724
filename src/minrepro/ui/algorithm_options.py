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
from minrepro.ui.help_text import RESEARCH, group
from minrepro.ui.language_options import check_language, document_of
from minrepro.ui.options import ddmin_options_of

if TYPE_CHECKING:
    from minrepro.ui.folders import GivenFiles

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


def reduction_of(args: argparse.Namespace, given: Given | GivenFiles) -> Callable[[bytes], Reduction[bytes]] | None:
    """Return the reduction that the options ask for, or None when they leave the choice to us."""
    check_language(args)
    if args.grammar is not None and args.units not in (None, "tree"):
        raise UsageError(f"--grammar cannot be combined with --units {args.units}: a grammar reduces trees")
    options = ddmin_options_of(args)
    if args.algorithm is None and args.units is None and args.grammar is None and not options.given():
        return None
    if not isinstance(given, Given):
        raise UsageError("--units and --algorithm apply to a single file, not to directories or several files")
    if args.algorithm in TREE_NAMES or args.units == "tree" or (args.grammar is not None and args.units is None):
        return _tree_reduction(args, given)
    minimize = list_minimizer(args.algorithm or ("ddmin" if options.given() else "grouping"), options)
    return partial(reduce_text, minimize=minimize, cutters=_cutters(args, given))


def _tree_reduction(args: argparse.Namespace, given: Given) -> Callable[[bytes], Reduction[bytes]]:
    if args.units not in (None, "tree"):
        raise UsageError(
            f"--algorithm {args.algorithm} works on trees and cannot be combined with --units {args.units}"
        )
    from minrepro.algorithms.trees import DEFAULT, reduce_tree, tree_minimizer  # takes a while to load

    name = args.algorithm or DEFAULT
    if name not in TREE_NAMES:
        raise UsageError(
            f"--algorithm {name} works on lists and cannot be combined with --units tree or --grammar\n"
            f"hint: algorithms for trees are {', '.join(TREE_NAMES)}"
        )
    document = document_of(args, given.path, given.data)
    if document is None:
        print(
            f"minrepro: warning: the language of {given.path} is unknown; removing lines, then characters instead\n"
            "hint: state it with --language NAME",
            file=sys.stderr,
        )
        return partial(reduce_text, minimize=list_minimizer("grouping"), cutters=_plain_cutters())
    if 2 * document.allowed[1] > len(given.data):
        print(
            f"minrepro: warning: most of {given.path} cannot be parsed; is it in another language?",
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
