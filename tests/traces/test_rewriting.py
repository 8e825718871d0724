from __future__ import annotations

from minrepro.traces.rewriting import rewrite
from minrepro.traces.user_events import positions
from tests.traces.cart import event, rules


def test_events_meet_past_those_they_commute_with() -> None:
    trace = [event("a"), event("x"), event("y"), event("b")]
    inverse = "[a; b] ≡ []"
    assert len(rewrite(trace, rules(inverse)).kept) == 4
    assert len(rewrite(trace, rules(inverse, "[a; x] ≡ [x; a]")).kept) == 4
    # a moves right past x, b moves left past y
    assert rewrite(trace, rules(inverse, "[a; x] ≡ [x; a]", "[b; y] ≡ [y; b]")).kept == (event("x"), event("y"))


def test_a_removal_makes_new_neighbours() -> None:
    trace = [event("a"), event("a"), event("b"), event("b"), event("c")]
    assert positions(rewrite(trace, rules("[a; b] ≡ []")).kept) == [4]


def test_a_protected_event_is_never_removed() -> None:
    trace = [event("a"), event("b"), event("a")]
    assert positions(rewrite(trace, rules("[a] ≡ []"), protected={2}).kept) == [1, 2]


def test_long_rules_match_neighbours_only() -> None:
    rule = rules("[a(i); b; c(i)] ≡ [b]")
    assert positions(rewrite([event("a", 1), event("b"), event("c", 1)], rule).kept) == [1]
    assert positions(rewrite([event("a", 1), event("b"), event("c", 2)], rule).kept) == [0, 1, 2]


def test_a_rule_that_invents_events_is_not_applied() -> None:
    assert len(rewrite([event("a"), event("b")], rules("[a; b] ≡ [c]")).kept) == 2


def test_every_removed_event_is_told_once() -> None:
    trace = [event("a", i % 3) for i in range(200)]
    done = rewrite(trace, rules("[a(i); a(j)] ≡ [a(j)]"))
    removed = [position for step in done.applications for position in positions(step.removed)]
    assert sorted(removed + positions(done.kept)) == list(range(200))
    assert positions(done.kept) == [199]
