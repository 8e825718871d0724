"""Names in a tree: which part of a document brings a name up, and whether it is still used elsewhere.

It knows no language: a name is a word, alone in a leaf or within one ("#/definitions/Name"); it is defined where it
first stands alone. That is wrong now and then, so that what is concluded from it must be tested in the end.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left, bisect_right
from itertools import chain

from minrepro.core.edits import Cuts, covered
from minrepro.documents.syntax.tree import Tree

_NAMES = re.compile(rb"(?!_\b)[^\W\d]\w*", re.ASCII)
"""Words, but for the one that says that there is no name."""
_LONGEST = 200
"""Up to this many bytes of a leaf are searched for words: what is longer is text for people."""


def mentions(tree: Tree) -> dict[bytes, array[int]]:
    """Return for each name the leaves that mention it, in their order."""
    found: dict[bytes, array[int]] = {}
    for leaf in tree.leaves:
        if tree.is_named(leaf) and not tree.is_extra(leaf) and tree.size(leaf) <= _LONGEST:
            for name in dict.fromkeys(_NAMES.findall(tree.text(leaf))):
                found.setdefault(name, array("I")).append(leaf)
    return found


class Names:
    """Where the names of a tree occur."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        known: list[tuple[int, array[int]]] = []
        for name, leaves in mentions(tree).items():
            defined = next((leaf for leaf in leaves if tree.text(leaf) == name), None) if len(leaves) > 1 else None
            if defined is not None:
                known.append((defined, leaves))
        known.sort(key=lambda entry: entry[0])
        self._definitions = [leaf for leaf, _ in known]
        self._places = [leaves for _, leaves in known]

    def still_used(self, node: int, cuts: Cuts) -> bool:
        """Tell whether a name that is defined in a node is still there outside of it."""
        tree = self._tree
        behind = tree.after[node]
        at = bisect_left(self._definitions, node)
        while at < len(self._definitions) and self._definitions[at] < behind:
            places = self._places[at]
            outside = chain(places[bisect_right(places, behind - 1) :], places[: bisect_left(places, node)])
            if any(not covered(cuts, tree.start[user], tree.end[user]) for user in outside):
                return True
            at += 1
        return False
