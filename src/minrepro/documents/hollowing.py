"""What is left of a node whose brackets are emptied: it keeps its name and its place, and refers to nothing else.

Where the parts of a document refer to each other, hardly any may go while the others are there; emptied they may.
"""

from __future__ import annotations

from minrepro.documents.tree import Tree
from minrepro.edits import Cut

_BRACKETS = {b"{": b"}", b"[": b"]", b"(": b")"}


def hollow(tree: Tree, node: int) -> list[Cut]:
    """Return the cuts that empty the outermost brackets of a node."""
    cuts: list[Cut] = []
    part, behind = node, tree.after[node]
    while part < behind:
        if tree.is_leaf(part):
            part += 1
            continue
        children = tree.children_of(part)
        first, last = children[0], children[-1]
        if len(children) > 2 and _BRACKETS.get(tree.text(first)) == tree.text(last):
            cuts.append(Cut(tree.end[first], tree.start[last]))
            part = tree.after[part]
        else:
            part += 1
    return cuts
