"""The best so far: what is smallest, what an earlier session had, what a run is sent back to."""

from __future__ import annotations

from minrepro.core.best import LONGEST_TRAIL, Best
from minrepro.core.events import StepKind
from minrepro.core.verdicts import Outcome, Verdict

FAILS = Verdict(Outcome.FAIL, signature="crash")


def accepted(best: Best[str], *cases: str) -> list[bool]:
    return [best.accept(case, "step", FAILS).smallest for case in cases]


def test_the_smallest_case_is_the_best_and_the_later_of_two_of_a_size() -> None:
    best: Best[str] = Best()
    assert accepted(best, "abc", "ab", "abcd", "cd") == [True, True, False, True]
    assert (best.failing, best.result, best.trail) == ("cd", "cd", ["abc", "ab", "cd"])


def test_what_an_earlier_session_found_is_given_back_until_this_one_is_as_far() -> None:
    best: Best[str] = Best("ab")
    assert best.of(Outcome.FAIL) is None
    accepted(best, "abcd", "abc")
    assert (best.failing, best.result) == ("abc", "ab")
    accepted(best, "cd")
    assert best.result == "cd"


def test_what_a_formatter_made_is_the_best_whatever_its_size() -> None:
    best: Best[str] = Best("a")
    accepted(best, "abc")
    assert best.accept("a  b  c", "formatted", FAILS, StepKind.FORMATTED).smallest
    assert best.result == "a  b  c"


def test_going_back_drops_what_came_after_and_what_an_earlier_session_found() -> None:
    best: Best[str] = Best("a")
    accepted(best, "abcd", "abc", "ab")
    back = best.retract("abc", FAILS)
    assert (back.kind, back.smallest, back.signature) == (StepKind.RETRACTED, True, "crash")
    assert (best.result, best.trail) == ("abc", ["abcd", "abc"])


def test_going_back_while_a_journal_is_replayed_says_nothing_of_what_came_later() -> None:
    best: Best[str] = Best("a", replaying=lambda: True)
    accepted(best, "abcd", "abc")
    best.retract("abcd", FAILS)
    assert (best.failing, best.result) == ("abcd", "a")


def test_the_trail_keeps_both_ends_and_stays_short() -> None:
    best: Best[str] = Best()
    cases = ["x" * size for size in range(500, 0, -1)]
    accepted(best, *cases)
    assert (best.trail[0], best.trail[-1]) == (cases[0], cases[-1])
    assert len(best.trail) <= LONGEST_TRAIL
    assert best.trail == sorted(best.trail, key=len, reverse=True)


def test_both_sides_of_a_difference_move_for_themselves() -> None:
    best: Best[str] = Best()
    best.move("", Outcome.PASS, "input")
    best.move("abc", Outcome.FAIL, "input")
    best.move("a", Outcome.PASS, "step")
    assert (best.of(Outcome.PASS), best.of(Outcome.FAIL)) == ("a", "abc")
