from __future__ import annotations

from collections.abc import Iterable

from minrepro.traces.mining import accepted, mine
from minrepro.traces.rules import Rule, RuleKind
from minrepro.traces.user_events import Entry, Event, Json, Log
from minrepro.traces.witnesses import sessions
from tests.traces.cart import event


def log(*entries: tuple[Event, Json]) -> Log:
    begin = Entry(None, {"s": "start"}, 1)
    return Log((begin, *(Entry(e, {"s": state}, i) for i, (e, state) in enumerate(entries, 2))), "log")


def texts(rules: Iterable[Rule]) -> set[str]:
    return {str(rule) for rule in rules}


def toggles() -> Log:
    """Two switches: `toggle(i)` twice is nothing, and switches do not care for each other."""
    state, entries = {1: False, 2: False}, []
    for i in (1, 1, 1, 2, 1, 2, 2, 2, 1, 1, 2, 1, 1, 2, 2):
        state[i] = not state[i]
        entries.append((event("toggle", i), [state[1], state[2]]))
    return Log((Entry(None, {"s": [False, False]}), *(Entry(e, {"s": s}) for e, s in entries)), "toggles")


def test_a_rule_that_holds_for_equal_arguments_only_says_so() -> None:
    found = texts(accepted(mine(sessions([toggles()])), 0.9))
    assert "[toggle(i); toggle(i)] ≡ []" in found
    assert not any(rule.startswith("[toggle(i); toggle(j)] ≡ []") for rule in found)


def test_without_arguments_that_rule_is_refuted() -> None:
    mined = mine(sessions([toggles()], with_arguments=False))
    (inverse,) = (rule for rule in mined if rule.kind is RuleKind.INVERSE)
    assert inverse.evidence.positive
    assert inverse.evidence.negative
    assert inverse not in accepted(mined, 0.5)


def test_what_was_always_different_is_said_to_be() -> None:
    deeds = [(event("pick", 1), 1), (event("pick", 2), 2), (event("pick", 1), 1), (event("clear"), "start")]
    session = log(*deeds, (event("pick", 2), 2))
    mined = mine(sessions([session]), [RuleKind.IDEMPOTENCE])
    assert texts(mined) == {"[pick(i); pick(j)] ≡ [pick(j)] where i ≠ j"}


def test_arguments_with_nothing_in_common_are_not_compared() -> None:
    session = log((event("name", "x"), "start"), (event("move", 3), "start"), (event("move", 4), "start"))
    assert texts(mine(sessions([session]), [RuleKind.INVERSE])) == {
        "[name(i); move(j)] ≡ []",
        "[move(i); move(j)] ≡ [] where i ≠ j",
    }


def test_a_rule_that_holds_for_one_value_only_names_it() -> None:
    session = log(
        (event("filter", "all"), "start"),
        (event("filter", "all"), "start"),
        (event("filter", "done"), "done"),
        (event("filter", "done"), "done"),
        (event("filter", "all"), "start"),
    )
    mined = mine(sessions([session]), [RuleKind.SKIP])
    assert '[filter("all")] ≡ []' not in texts(accepted(mined, 0.5))  # it left "done" once
    session = log((event("set", 0), "start"), (event("set", 1), "on"), (event("set", 2), "off"))
    assert "[set(0)] ≡ []" in texts(accepted(mine(sessions([session])), 0.5))


def test_general_rules_relate_any_two_short_sequences() -> None:
    deeds = [("cut", "c"), ("paste", "start"), ("select", "s"), ("delete", "c"), ("paste", "start"), ("cut", "c")]
    session = log(*((event(name), state) for name, state in deeds))
    found = texts(mine(sessions([session]), [RuleKind.GENERAL], longest=3))
    assert "[select; delete] ≡ [cut]" in found
    assert "[select; delete; paste] ≡ []" in found


def test_no_other_rule_is_about_an_event_that_changes_nothing() -> None:
    session = log(*((event(name), "start") for name in ("look", "look", "look", "look", "look")))
    assert texts(accepted(mine(sessions([session])), 0.9)) == {"[look] ≡ []"}


def test_of_two_right_sides_the_better_witnessed_stays() -> None:
    rules = mine(sessions([toggles()], with_arguments=False))
    lefts = [(rule.left, rule.swaps) for rule in accepted(rules, 0.0)]
    assert len(lefts) == len(set(lefts))


def test_witnesses_multiply_but_the_work_does_not() -> None:
    session = log(*((event(name), state) for _ in range(2000) for name, state in (("a", "x"), ("b", "start"))))
    (inverse,) = (rule for rule in mine(sessions([session])) if str(rule) == "[a; b] ≡ []")
    assert inverse.evidence.positive == 2000
