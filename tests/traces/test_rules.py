from __future__ import annotations

import pytest

from minrepro.traces.rules import RuleEvidence, RuleKind
from tests.traces.cart import event, rules


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("[a(i)] ≡ []", RuleKind.SKIP),
        ("[a(i); b(i)] ≡ []", RuleKind.INVERSE),
        ("[a(i); b(j)] ≡ [b(j)]", RuleKind.ZERO),
        ("[b(j); a(i)] ≡ [b(j)]", RuleKind.ZERO),
        ("[a(i); a(j)] ≡ [a(j)]", RuleKind.IDEMPOTENCE),
        ("[a(i); b(j)] ≡ [b(j); a(i)]", RuleKind.COMMUTATIVITY),
        ("[a; b; c] ≡ [b]", RuleKind.GENERAL),
        ("[a; b] ≡ [c]", RuleKind.GENERAL),
    ],
)
def test_the_shape_of_a_rule_has_a_name(text: str, kind: RuleKind) -> None:
    assert rules(text)[0].kind is kind


def test_a_variable_stands_for_equal_arguments() -> None:
    (rule,) = rules("[add(i); delete(i)] ≡ []")
    assert rule.match([event("add", 1), event("delete", 1)]) is not None
    assert rule.match([event("add", 1), event("delete", 2)]) is None
    assert rule.match([event("add"), event("delete")]) is None


def test_different_arguments_can_be_demanded_and_constants_given() -> None:
    (rule,) = rules('[pick(i, "all"); pick(j, "all")] ≡ [pick(j, "all")] where i ≠ j, i != 3')
    assert rule.match([event("pick", 1, "all"), event("pick", 2, "all")]) is not None
    assert rule.match([event("pick", 1, "all"), event("pick", 1, "all")]) is None
    assert rule.match([event("pick", 3, "all"), event("pick", 2, "all")]) is None
    assert rule.match([event("pick", 1, "one"), event("pick", 2, "all")]) is None


def test_a_starred_variable_stands_for_all_arguments() -> None:
    (rule,) = rules("[a(*p); a(*p)] ≡ [a(*p)]")
    assert rule.match([event("a", 1, 2), event("a", 1, 2)]) is not None
    assert rule.match([event("a"), event("a")]) is not None
    assert rule.match([event("a", 1), event("a")]) is None


def test_of_equal_events_the_last_is_kept() -> None:
    assert rules("[a; b; a] ≡ [a]")[0].kept == (2,)
    assert rules("[a; b] ≡ [c]")[0].kept is None


def test_rules_say_the_same_whatever_their_variables_are_called() -> None:
    one, other = rules("[a(x); b(y)] ≡ [b(y)] where x ≠ y", "[a(i); b(j)] ≡ [b(j)] where j ≠ i")
    assert one.statement == other.statement


def test_confidence_grows_with_witnesses_and_one_against_ends_it() -> None:
    assert [round(RuleEvidence(n).confidence, 4) for n in (0, 1, 4, 7)] == [0, 0.5, 0.9375, 0.9922]
    assert RuleEvidence(100, 1).confidence == 0
