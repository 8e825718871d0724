"""Orphans: a part goes together with what only it used, because a strict compiler refuses an import that nobody needs.

It knows no language. Where all but one of the places that mention a name lie in a part, and the one stands where a
grammar has names that are new, it goes with the part. What only this definition used goes as well, and so on.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left
from functools import partial
from itertools import islice

from minrepro.core.edits import Cuts, unite
from minrepro.core.units import Unit
from minrepro.documents.snapshot import Snapshot
from minrepro.documents.syntax.name_index import mentions
from minrepro.documents.syntax.tree import NO_NODE, ROOT, Tree
from minrepro.documents.syntax.tree_document import TreeDocument
from minrepro.passes.subtrees import DEFINING

_MOST_ORPHANS = 12
_BROUGHT = re.compile(r"import|include|require|use_|using")
"""What the nodes are called that bring names from elsewhere, and how far above a name they stand."""
_ABOVE = 5


def orphans(subject: Snapshot) -> list[list[Unit]]:
    """Propose for each part that is the only user of something to go together with that, the largest parts first."""
    document = subject.document
    if document is None or subject.is_large:
        return []
    places_of = {name: places for name, places in mentions(document.tree).items() if len(places) > 1}
    parts: dict[int, list[int]] = {}
    for places in places_of.values():
        for part, definition in _only_users(document, places):
            parts.setdefault(part, []).append(definition)
    proposed: dict[int, Cuts] = {}
    names_in = _names_in_leaves(places_of)
    for part, definitions in parts.items():
        removed = _with_orphans(document, places_of, names_in, part, definitions)
        proposed[part] = unite(*(document.without([node]) for node in removed))
    return _lists_between(document.tree, proposed, sorted(proposed), ROOT)


def _lists_between(tree: Tree, proposed: dict[int, Cuts], parts: list[int], above: int) -> list[list[Unit]]:
    """Return the outermost of some parts below a node as a list, each with those inside it below."""
    units = []
    at = bisect_left(parts, above + 1)
    while at < len(parts) and parts[at] < tree.after[above]:
        part = parts[at]
        below = partial(_lists_between, tree, proposed, parts, part)
        units.append(Unit((proposed[part],), tree.weight(part), below))
        at = bisect_left(parts, tree.after[part])
    return [units] if units else []


def _names_in_leaves(places_of: dict[bytes, array[int]]) -> dict[int, list[bytes]]:
    names: dict[int, list[bytes]] = {}
    for name, leaves in places_of.items():
        for leaf in leaves:
            names.setdefault(leaf, []).append(name)
    return names


def _only_users(document: TreeDocument, places: array[int]) -> list[tuple[int, int]]:
    """Return each part that may go and has all places but the definition, which is the first or last, with that."""
    tree = document.tree
    found = []
    for alone, first, last in ((places[0], places[1], places[-1]), (places[-1], places[0], places[-2])):
        definition = _definition(document, alone)
        if definition == NO_NODE:
            continue
        for part in (first, *tree.ancestors(first)):
            if part == ROOT or _holds(tree, part, alone):
                break
            # Within the definition the part goes with it anyway, and what holds the definition is no orphan's user.
            apart = not _holds(tree, definition, part) and not _holds(tree, part, definition)
            if apart and _holds(tree, part, last) and document.removable(part):
                found.append((part, definition))
    return found


def _definition(document: TreeDocument, leaf: int) -> int:
    """Return the smallest part around a name that may go and leaves nothing behind, or NO_NODE if it is no new one."""
    tree = document.tree
    if not _is_new(tree, leaf):
        return NO_NODE
    around = (node for node in (leaf, *tree.ancestors(leaf)) if node != ROOT and not _is_quoted(tree, node))
    return next((node for node in around if document.vanishes(node)), NO_NODE)


def _is_new(tree: Tree, leaf: int) -> bool:
    """Tell whether a leaf stands where a name is new."""
    if tree.field_name(leaf) in DEFINING or tree.field_name(tree.parent[leaf]) in DEFINING:
        return True
    return any(_BROUGHT.search(tree.name(node)) for node in islice(tree.ancestors(leaf), _ABOVE))


def _is_quoted(tree: Tree, node: int) -> bool:
    """Tell whether a node is what stands between quotation marks: without it they would be left."""
    before, behind = tree.data[tree.start[node] - 1 : tree.start[node]], tree.data[tree.end[node] : tree.end[node] + 1]
    return before == behind and before in (b'"', b"'", b"`")


def _holds(tree: Tree, node: int, other: int) -> bool:
    return node <= other < tree.after[node]


def _with_orphans(
    document: TreeDocument,
    places_of: dict[bytes, array[int]],
    names_in: dict[int, list[bytes]],
    part: int,
    definitions: list[int],
) -> list[int]:
    """Return a part, the definitions that only it uses, those that only these use, and so on."""
    tree = document.tree
    removed = list(dict.fromkeys((part, *definitions)))
    looked_at = 1
    while looked_at < len(removed) <= _MOST_ORPHANS:
        definition = removed[looked_at]
        looked_at += 1
        names = {name for leaf in range(definition, tree.after[definition]) for name in names_in.get(leaf, ())}
        for name in sorted(names):
            places = places_of[name]
            left = [leaf for leaf in places if not any(_holds(tree, node, leaf) for node in removed)]
            if len(left) == 1:
                orphan = _definition(document, left[0])
                if orphan != NO_NODE and not any(_holds(tree, orphan, node) for node in removed):
                    removed.append(orphan)
    return removed
