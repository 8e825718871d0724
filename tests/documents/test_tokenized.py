"""The leaves of a text as a list."""

from __future__ import annotations

from minrepro.algorithms.lists.ddmin import ddmin
from minrepro.core.search import embed, solve
from minrepro.core.verdicts import Outcome
from minrepro.documents.tokenized import tokens


def test_all_tokens_are_the_text_itself() -> None:
    text = b"int  x = f(1,2) ; // end\n"
    document = tokens(text, "c")
    assert document.render(range(len(document))) == text
    assert document.render(()).strip() == b""


def test_tokens_that_meet_stay_two() -> None:
    document = tokens(b"a + b ++c", "c")
    assert document.render([0, 2]) == b"a b"
    kept = document.render([1, 3])
    assert kept.split() == [b"+", b"++"]


def test_without_a_grammar_words_and_signs_are_tokens() -> None:
    document = tokens(b"key: [a1, b2]")
    assert len(document) == 7
    assert document.render([0, 1, 3]) == b"key:a1"


def test_a_list_minimiser_reduces_tokens() -> None:
    document = tokens(b"x = alpha + beta * gamma ;", "c")

    def fails(case: bytes) -> Outcome:
        return Outcome.FAIL if b"beta" in case and b";" in case else Outcome.PASS

    kept = solve(embed(ddmin(range(len(document))), into=document.render), fails)
    assert document.render(kept) == b"beta ;"
