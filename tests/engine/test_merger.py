"""Edits are applied in parallel, and what succeeds at the same time is united."""

from __future__ import annotations

from collections.abc import Callable

from minrepro.core.edits import Cut
from minrepro.core.events import Tally, Tested
from minrepro.core.units import Unit
from minrepro.core.verdicts import Outcome
from minrepro.engine.merger import Draft, Merger
from minrepro.engine.plan import Plan
from minrepro.engine.tester import Tester
from minrepro.testing import SimulatedExecutor, fails_if


def units(content: bytes) -> list[Unit]:
    return [Unit(((Cut(i, i + 1),),)) for i in range(len(content))]


def reduced(
    content: bytes, fails: Callable[[bytes], bool], workers: int, screen: Callable[[bytes, bytes], bool] | None = None
) -> tuple[bytes, list[bytes], Tally, SimulatedExecutor]:
    tally, commits = Tally(), list[bytes]()
    executor = SimulatedExecutor(lambda case: Outcome.FAIL if fails(case) else Outcome.PASS, workers)
    merger = Merger(Tester(executor, notify=tally), lambda case, label, verdict: commits.append(case))
    if screen is not None:
        merger.screen = screen
    return merger.carry_out(Plan([units(content)]), content), commits, tally, executor


def test_many_workers_find_what_one_finds() -> None:
    content = bytes(range(32, 127))
    for workers in (1, 2, 7, 64):
        assert reduced(content, lambda case: b"A" in case and b"z" in case, workers)[0] == b"Az"


def test_concurrent_successes_are_united_instead_of_thrown_away() -> None:
    content = bytes(i % 90 for i in range(900))
    needed = b"".join(bytes([255, i]) for i in range(20))

    def fails(case: bytes) -> bool:
        rest = iter(case)
        return all(byte in rest for byte in needed)  # a subsequence

    content = b"".join(content[45 * i : 45 * i + 45] + needed[2 * i : 2 * i + 2] for i in range(20))
    one = reduced(content, fails, 1)
    eight = reduced(content, fails, 8)
    assert one[0] == eight[0] == needed
    assert eight[3].now < one[3].now / 4
    assert eight[2].tests < 1.5 * one[2].tests


def test_the_screen_saves_tests() -> None:
    content = b"(a(b)c)"

    def balanced(candidate: bytes, committed: bytes) -> bool:
        return candidate.count(b"(") == candidate.count(b")")

    seen: list[bytes] = []

    def fails(case: bytes) -> bool:
        seen.append(case)
        return b"b" in case

    assert b"b" in reduced(content, fails, 1, balanced)[0]
    assert all(balanced(case, b"") for case in seen)


def test_a_plan_that_is_not_worth_it_is_left_unfinished() -> None:
    content = bytes(range(32, 127))
    executor = SimulatedExecutor(lambda case: Outcome.FAIL if case == content else Outcome.PASS)
    tally = Tally()
    merger = Merger(Tester(executor, notify=tally), lambda case, label, verdict: None)
    assert merger.carry_out(Plan([units(content)], thorough=True), content, worth=0.01) == content
    assert tally.tests < len(content)


def test_the_first_look_may_be_shorter() -> None:
    content = bytes(range(32, 127))
    executor = SimulatedExecutor(lambda case: Outcome.FAIL if case == content else Outcome.PASS)
    tally = Tally()
    merger = Merger(Tester(executor, notify=tally), lambda case, label, verdict: None)
    assert merger.carry_out(Plan([units(content)], thorough=True), content, worth=0.01, look=6) == content
    assert tally.tests == 6


def test_a_draft_knows_its_content_without_being_told() -> None:
    draft = Draft(b"hello world", (Cut(5, 11),))
    assert draft.content == b"hello"


def test_what_was_needed_by_something_that_went_meanwhile_is_asked_about_again() -> None:
    content = b"define;use;crash"
    units = [Unit(((Cut(0, 7),),), defines=frozenset([b"x"])), Unit(((Cut(7, 11),),), uses=frozenset([b"x"]))]

    def fails(case: bytes) -> bool:
        return b"crash" in case and (b"use" not in case or b"define" in case)

    # The first takes longer, so that its test, which began with the other, ends when that has gone.
    executor = SimulatedExecutor(fails_if(fails), 2, lambda case: 2.0 if b"define" not in case else 1.0)
    merger = Merger(Tester(executor), lambda case, label, verdict: None)
    plan = Plan([[unit] for unit in units])
    assert merger.carry_out(plan, content) == b"crash"


def test_one_by_one_is_one_test_at_a_time_however_many_workers_there_are() -> None:
    executor = SimulatedExecutor(fails_if(lambda case: b"!" in case), 8)
    merger = Merger(Tester(executor), lambda case, label, verdict: None)
    units = [Unit(((Cut(n, n + 1),),)) for n in range(40) if n != 7]
    assert merger.carry_out(Plan([units]), b"." * 7 + b"!" + b"." * 32, one_by_one=True) == b"!"
    assert executor.most_running == 1


def test_workers_that_would_be_idle_carry_out_the_plans_ahead() -> None:
    content = b"abcdefgh"
    seen: list[str] = []
    executor = SimulatedExecutor(lambda case: Outcome.FAIL if b"h" in case else Outcome.PASS, 8)
    tester = Tester(executor, notify=lambda event: seen.append(event.label) if isinstance(event, Tested) else None)
    merger = Merger(tester, lambda case, label, verdict: None)
    plans = [Plan([[Unit(((Cut(7, 8),),))]], label="first"), Plan([units(content)[:2]], thorough=True, label="second")]
    assert merger.carry_out(plans[0], content, ahead=iter(plans[1:])) == b"cdefgh"
    assert executor.now <= 3  # all that is asked at once, and what is united
    assert set(seen) == {"first", "second"}


def test_one_worker_begins_no_other_plan_after_a_success() -> None:
    content = b"abcdefgh"
    merger = Merger(
        Tester(SimulatedExecutor(lambda case: Outcome.FAIL if b"h" in case else Outcome.PASS)), lambda *told: None
    )
    first, second = Plan([units(content)[:1]], label="first"), Plan([units(content)[1:2]], label="second")
    assert merger.carry_out(first, content, ahead=iter([second])) == b"bcdefgh"
    assert second.tests == 0


def test_edits_that_lead_to_the_same_content_share_one_test() -> None:
    asked: list[bytes] = []

    def fails(case: bytes) -> Outcome:
        asked.append(case)
        return Outcome.FAIL if b"h" in case else Outcome.PASS

    merger = Merger(Tester(SimulatedExecutor(fails, 4)), lambda *told: None)
    assert merger.carry_out(Plan([units(b"aah")[:2]], thorough=True), b"aah") == b"h"
    assert asked == [b"ah", b"h"]  # either of the two, then both
