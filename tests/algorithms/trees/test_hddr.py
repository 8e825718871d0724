"""HDDr: one node's children at a time, in four orders."""

from __future__ import annotations

from typing import get_args

import pytest

from minrepro.algorithms.trees.hddr import Traversal, hddr
from minrepro.core.edits import Cuts
from minrepro.core.search import solve
from minrepro.core.verdicts import Outcome
from minrepro.documents.syntax.open_tree import open_tree

TEXT = b'{"a": [1, 2, 3], "b": [4, 5, 6]}'


def run(traversal: Traversal) -> tuple[bytes, list[bytes]]:
    document = open_tree(TEXT, "json")
    cases: list[bytes] = []

    def test(cuts: Cuts) -> Outcome:
        cases.append(document.render(cuts))
        return Outcome.FAIL if b"2" in cases[-1] and b"5" in cases[-1] else Outcome.PASS

    return document.render(solve(hddr(document, traversal=traversal), test)), cases


@pytest.mark.parametrize("traversal", get_args(Traversal))
def test_every_order_comes_to_the_same_two_numbers(traversal: Traversal) -> None:
    result, _ = run(traversal)
    assert [digit for digit in result.decode() if digit.isdigit() and digit != "0"] == ["2", "5"]


@pytest.mark.parametrize(
    ("traversal", "first"), [("depth first", "a"), ("depth first reversed", "b"), ("breadth first reversed", "b")]
)
def test_the_order_decides_which_list_is_looked_into_first(traversal: Traversal, first: str) -> None:
    _, cases = run(traversal)

    def shrinks(numbers: str) -> int:
        """Return when some numbers go while both of the needed ones are still there."""
        return next(
            i
            for i, case in enumerate(map(bytes.decode, cases))
            if all(number in case for number in "25") and not all(number in case for number in numbers)
        )

    assert (shrinks("13") < shrinks("46")) is (first == "a")
