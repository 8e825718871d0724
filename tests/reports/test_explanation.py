"""Explanations, each claim of which must hold."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

import pytest

from minrepro.core.edits import apply
from minrepro.core.verdicts import Outcome, Verdict
from minrepro.engine.tester import Tester
from minrepro.executors.inline import Inline
from minrepro.oracles.function import FunctionOracle
from minrepro.reports.explanation import Explanation, asking, explain

Judge = Callable[[bytes], Outcome]


def explained(content: bytes, language: str | None, judge: Judge) -> Explanation:
    def ask(cases: Sequence[bytes]) -> list[Verdict]:
        return [Verdict(judge(case)) for case in cases]

    return explain(content, language, ask)


def by_pattern(pattern: bytes) -> Judge:
    return lambda case: Outcome.FAIL if re.search(pattern, case) else Outcome.PASS


CASES = [
    (b"crash(7, 'abc');", None, by_pattern(rb"crash\(\d+, '[^']*'\)")),
    (b"int f(void) { return g(12); }", "c", by_pattern(rb"return \w+\(\d+\)")),
    (b"x = 1 + 2\ny = x\n", "python", by_pattern(rb"(\w+) = .*\n\w+ = \1\n")),
    (b"print('a')\n", "python", lambda case: Outcome.UNRESOLVED if b"(" not in case else by_pattern(rb"print\(")(case)),
]


@pytest.mark.parametrize(("content", "language", "judge"), CASES)
def test_every_claim_holds_when_it_is_checked_again(content: bytes, language: str | None, judge: Judge) -> None:
    explanation = explained(content, language, judge)
    assert explanation.parts
    for part in explanation.parts:
        assert judge(content[: part.start] + content[part.end :]) is part.without.outcome
    for freedom in explanation.freedoms:
        for number in range(len(freedom.values)):
            assert judge(apply(content, freedom.cuts(number))) is Outcome.FAIL
    together = sorted(cut for freedom in explanation.freedoms for cut in freedom.cuts(1))
    assert judge(apply(content, together)) is Outcome.FAIL
    assert explanation.passing is not None
    assert judge(explanation.passing) is Outcome.PASS
    assert explanation.passing == apply(content, explanation.change)


def test_what_may_be_anything_is_told_by_its_kind() -> None:
    explanation = explained(*CASES[0])
    assert explanation.abstract.decode() == "crash(⟨any integer⟩, '⟨any text⟩');"
    kinds = {content[0]: content[1] for content in ((part.may_be, part.start) for part in explanation.parts)}
    assert {"any integer", "any text"} <= set(kinds)


def test_a_name_that_occurs_twice_is_replaced_everywhere_at_once() -> None:
    explanation = explained(*CASES[2])
    assert explanation.abstract.decode().count("⟨any name 1⟩") == 2


def test_claims_that_do_not_hold_together_are_not_made_together() -> None:
    def judge(case: bytes) -> Outcome:
        return Outcome.FAIL if b"5" in re.findall(rb"\d+", case) else Outcome.PASS

    explanation = explained(b"5 5", None, judge)
    assert [freedom.kind for freedom in explanation.freedoms] == ["any integer"]


def test_a_part_that_is_not_needed_is_told() -> None:
    explanation = explained(b"crash extra", None, by_pattern(b"crash"))
    assert [part.needed for part in explanation.parts] == [True, False]


def test_the_smallest_change_may_take_several_parts() -> None:
    def judge(case: bytes) -> Outcome:
        count = case.count(b"+")
        return Outcome.FAIL if count > 2 else Outcome.PASS if count < 2 else Outcome.UNRESOLVED

    explanation = explained(b"( + ) + ( +", None, judge)
    assert explanation.passing is not None
    assert judge(explanation.passing) is Outcome.PASS
    assert len(explanation.change) == 2


def test_many_tokens_are_explained_by_the_line() -> None:
    content = b"".join(b"line %d\n" % number for number in range(300))
    explanation = explained(content, None, by_pattern(b"line 7\n"))
    assert len(explanation.parts) == 300
    assert [content[p.start : p.end] for p in explanation.parts if p.needed] == [b"line 7\n"]


def test_each_content_is_tested_once() -> None:
    seen: list[bytes] = []

    def test(case: bytes) -> bool:
        seen.append(case)
        return True

    ask = asking(Tester(Inline(FunctionOracle(test))))
    assert [verdict.outcome for verdict in ask([b"a", b"b", b"a"])] == [Outcome.FAIL] * 3
    ask([b"b"])
    assert sorted(seen) == [b"a", b"b"]
