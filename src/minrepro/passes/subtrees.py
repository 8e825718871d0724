"""Subtrees: the parts of a tree that may go by its grammar, from the top down, each list by group testing."""

from __future__ import annotations

from array import array
from functools import partial

from minrepro.documents.spacing import with_space
from minrepro.documents.tree import NO_NODE, ROOT, Mark
from minrepro.documents.treedocument import TreeDocument
from minrepro.edits import Cut, Cuts, unite
from minrepro.plan import Unit
from minrepro.subject import Subject


def subtrees(subject: Subject) -> list[list[Unit]]:
    """Propose to delete the subtrees below the root."""
    document = subject.document
    return _lists_below(subject, document, ROOT) if document is not None else []


def _lists_below(subject: Subject, document: TreeDocument, node: int) -> list[list[Unit]]:
    """Return the children of a node that may go as one list; what may not go is replaced by what is below it."""
    tree = document.tree
    lists: list[list[Unit]] = []
    stack = [node]
    while stack:
        parent = stack.pop()
        spans = _element_spans(subject, document, parent)
        units: list[Unit] = []
        for child in tree.children(parent):
            if not tree.size(child) or (not tree.is_named(child) and tree.is_leaf(child)):
                continue
            cuts = (spans[child],) if child in spans else document.without([child])
            if cuts and document.removable(child):
                below = None if tree.is_leaf(child) else partial(_lists_below, subject, document, child)
                units.append(Unit((cuts,), tree.weight(child), below))
            elif not tree.is_leaf(child):
                stack.append(child)
        if units:
            lists.append(units)
    return lists


def _element_spans(subject: Subject, document: TreeDocument, parent: int) -> dict[int, Cut]:
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


def comments(subject: Subject) -> list[list[Unit]]:
    """Propose to delete comments, all of them at first."""
    document = subject.document
    if document is None:
        return []
    tree = document.tree
    found = [n for n in range(1, len(tree)) if tree.marks[n] & Mark.EXTRA and tree.is_named(n) and tree.size(n)]
    cuts: list[Cuts] = [unite([with_space(tree, node)]) for node in found]
    return [[Unit((cut,)) for cut in cuts]] if cuts else []
