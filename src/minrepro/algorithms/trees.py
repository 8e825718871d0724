"""The tree algorithms by name, as the command line and the library offer them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from minrepro.algorithms.hdd import coarse_hdd, hdd, hdd_plus, hdd_star
from minrepro.algorithms.hddr import hddr
from minrepro.algorithms.heaviest import pardis, perses
from minrepro.algorithms.hoist import hdd_with_hoisting
from minrepro.algorithms.treegroups import treegroups
from minrepro.documents.treedocument import TreeDocument
from minrepro.edits import Cuts
from minrepro.search import Reduction

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
