"""Differences between two texts by their tokens and by their subtrees."""

from __future__ import annotations

import random

import pytest

from minrepro.core.search import solve
from minrepro.core.verdicts import Outcome
from minrepro.documents.syntax.bundled_grammars import grammar
from minrepro.documents.syntax.tree_differences import TokenChanges, TreeChanges
from minrepro.targets.difference import ChangeList, isolate_changes

GOOD = b"int f(int a, int b) {\n  a = 1;\n  return a + b;\n}\nint unused;\n"
BAD = b"int f(int a, long b, int c) {\n  a = 2; g(a);\n  while (c) { a = b / 0; }\n  return a+b;\n}\n"


def changes(units: str, good: bytes = GOOD, bad: bytes = BAD) -> ChangeList:
    known = grammar("c")
    trees = known.tree(good), known.tree(bad)
    return TreeChanges(*trees) if units == "tree" else TokenChanges(*trees, known.join)


@pytest.mark.parametrize("units", ["tree", "tokens"])
def test_no_changes_give_the_one_text_and_all_changes_the_other(units: str) -> None:
    found = changes(units)
    assert (found.render(()), found.render(range(len(found)))) == (GOOD, BAD)


@pytest.mark.parametrize("units", ["tree", "tokens"])
def test_all_changes_give_the_other_text_for_any_two_texts(units: str) -> None:
    rng = random.Random(7)
    pieces = [b"int a;\n", b"f(1, 2);", b" x = (y + 3);\n", b"if (a) { b(); }", b"\n\n", b"}", b"/* c */", b"g();"]
    for _ in range(200):
        good, bad = (b"".join(rng.choices(pieces, k=rng.randint(0, 6))) for _ in range(2))
        found = changes(units, good, bad)
        assert (found.render(()), found.render(range(len(found)))) == (good, bad)


def test_the_smallest_difference_is_a_subtree() -> None:
    def fails(case: bytes) -> Outcome:
        if grammar("c").badness(case)[0]:
            return Outcome.UNRESOLVED
        return Outcome.FAIL if b"/ 0" in case else Outcome.PASS

    found = changes("tree")
    passing, failing = solve(isolate_changes(found), fails)
    assert (fails(passing), fails(failing)) == (Outcome.PASS, Outcome.FAIL)
    assert failing.replace(b"  while (c) { a = b / 0; }\n", b"") == passing or len(failing) - len(passing) == 27


def test_tokens_that_come_together_are_kept_apart() -> None:
    found = changes("tokens", b"int a(b);", b"int x(c)y;")
    texts = {found.render([number]) for number in range(len(found))}
    assert all(b"inta" not in text and b"ax" not in text for text in texts), texts
