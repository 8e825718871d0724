"""Hierarchical delta debugging, level by level."""

from __future__ import annotations

import math

from minrepro.algorithms.algorithm_registry import list_minimizer
from minrepro.algorithms.trees.hdd import coarse_hdd, hdd, hdd_plus, hdd_star, minimize_nodes
from minrepro.algorithms.trees.tree_registry import reduce_tree, tree_minimizer
from minrepro.core.edits import NONE, Cuts
from minrepro.core.search import Reduction, solve
from minrepro.core.verdicts import Outcome
from minrepro.documents.syntax.open_tree import open_tree
from minrepro.documents.syntax.tree_document import TreeDocument
from minrepro.settings import DdminOptions

PROGRAM = b"int f(int a) { int b = a + 1; return b; }\nint g(void) { return 7; }\n"


def reduced(reduction: Reduction[Cuts], document: TreeDocument, *needed: bytes) -> tuple[bytes, list[bytes]]:
    cases: list[bytes] = []

    def test(cuts: Cuts) -> Outcome:
        cases.append(document.render(cuts))
        return Outcome.FAIL if all(word in cases[-1] for word in needed) else Outcome.PASS

    return document.render(solve(reduction, test)), cases


def test_a_level_that_may_go_as_a_whole_costs_one_test() -> None:
    document = open_tree(PROGRAM, "c")
    result, cases = reduced(hdd(document), document)
    assert result.strip() == b""
    assert len(cases) == 1


def test_upper_levels_are_decided_before_lower_ones() -> None:
    document = open_tree(PROGRAM, "c")
    result, cases = reduced(hdd(document), document, b"return 7")
    assert b"f(" not in result
    gone = next(i for i, case in enumerate(cases) if b"f(" not in case and b"return 7" in case)
    assert all(b"f(" not in case for case in cases[gone:] if b"return 7" in case)


def test_coarse_hdd_replaces_nothing() -> None:
    document = open_tree(b"x = [1, 2, f(3, 4)];", "javascript")
    _, cases = reduced(coarse_hdd(document), document, b"[1")
    assert not any(b"0" in case for case in cases)


def test_the_thorough_variants_leave_no_more_than_the_greedy_one() -> None:
    document = open_tree(PROGRAM, "c")
    greedy, _ = reduced(hdd(document), document, b"b = a", b"7")
    for thorough in (hdd_plus, hdd_star):
        document = open_tree(PROGRAM, "c")
        assert len(reduced(thorough(document), document, b"b = a", b"7")[0]) <= len(greedy)


def test_without_nodes_nothing_is_tested() -> None:
    document = open_tree(b"[1]", "json")

    def never(units: object) -> Reduction[tuple[int, ...]]:
        raise AssertionError(units)

    result, cases = reduced(minimize_nodes(document, (), NONE, never, ""), document)
    assert (result, cases) == (b"[1]", [])


def test_every_option_of_ddmin_is_for_hdd_too() -> None:
    text = b"".join(b"f(%d);\n" % number for number in range(40))
    counts = {}
    for factor in (2, 4, math.inf):
        minimize = list_minimizer("ddmin", DdminOptions(factor=factor, reduce="complements only"))
        seen: set[bytes] = set()

        def test(case: bytes, seen: set[bytes] = seen) -> Outcome:
            seen.add(case)
            return Outcome.FAIL if b"f(17);" in case and b"f(31);" in case else Outcome.PASS

        result = solve(reduce_tree(open_tree(text, "c"), tree_minimizer("hdd", minimize)), test)
        assert result.split() == [b"f(17);", b"f(31);"]
        counts[factor] = len(seen)
    assert len(set(counts.values())) == 3, counts
