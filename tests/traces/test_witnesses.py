from __future__ import annotations

import pytest

from minrepro.errors import InputError
from minrepro.traces.user_events import Entry, Log
from minrepro.traces.witnesses import sessions, witnesses_of
from tests.traces.cart import FIGURE_2, event, rules


def test_witnesses_are_shown_with_their_log_lines() -> None:
    (rule,) = rules("[add(i); empty] ≡ [empty]")
    (witness,) = witnesses_of(rule, sessions([FIGURE_2]))
    assert str(witness) == "for      figure 2:3: add(1); empty\n         figure 2:5: empty"


def test_both_sides_are_compared_with_the_same_arguments_only() -> None:
    (rule,) = rules("[delete(i); add(j)] ≡ [add(j)]")
    (witness,) = witnesses_of(rule, sessions([FIGURE_2]))
    assert not witness.positive
    assert str(witness.right) == "figure 2:7: add(3)"


def test_a_session_may_end_in_an_event_without_state() -> None:
    failed = Log((*FIGURE_2.entries, Entry(event("empty"), None, 12)), "failed")
    (ready,) = sessions([failed])
    assert len(ready.deeds) == 10


def test_a_log_that_lacks_states_is_refused() -> None:
    entries = (Entry(event("a"), None, 1), Entry(event("b"), {"N": 1}, 2))
    with pytest.raises(InputError, match="log:1: no state after a"):
        sessions([Log(entries, "log")])


def test_an_empty_log_is_refused() -> None:
    with pytest.raises(InputError, match="nothing is empty"):
        sessions([Log((), "nothing")])


def test_a_log_too_short_to_learn_from_is_refused() -> None:
    with pytest.raises(InputError, match="cannot mine rules from short"):
        sessions([Log((Entry(event("a"), {"N": 1}, 1),), "short")])


def test_a_state_without_event_may_stand_only_first() -> None:
    entries = (Entry(None, {"N": 0}, 1), Entry(event("a"), {"N": 0}, 2), Entry(None, {"N": 0}, 3))
    with pytest.raises(InputError, match="log:3: only the first line may have a state without an event"):
        sessions([Log(entries, "log")])
