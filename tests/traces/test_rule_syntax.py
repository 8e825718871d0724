from __future__ import annotations

import pytest

from minrepro.errors import InputError
from minrepro.traces.rule_syntax import parse_rules, write_pat, write_rules
from minrepro.traces.rules import RuleEvidence

TEXT = """\
# a comment

[add(i); delete(i)] ≡ [] (12, 0)
[select(i); select(j)] ~ [select(j)] where i != j, i ≠ 0   # why not
["click #clear"] == ε
[] ≡ [filter("all", {"a": [1]})]
[x(*p); y] -> [y]
"""


def test_rules_are_read_as_people_write_them() -> None:
    assert [str(rule) for rule in parse_rules(TEXT, "f")] == [
        "[add(i); delete(i)] ≡ []",
        "[select(i); select(j)] ≡ [select(j)] where i ≠ 0, i ≠ j",
        '["click #clear"] ≡ []',
        '[filter("all", {"a":[1]})] ≡ []',
        "[x(*p); y] ≡ [y]",
    ]


def test_witnesses_are_read_and_rules_without_know_their_line() -> None:
    first, second, *_ = parse_rules(TEXT, "f")
    assert first.evidence == RuleEvidence(12, 0)
    assert second.evidence.source == "f:4"


def test_what_is_written_is_read_back() -> None:
    rules = parse_rules(TEXT, "f")
    again = parse_rules(write_rules(rules, "a title\nof two lines"), "g")
    assert {rule.statement for rule in again} == {rule.statement for rule in rules}


def test_the_files_of_the_original_are_read_and_written() -> None:
    text = '["click""A"(p);"click""B"(q)] ~ ["click""B"(q)] (3,1) Zero\n[clickA(p)] ~ [] (4,0) "Skip"\n'
    rules = parse_rules(text, "x.pat")
    assert [str(rule) for rule in rules] == ["[clickA(*p); clickB(*q)] ≡ [clickB(*q)]", "[clickA(*p)] ≡ []"]
    assert write_pat(rules) == "[clickA(p);clickB(q)] ~ [clickB(q)] (3,1) Zero\n[clickA(p)] ~ [] (4,0) Skip\n"


@pytest.mark.parametrize(
    ("line", "place", "message"),
    [
        ("[a; b", 6, "';' or ']'"),
        ("[a; b] = []", 8, "'≡'"),
        ("[1] ≡ []", 2, "the name of an event"),
        ("[a(i] ≡ []", 5, "',' or ')'"),
        ("[a(i)] ≡ [] where i ≠ k", 23, "a variable of this rule"),
        ("[a(*p, q)] ≡ []", 10, "*q alone"),
        ("[a] ≡ [] (1", 12, "','"),
        ("[a] ≡ [] nonsense", 10, "the end of the rule"),
        ("[a; b(i)] -> [b(j)]", 13, "only variables of the other side, not j"),
        ("[a] ≡ [a]", 6, "a right side that differs"),
        ('[a("x)] ≡ []', 4, "a variable or a JSON value"),
    ],
)
def test_what_is_no_rule_is_refused_with_line_and_column(line: str, place: int, message: str) -> None:
    with pytest.raises(InputError) as raised:
        parse_rules(f"# first\n{line}", "f")
    assert str(raised.value).startswith(f"f:2:{place}: expected {message}")


@pytest.mark.parametrize("line", ["[a] ≡ [b]", "[a] -> [a; b]", "[a; b] -> [c; d]"])
def test_a_rule_that_would_not_end_is_refused(line: str) -> None:
    with pytest.raises(InputError, match=r"f:1:\d+: rewriting with this rule would not end"):
        parse_rules(line, "f")
