"""Subtrees: the parts of a tree that may go by its grammar, from the top down, each list by group testing."""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left
from collections.abc import Iterator
from functools import partial

from minrepro.core.edits import Cut, Cuts, unite
from minrepro.core.units import Unit
from minrepro.documents.snapshot import Snapshot
from minrepro.documents.syntax.spacing import with_space
from minrepro.documents.syntax.tree import NO_NODE, ROOT, Mark, Tree
from minrepro.documents.syntax.tree_document import TreeDocument


def subtrees(subject: Snapshot) -> list[list[Unit]]:
    """Propose to delete the subtrees below the root."""
    document = subject.document
    if document is None:
        return []
    return _lists_below(subject, document, Hints(document.tree), ROOT)


_HEAVY = 2
"""A part that has more than one in so many of all leaves is not tried as a whole."""

_INNER = re.compile(r"body|block|compound|suite|parameter|argument|consequence|alternative")
"""What the parts of a node are called whose names mean nothing outside."""


DEFINING = frozenset({"name", "declarator", "left", "alias", "pattern"})
"""What the parts of a node are called that give something its name."""


class Hints:
    """Which names a part of a tree brings up for others, and which it mentions."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._names: dict[int, bytes] = {}
        self._first: dict[bytes, int] = {}
        identifiers = frozenset(kind for kind, name in enumerate(tree.kinds) if "identifier" in name)
        self._inner_kinds = frozenset(kind for kind, name in enumerate(tree.kinds) if _INNER.search(name))
        self._defining_fields = frozenset(field for field, name in enumerate(tree.fields) if name in DEFINING)
        self._inner_fields = frozenset(field for field, name in enumerate(tree.fields) if _INNER.search(name))
        # Most leaves have no name: where a deep nest is asked about level by level, those must not be looked at again.
        self._named_leaves: list[int] = []
        for place, leaf in enumerate(tree.leaves):
            if tree.kind[leaf] in identifiers:
                name = self._names[leaf] = tree.text(leaf)
                self._first.setdefault(name, leaf)
                if name:
                    self._named_leaves.append(place)

    def of(self, node: int) -> tuple[frozenset[bytes], frozenset[bytes]]:
        """Return the names that the head of a node brings up, and the others that the node mentions."""
        tree = self._tree
        begin = tree.leaves_before[node]
        first, last = (bisect_left(self._named_leaves, place) for place in (begin, begin + tree.weight(node)))
        mentioned = {self._names[tree.leaves[place]] for place in self._named_leaves[first:last]}
        own = frozenset(self._brought_up(node)) if mentioned else frozenset()
        return own, frozenset(mentioned) - own

    def _brought_up(self, node: int) -> Iterator[bytes]:
        tree = self._tree
        stack = [node]
        while stack:
            part = stack.pop()
            name = self._names.get(part)
            if name is not None and (self._first[name] == part or tree.field[part] in self._defining_fields):
                yield name
            stack += [
                child
                for child in tree.children(part)
                if tree.kind[child] not in self._inner_kinds and tree.field[child] not in self._inner_fields
            ]


def _lists_below(subject: Snapshot, document: TreeDocument, hints: Hints, node: int) -> list[list[Unit]]:
    """Return what may go below a node as one list, in the order of the document.

    What may not go, and what is so heavy that it hardly will, is opened: its parts stand in its place.
    """
    tree = document.tree
    heavy = tree.weight(ROOT) / _HEAVY
    units: list[Unit] = []
    stack = [_Opened(subject, document, node)]
    while stack:
        opened = stack[-1]
        child = next(opened.children, None)
        if child is None:
            stack.pop()
            continue
        if not tree.size(child) or (not tree.is_named(child) and tree.is_leaf(child)):
            continue
        if opened.may_go(child) and (tree.weight(child) <= heavy or tree.is_leaf(child)):
            below = None if tree.is_leaf(child) else partial(_lists_below, subject, document, hints, child)
            cuts = opened.cuts(child)
            units.append(Unit((cuts,), tree.weight(child), below, *hints.of(child), family=tree.kind[node]))
        elif not tree.is_leaf(child):
            stack.append(_Opened(subject, document, child))
    return [units] if units else []


class _Opened:
    """A node whose children are looked at one by one."""

    def __init__(self, subject: Snapshot, document: TreeDocument, node: int) -> None:
        tree = document.tree
        self._document = document
        self._spans = _element_spans(subject, document, node)
        # It is cheaper to guess what may go, and let the tests find out, than to ask about very many parts.
        self._guessed = _is_list_like(tree, node) if subject.is_large else None
        self.children = tree.children(node)

    def may_go(self, child: int) -> bool:
        """Tell whether a child may go: by the parser, or by a guess where asking takes too long."""
        return self._guessed if self._guessed is not None else self._document.removable(child)

    def cuts(self, child: int) -> Cuts:
        """Return what it takes to remove a child."""
        if child in self._spans:
            return (self._spans[child],)
        return self._document.without([child]) if self._guessed is None else (with_space(self._document.tree, child),)


def _is_list_like(tree: Tree, parent: int) -> bool:
    """Guess whether the children of a node are a list any of which may go: several are of one kind."""
    kinds = [tree.kind[child] for child in tree.children(parent) if tree.is_named(child)]
    return len(kinds) > len(set(kinds)) or parent == ROOT


def _element_spans(subject: Snapshot, document: TreeDocument, parent: int) -> dict[int, Cut]:
    """Return the cut of each element of a separated list: with the separator, up to the next element.

    Where the last element goes, a separator is left behind the one that is then the last: the subject repairs that.
    """
    separated = document.separated(parent)
    if separated is None or separated.leading:
        return {}
    tree, elements = document.tree, separated.elements
    spans: dict[int, Cut] = {}
    for i, element in enumerate(elements):
        separator = separated.separators[i]
        if i + 1 < len(elements):
            spans[element] = Cut(tree.start[element], tree.start[elements[i + 1]])
        elif separator != NO_NODE:
            spans[element] = Cut(tree.start[element], tree.end[separator])
        else:
            spans[element] = Cut(tree.start[element], tree.end[element])
            starts = array("L", (tree.start[e] for e in elements))
            ends = array("L", (tree.end[e] for e in elements))
            subject.list_ends[tree.end[element]] = (starts, ends)
    return spans


def comments(subject: Snapshot) -> list[list[Unit]]:
    """Propose to delete comments, all of them at first."""
    document = subject.document
    if document is None:
        return []
    tree = document.tree
    found = [n for n in range(1, len(tree)) if tree.marks[n] & Mark.EXTRA and tree.is_named(n) and tree.size(n)]
    cuts: list[Cuts] = [unite([with_space(tree, node)]) for node in found]
    return [[Unit((cut,)) for cut in cuts]] if cuts else []
