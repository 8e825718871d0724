"""The tree algorithms by name, as the command line and the library offer them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from minrepro.algorithms.trees.hdd import NodeMinimizer, coarse_hdd, hdd, hdd_plus, hdd_star
from minrepro.algorithms.trees.hddr import hddr
from minrepro.algorithms.trees.hoisting import hdd_with_hoisting
from minrepro.algorithms.trees.sweeps import beyond_grammar
from minrepro.algorithms.trees.tree_groups import treegroups
from minrepro.algorithms.trees.weight_first import pardis, perses
from minrepro.algorithms.trees.within_syntax import LEAK, within_syntax
from minrepro.core.edits import Cuts
from minrepro.core.search import Reduction, embed
from minrepro.documents.syntax.tree_document import TreeDocument
from minrepro.errors import UsageError

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


BEYOND_GRAMMAR = ("hdd+", "hdd*")
"""The algorithms that promise that no single node can go: they also try those that the grammar calls required."""
WITHOUT_DDMIN = ("pardis", "groups", "tree")
"""The algorithms that have no list minimiser inside."""


def tree_minimizer(name: str, minimize: NodeMinimizer | None = None) -> TreeMinimizer:
    """Return the tree algorithm of that name, with another list minimiser inside than plain ddmin if one is given."""
    if name not in TREE_ALGORITHMS:
        raise UsageError(f"unknown tree algorithm {name!r}; choose from {', '.join(TREE_ALGORITHMS)}")
    if minimize is None:
        return TREE_ALGORITHMS[name]
    named: Any = TREE_ALGORITHMS[name]
    return partial(named, minimize=minimize)


def reduce_tree(
    document: TreeDocument,
    minimize: TreeMinimizer = TREE_ALGORITHMS[DEFAULT],
    leak: int = LEAK,
    *,
    beyond: bool = False,
) -> Reduction[bytes]:
    """Minimise a document as a tree within its syntax, and return what is left of it.

    With `beyond`, what the grammar calls required is tried once in the end.
    """
    cuts = yield from embed(within_syntax(minimize(document), document, leak), into=document.render)
    if beyond:
        cuts = yield from embed(beyond_grammar(document, cuts), into=document.render)
    return document.render(cuts)
