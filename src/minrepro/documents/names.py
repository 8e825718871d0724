"""Names in a tree: which part of a document brings a name up, and whether it is still used elsewhere.

It knows no language: a name is a word, alone in a leaf or within one ("#/definitions/Name"); it is defined where it
first stands alone. That is wrong now and then, so that what is concluded from it must be tested in the end.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left, bisect_right
from itertools import chain

from minrepro.documents.tree import Tree
from minrepro.edits import Cuts, covered

_WORDS = re.compile(rb"[^\W\d]\w*", re.ASCII)
_LONGEST = 200
"""Up to this many bytes of a leaf are searched for words: what is longer is text for people."""


class Names:
    """Where the names of a tree occur."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        places: dict[bytes, array[int]] = {}
        defined: dict[bytes, int] = {}
        for leaf in tree.leaves:
            if not tree.is_named(leaf) or tree.is_extra(leaf) or tree.size(leaf) > _LONGEST:
                continue
            text = tree.text(leaf)
            for word in dict.fromkeys(_WORDS.findall(text)):
                places.setdefault(word, array("I")).append(leaf)
                if word == text:
                    defined.setdefault(word, leaf)
        known = sorted((leaf, places[word]) for word, leaf in defined.items() if len(places[word]) > 1)
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
