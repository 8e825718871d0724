from __future__ import annotations

import pytest

from minrepro.errors import InputError
from minrepro.traces.rule_completion import complete, require_consistent
from tests.traces.cart import rules


def completed(*texts: str) -> set[str]:
    return {str(rule) for rule in complete(rules(*texts))} - {str(rule) for rule in rules(*texts)}


def test_absorption_is_handed_on() -> None:
    assert completed("[a(i); b] ≡ [b]", "[b; c(i)] ≡ [c(i)]", "[c(i); d] ≡ [d]") == {
        "[a(i); c(j)] ≡ [c(j)]",
        "[a(i); d] ≡ [d]",
        "[b; d] ≡ [d]",
    }


def test_what_nothing_absorbs_is_nothing() -> None:
    assert completed("[a] ≡ []", "[b(i); a] ≡ [a]", "[c; b(i)] ≡ [b(i)]") >= {"[b(i)] ≡ []", "[c] ≡ []"}


def test_an_event_that_commutes_with_its_absorber_is_absorbed_from_behind() -> None:
    assert completed("[a; b] ≡ [b]", "[a; b] ≡ [b; a]") == {"[b; a] ≡ [b]"}


def test_rules_about_some_arguments_only_are_not_combined() -> None:
    assert completed("[a(i); b(i)] ≡ [b(i)]", "[b(i); c] ≡ [c]") == set()
    assert completed("[a(1); b] ≡ [b]", "[b; c] ≡ [c]") == set()


def test_what_is_refuted_is_left_out_and_the_reason_is_kept() -> None:
    given = rules("[a; b] ≡ [b]", "[b; c] ≡ [c]")
    assert complete(given, refuted=lambda rule: True) == given
    (derived,) = (rule for rule in complete(given) if rule not in given)
    assert derived.evidence.source == "follows from [a; b] ≡ [b] and [b; c] ≡ [c]"


def test_rules_that_contradict_each_other_are_refused_with_their_lines() -> None:
    given = rules("[a(i); b] ≡ []", "[a(j); b] ≡ [b]")
    with pytest.raises(InputError, match="rules:1 and rules:2: these rules contradict each other"):
        require_consistent(given, "rules")


def test_two_right_sides_that_other_rules_make_one_are_no_contradiction() -> None:
    two = ("[a; b] ≡ []", "[a; b] ≡ [b]")
    with pytest.raises(InputError, match="contradict"):
        require_consistent(rules(*two), "rules")
    require_consistent(rules(*two, "[b] ≡ []", "[a; b] ≡ [b; a]"), "rules")
