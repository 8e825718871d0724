"""The tree algorithms by name, as the command line and the library offer them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from minrepro.algorithms.hdd import coarse_hdd, hdd, hdd_plus, hdd_star
from minrepro.algorithms.hddr import hddr
from minrepro.algorithms.heaviest import pardis, perses
from minrepro.algorithms.hoist import hdd_with_hoisting
from minrepro.algorithms.treegroups import treegroups
from minrepro.documents.syntax import LEAK, within_syntax
from minrepro.documents.treedocument import TreeDocument
from minrepro.edits import Cuts
from minrepro.errors import UsageError
from minrepro.search import Reduction, embed

TreeMinimizer = Callable[[TreeDocument], Reduction[Cuts]]

TREE_ALGORITHMS: dict[str, TreeMinimizer] = {
    "hdd": hdd,
    "hdd+": hdd_plus,
    "hdd*": hdd_star,
    "coarse": coarse_hdd,
    "hddr": hddr,
    "hddr-reversed": partial(hddr, traversal="breadth first reversed"),
    "hddr-depth": partial(hddr, traversal="depth first"),
    "hddr-depth-reversed": partial(hddr, traversal="depth first reversed"),
    "perses": perses,
    "pardis": pardis,
    "hoist": hdd_with_hoisting,
    "groups": partial(treegroups, hints=False),
    "tree": treegroups,
}

DEFAULT = "tree"


def tree_minimizer(name: str) -> TreeMinimizer:
    """Return the tree algorithm of that name."""
    if name not in TREE_ALGORITHMS:
        raise UsageError(f"unknown tree algorithm {name!r}; choose from {', '.join(TREE_ALGORITHMS)}")
    return TREE_ALGORITHMS[name]


def reduce_tree(
    document: TreeDocument, minimize: TreeMinimizer = TREE_ALGORITHMS[DEFAULT], leak: int = LEAK
) -> Reduction[bytes]:
    """Minimise a document as a tree within its syntax, and return what is left of it."""
    cuts = yield from embed(within_syntax(minimize(document), document, leak), into=document.render)
    return document.render(cuts)
