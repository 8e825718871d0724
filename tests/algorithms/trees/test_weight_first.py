"""The searches that take the heaviest node first."""

from __future__ import annotations

from minrepro.algorithms.trees.weight_first import Heaviest, pardis, perses
from minrepro.core.edits import Cuts
from minrepro.core.search import solve
from minrepro.core.verdicts import Outcome
from minrepro.documents.syntax.open_tree import open_tree

TEXT = b"void s(void) { a(); }\nvoid l(void) { a(1); b(2, 3); c(4, 5, 6); d(7); }\nvoid m(void) { needed(); e(); }\n"


def node_of(text: bytes) -> tuple[Heaviest, int, int]:
    document = open_tree(b"[[1, 2, 3], [4]]", "json")
    tree = document.tree
    nodes = {tree.text(node): node for node in range(len(tree))}
    return Heaviest(tree, (nodes[b"[4]"], nodes[text])), nodes[b"[4]"], nodes[text]


def test_the_heaviest_node_is_taken_first() -> None:
    waiting, light, heavy = node_of(b"[1, 2, 3]")
    assert list(waiting.in_order()) == [heavy, light]
    assert [waiting.take(), waiting.take()] == [heavy, light]
    assert not waiting


def test_what_waits_later_is_taken_by_its_weight_too() -> None:
    waiting, light, heavy = node_of(b"4")
    waiting.add([heavy - 1])
    taken = [waiting.take() for _ in range(3)]
    assert taken[0] == light


def test_pardis_tries_the_heaviest_function_before_a_lighter_one() -> None:
    document = open_tree(TEXT, "c")
    cases: list[bytes] = []

    def test(cuts: Cuts) -> Outcome:
        cases.append(document.render(cuts))
        return Outcome.FAIL if b"needed" in cases[-1] else Outcome.PASS

    result = document.render(solve(pardis(document), test))
    without_heavy = next(i for i, case in enumerate(cases) if b" l(" not in case)
    without_light = next(i for i, case in enumerate(cases) if b" s(" not in case)
    assert without_heavy < without_light
    assert b"needed" in result
    assert b" l(" not in result


def test_perses_lets_a_node_become_a_part_of_itself() -> None:
    document = open_tree(b"x = (((needed)));", "javascript")

    def test(cuts: Cuts) -> Outcome:
        return Outcome.FAIL if b"needed" in document.render(cuts) else Outcome.PASS

    assert b"(" not in document.render(solve(perses(document), test))
