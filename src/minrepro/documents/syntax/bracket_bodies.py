"""What is left of a node whose brackets are emptied: it keeps its name and its place, and refers to nothing else.

Where the parts of a document refer to each other, hardly any may go while the others are there; emptied they may.
"""

from __future__ import annotations

from collections.abc import Sequence

from minrepro.core.edits import Cut
from minrepro.documents.syntax.tree import Tree

_BRACKETS = {b"{": b"}", b"[": b"]", b"(": b")", b"begin": b"end", b"do": b"end"}


def inner_parts(tree: Tree, node: int) -> Sequence[int]:
    """Return the children of a node that stand between brackets which are its first and its last child."""
    children = tree.children_of(node)
    if len(children) > 2 and _BRACKETS.get(tree.text(children[0])) == tree.text(children[-1]):
        return children[1:-1]
    return ()


def bracket_body_cuts(tree: Tree, node: int) -> list[Cut]:
    """Return the cuts that empty the outermost brackets of a node."""
    cuts: list[Cut] = []
    part, behind = node, tree.after[node]
    while part < behind:
        if not tree.is_leaf(part) and inner_parts(tree, part):
            first, *_, last = tree.children_of(part)
            cuts.append(Cut(tree.end[first], tree.start[last]))
            part = tree.after[part]
        else:
            part += 1
    return cuts
