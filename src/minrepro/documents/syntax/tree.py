"""One immutable parse of a document as flat arrays: a million nodes, or a hundred thousand levels, no object for each.

Nodes are numbered in preorder, so that a subtree is a range of numbers, the first child of a node is the number behind
it, and the next sibling is the number behind the subtree.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from enum import IntFlag

ROOT = 0
NO_NODE = -1

Badness = tuple[int, int]
"""How badly a text parses: the number of its error nodes, and the bytes in them."""


class Mark(IntFlag):
    """What is special about a node."""

    NAMED = 1
    """It has a name of its own in the grammar; without, it is a piece of fixed text such as a bracket or a keyword."""
    ERROR = 2
    """The parser could not make sense of it, or invented it."""
    EXTRA = 4
    """It may stand anywhere, as comments do."""


_NAMED, _ERROR, _EXTRA = int(Mark.NAMED), int(Mark.ERROR), int(Mark.EXTRA)  # plain numbers are far quicker


class Tree:
    """The nodes of a document: for each its kind, parent, byte span, marks, and where its subtree ends."""

    def __init__(self, data: bytes, kinds: Sequence[str], fields: Sequence[str] = ("",)) -> None:
        """Begin a tree without nodes; `kinds` and `fields` are the names that nodes refer to by number."""
        self.data = data
        self.kinds = kinds
        self.fields = fields
        self.kind = array("I")
        self.parent = array("i")
        self.start = array("I")
        self.end = array("I")
        self.after = array("I")
        """The number behind the subtree of each node: its next sibling, if it has one."""
        self.field = array("H")
        self.marks = array("B")
        self.leaves_before = array("I")
        self.leaves = array("I")
        """The numbers of the leaves in their order."""
        self._children: dict[int, array[int]] = {}

    def __len__(self) -> int:
        return len(self.kind)

    def add(self, kind: int, marks: int, parent: int, start: int, end: int, field: int = 0) -> int:
        """Append a node in preorder and return its number; `close` must follow when its subtree is complete."""
        node = len(self.kind)
        self.kind.append(kind)
        self.parent.append(parent)
        self.start.append(start)
        self.end.append(end)
        self.after.append(0)
        self.field.append(field)
        self.marks.append(marks)
        self.leaves_before.append(len(self.leaves))
        return node

    def close(self, node: int) -> None:
        """Note that a node has no further descendants."""
        behind = len(self.kind)
        self.after[node] = behind
        if behind == node + 1:
            self.leaves.append(node)

    def name(self, node: int) -> str:
        """Return the name of a node's kind."""
        return self.kinds[self.kind[node]]

    def field_name(self, node: int) -> str:
        """Return which part of its parent a node is, or an empty string."""
        return self.fields[self.field[node]]

    def is_leaf(self, node: int) -> bool:
        """Tell whether a node has no children."""
        return self.after[node] == node + 1

    def is_named(self, node: int) -> bool:
        """Tell whether a node is more than a piece of fixed text."""
        return self.marks[node] & _NAMED != 0

    def is_extra(self, node: int) -> bool:
        """Tell whether a node may stand anywhere, as comments do."""
        return self.marks[node] & _EXTRA != 0

    def is_error(self, node: int) -> bool:
        """Tell whether the parser could make no sense of a node, or invented it."""
        return self.marks[node] & _ERROR != 0

    def text(self, node: int) -> bytes:
        """Return the bytes of a node."""
        return self.data[self.start[node] : self.end[node]]

    def size(self, node: int) -> int:
        """Return how many bytes a node spans."""
        return self.end[node] - self.start[node]

    def weight(self, node: int) -> int:
        """Return how many leaves a node has."""
        behind = self.after[node]
        total = self.leaves_before[behind] if behind < len(self.kind) else len(self.leaves)
        return total - self.leaves_before[node]

    def children(self, node: int) -> Iterator[int]:
        """Yield the children of a node from left to right."""
        child, behind = node + 1, self.after[node]
        while child < behind:
            yield child
            child = self.after[child]

    def children_of(self, node: int) -> array[int]:
        """Return the children of a node as an array that is kept: for nodes that are looked at again and again."""
        known = self._children.get(node)
        if known is None:
            known = self._children[node] = array("I", self.children(node))
        return known

    def place(self, node: int) -> int:
        """Return how many siblings stand before a node."""
        return bisect_left(self.children_of(self.parent[node]), node)

    def ancestors(self, node: int) -> Iterator[int]:
        """Yield the ancestors of a node from its parent up to the root."""
        node = self.parent[node]
        while node != NO_NODE:
            yield node
            node = self.parent[node]

    def descendants(self, node: int) -> range:
        """Return the numbers of all nodes below a node."""
        return range(node + 1, self.after[node])

    def leaf_before(self, node: int) -> int:
        """Return the leaf that ends before a node begins, or NO_NODE."""
        at = self.leaves_before[node]
        return self.leaves[at - 1] if at else NO_NODE

    def leaf_behind(self, node: int) -> int:
        """Return the leaf that begins behind a node, or NO_NODE."""
        behind = self.after[node]
        return self.leaves[self.leaves_before[behind]] if behind < len(self.kind) else NO_NODE

    def depth(self, node: int) -> int:
        """Return how many ancestors a node has."""
        return sum(1 for _ in self.ancestors(node))
