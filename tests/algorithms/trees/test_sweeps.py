"""Single steps in rounds."""

from __future__ import annotations

from minrepro.algorithms.trees.sweeps import breadth_first, last_first, rounds, sweep
from minrepro.core.edits import NONE, Cuts
from minrepro.core.search import Reduction, solve
from minrepro.core.verdicts import Outcome
from minrepro.documents.syntax.open_tree import open_tree
from minrepro.documents.syntax.tree_document import TreeDocument


def reduced(reduction: Reduction[Cuts], document: TreeDocument, needed: bytes) -> bytes:
    return document.render(
        solve(reduction, lambda cuts: Outcome.FAIL if needed in document.render(cuts) else Outcome.PASS)
    )


def test_a_sweep_tries_every_single_node_until_none_goes() -> None:
    document = open_tree(b"[1, 2, [3, 4]]", "json")
    for order in (breadth_first, last_first):
        assert reduced(sweep(document, NONE, order), document, b"3").replace(b" ", b"") in (b"[[3]]", b"[3]")


def test_nodes_come_level_by_level_without_what_is_cut() -> None:
    document = open_tree(b"[1, [2]]", "json")
    names = [document.tree.text(node) for node in breadth_first(document, NONE)]
    assert names.index(b"1") < names.index(b"2")
    inner = next(node for node in breadth_first(document, NONE) if document.tree.text(node) == b"[2]")
    assert b"2" not in [document.tree.text(node) for node in breadth_first(document, document.without([inner]))]


def test_nodes_come_from_the_end_to_the_begin() -> None:
    document = open_tree(b"[1, [2]]", "json")
    nodes = list(last_first(document, NONE))
    ends = [document.tree.end[node] for node in nodes]
    assert ends == sorted(ends, reverse=True)
    assert all(nodes.index(document.tree.parent[node]) < nodes.index(node) for node in nodes[1:])


def test_a_step_that_changes_nothing_is_not_tried() -> None:
    document = open_tree(b"[1]", "json")
    assert reduced(rounds(document, NONE, lambda document, node, cuts: [cuts], breadth_first, ""), document, b"1")
