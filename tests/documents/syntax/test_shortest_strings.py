"""The shortest strings of grammars and of regular expressions."""

from __future__ import annotations

import re
from collections import deque

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from minrepro.documents.syntax.shortest_strings import minimal_strings, shortest_match, stand_ins, underivable

SYMBOLS = ("A", "B", "C", "a", "b", "(")
TERMINALS = {symbol: symbol for symbol in SYMBOLS if not symbol.isupper()}

grammars = st.fixed_dictionaries(
    {name: st.lists(st.lists(st.sampled_from(SYMBOLS), max_size=4), min_size=1, max_size=3) for name in "ABC"}
)


def searched(productions: dict[str, list[list[str]]], start: str, longest: int) -> int | None:
    """Return the length of a shortest string by trying all leftmost derivations in the order of their length."""
    waiting: deque[tuple[str, ...]] = deque([(start,)])
    seen: set[tuple[str, ...]] = {(start,)}
    best: int | None = None
    while waiting:
        form = waiting.popleft()
        at = next((i for i, symbol in enumerate(form) if symbol.isupper()), None)
        if at is None:
            best = len(form) if best is None else min(best, len(form))
            continue
        for body in productions[form[at]]:
            derived = (*form[:at], *body, *form[at + 1 :])
            if len(derived) <= longest and derived not in seen:
                seen.add(derived)
                waiting.append(derived)
    return best


@given(grammars)
@settings(deadline=None, max_examples=120)
def test_no_string_is_longer_than_one_that_an_exhaustive_search_finds(productions: dict[str, list[list[str]]]) -> None:
    shortest = minimal_strings(productions, TERMINALS)
    for symbol in productions:
        found = searched(productions, symbol, 5)
        if found is not None:
            assert len(shortest[symbol]) <= found


@given(grammars)
@settings(deadline=None, max_examples=60)
def test_who_has_no_string_derives_none(productions: dict[str, list[list[str]]]) -> None:
    shortest = minimal_strings(productions, TERMINALS)
    for symbol in underivable(productions, shortest):
        assert all(any(part not in shortest for part in body) for body in productions[symbol])


def test_a_long_way_round_is_followed_to_its_end() -> None:
    productions = {f"n{i}": [[f"n{i + 1}"], ["x"] * 50] for i in range(40)} | {"n40": [["x"]]}
    assert minimal_strings(productions, {"x": "x"})["n0"] == ("x",)


def test_a_sum_is_stood_in_for_by_the_shortest_expression() -> None:
    productions = {"expression": [["sum"], ["number"]], "sum": [["expression", "+", "expression"]], "number": [["0"]]}
    shortest = minimal_strings(productions, {"+": "+", "0": "0"})
    assert stand_ins(productions, shortest)["sum"][0] == ("0",)


@pytest.mark.parametrize(
    ("pattern", "length"),
    [
        (r"[a-z_]\w*", 1),
        (r"\d+(\.\d+)?", 1),
        (r'"([^"\\]|\\.)*"', 2),
        (r"(foo|x|barbar){2}", 2),
        (r"0[xX][0-9a-f]{2,}", 4),
        (r"(?:a|bb)+?c", 2),
        (r"[^a0]", 1),
        (r"", 0),
        (r"(a|b)\1", 2),
    ],
)
def test_the_shortest_match_of_a_pattern_matches_it(pattern: str, length: int) -> None:
    found = shortest_match(pattern)
    assert found is not None
    assert re.fullmatch(pattern, found)
    assert len(found) == length


@pytest.mark.parametrize("pattern", [r"a(?=b)", r"(?<!x)(?!0)[0]", "(", r"[b-a]"])
def test_a_pattern_that_cannot_be_told_is_not_guessed(pattern: str) -> None:
    assert shortest_match(pattern) is None
