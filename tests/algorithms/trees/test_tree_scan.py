"""The scan that decides which parts of a tree to try next."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from minrepro.algorithms.trees.tree_scan import TreeScan
from minrepro.core.edits import NONE
from minrepro.documents.syntax.name_index import Names
from minrepro.documents.syntax.open_tree import open_tree


def scanned(text: bytes, language: str, fails: Callable[[bytes], bool]) -> tuple[bytes, list[bytes]]:
    """Return what a scan leaves, and what it proposed."""
    document = open_tree(text, language)
    scan = TreeScan.of(document, Names(document.tree))
    proposed: list[bytes] = []
    while (cuts := scan.proposal()) is not None:
        proposed.append(document.render(cuts))
        scan = scan.accepted() if fails(proposed[-1]) else scan.refused()
    return document.render(scan.config), proposed


def test_a_scan_of_which_nothing_is_accepted_leaves_everything() -> None:
    text = b'{"a": [1, 2, {"b": [3]}], "c": "d"}'
    result, proposed = scanned(text, "json", lambda case: False)
    assert result == text
    assert b'{"a": [1, 2, {"b": [3]}]}' in proposed


def test_the_begin_of_a_scan_cuts_nothing() -> None:
    document = open_tree(b"[1, 2]", "json")
    scan = TreeScan.of(document, None)
    assert scan.config == NONE
    assert scan.proposal() is not None


@pytest.mark.parametrize(("needed", "most"), [((31,), 13), ((31, 140), 23), ((3, 77, 140), 31)])
def test_what_halving_leaves_undecided_is_tried_as_one_list_again(needed: tuple[int, ...], most: int) -> None:
    text = json.dumps([f"w{i}" for i in range(200)]).encode()
    _, proposed = scanned(text, "json", lambda case: all(b'"w%d"' % i in case for i in needed))
    assert len(set(proposed)) <= most


def test_the_levels_of_a_nest_go_before_what_is_inside_of_them() -> None:
    text = b"[0, " * 9 + b"7" + b"]" * 9
    result, proposed = scanned(text, "json", lambda case: b"7" in case)
    assert b"7" in result
    assert len(result) < 12
    assert proposed[1].count(b"[") < 9


def test_nests_of_which_all_levels_are_needed_are_left_alone() -> None:
    text = b"[" * 9 + b"7" + b"]" * 9
    result, proposed = scanned(text, "json", lambda case: case == text)
    assert result == text
    assert len(set(proposed)) < 40
