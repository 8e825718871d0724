"""Hoisting as a search."""

from __future__ import annotations

from minrepro.algorithms.trees.hoisting import drops_only_what_cannot_go_alone, hdd_with_hoisting, hoist
from minrepro.core.edits import NONE, Cuts
from minrepro.core.search import Reduction, solve
from minrepro.core.verdicts import Outcome
from minrepro.documents.syntax.hoist_candidates import hoists
from minrepro.documents.syntax.open_tree import open_tree
from minrepro.documents.syntax.tree_document import TreeDocument


def reduced(document: TreeDocument, reduction: Reduction[Cuts], needed: bytes) -> Cuts:
    return solve(reduction, lambda cuts: Outcome.FAIL if needed in document.render(cuts) else Outcome.PASS)


def test_a_nested_array_becomes_its_innermost_part() -> None:
    document = open_tree(b"[[[[5]]]]", "json")
    assert document.render(reduced(document, hoist(document, NONE), b"5")) == b"5"


def test_brackets_around_an_expression_go() -> None:
    document = open_tree(b"x = ((a + b));", "javascript")
    result = document.render(reduced(document, hdd_with_hoisting(document), b"a + b"))
    assert b"(" not in result


def test_in_the_end_no_single_hoist_is_possible() -> None:
    document = open_tree(b'{"a": {"b": [1, {"c": [2]}]}}', "json")
    cuts = reduced(document, hdd_with_hoisting(document), b"2")
    left = [node for node in range(1, len(document.tree)) if document.is_alive(node, cuts)]
    options = [option for node in left for option in hoists(document, node, cuts)]
    assert not any(b"2" in document.render(option.cuts) for option in options)


def test_a_hoist_that_drops_what_could_go_alone_promises_little() -> None:
    document = open_tree(b'{"a": {"b": 1}}', "json")
    inner = next(node for node in range(len(document.tree)) if document.tree.text(node) == b'{"b": 1}')
    first = next(node for node in range(1, len(document.tree)) if document.tree.text(node) == b'{"a": {"b": 1}}')
    shorter = next(option for option in hoists(document, first, NONE) if document.render(option.cuts) == b'{"b": 1}')
    assert not drops_only_what_cannot_go_alone(document, first, NONE, shorter)
    named = document.without([document.tree.children_of(document.tree.parent[inner])[0]], NONE)
    again = next(option for option in hoists(document, first, named) if document.render(option.cuts) == b'{"b": 1}')
    assert drops_only_what_cannot_go_alone(document, first, named, again)
