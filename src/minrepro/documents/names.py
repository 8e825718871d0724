"""Names in a tree: which part of a document brings a name up first, and whether it is still used elsewhere.

It knows no language: a name is a leaf that looks like a word and has a kind of its own; it is defined where it comes
first. That is wrong now and then, so that what is concluded from it must be tested in the end.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left

from minrepro.documents.tree import Tree
from minrepro.edits import Cuts, covered

_WORD = re.compile(rb"[^\W\d]\w*", re.ASCII)


class Names:
    """Where the names of a tree occur."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        places: dict[bytes, array[int]] = {}
        for leaf in tree.leaves:
            if tree.is_named(leaf) and _WORD.fullmatch(text := tree.text(leaf)):
                places.setdefault(text, array("I")).append(leaf)
        self._firsts = sorted((leaves[0], leaves) for leaves in places.values() if len(leaves) > 1)
        self._first_leaves = [leaf for leaf, _ in self._firsts]

    def still_used(self, node: int, cuts: Cuts) -> bool:
        """Tell whether a name that comes up first in a node is still there behind it."""
        tree = self._tree
        behind = tree.after[node]
        at = bisect_left(self._first_leaves, node)
        while at < len(self._firsts) and self._first_leaves[at] < behind:
            first, leaves = self._firsts[at]
            if not covered(cuts, tree.start[first], tree.end[first]):
                users = leaves[bisect_left(leaves, behind) :]
                if any(not covered(cuts, tree.start[leaf], tree.end[leaf]) for leaf in users):
                    return True
            at += 1
        return False
