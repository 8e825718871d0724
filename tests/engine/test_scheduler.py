"""The scheduler: tests ahead, decides in order, or lets the first win."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from minrepro.core.events import RunEvent, Tally, Tested
from minrepro.core.search import Candidate, Reduction, Search, first, solve
from minrepro.core.verdicts import Outcome
from minrepro.engine.scheduler import Scheduler
from minrepro.testing import SimulatedExecutor, fails_if, needs

Case = tuple[int, ...]


def search(*configs: Case) -> Search:
    return Search([Candidate(config) for config in configs])


def answered(found: Candidate[Case] | None) -> Case | None:
    return None if found is None else found.config


def test_the_first_candidate_that_fails_is_found() -> None:
    executor = SimulatedExecutor(needs(1))
    assert answered(Scheduler(executor).answer(search((0,), (1,), (1, 2)))) == (1,)
    assert executor.started == 2


def test_nothing_is_found_where_nothing_fails() -> None:
    assert Scheduler(SimulatedExecutor(needs(9))).answer(search((0,), (1,))) is None
    assert Scheduler(SimulatedExecutor(needs(9))).answer(search()) is None


def test_a_candidate_may_want_another_outcome() -> None:
    wanted = Search([Candidate((1,), Outcome.PASS), Candidate((0,), Outcome.PASS)])
    assert answered(Scheduler(SimulatedExecutor(needs(1))).answer(wanted)) == (0,)


def slow_first(case: Case) -> float:
    return 10.0 if case == (1,) else 1.0


def test_in_order_waits_for_the_first_even_when_a_later_one_ends_before() -> None:
    executor = SimulatedExecutor(needs(1), 2, slow_first)
    assert answered(Scheduler(executor).answer(search((1,), (1, 2)))) == (1,)
    assert executor.now == 10
    assert not executor.running


def test_a_race_takes_the_first_to_end_and_cancels_the_rest() -> None:
    executor = SimulatedExecutor(needs(1), 2, slow_first)
    assert answered(Scheduler(executor, mode="race").answer(search((1,), (1, 2)))) == (1, 2)
    assert executor.now == 1
    assert executor.cancelled == 1


def test_all_workers_are_kept_busy_and_no_more_than_that_is_asked_of_the_stream() -> None:
    asked = 0

    def stream() -> Iterator[Candidate[Case]]:
        nonlocal asked
        for number in range(100):
            asked += 1
            yield Candidate((number,))

    executor = SimulatedExecutor(needs(2), 8)
    assert answered(Scheduler(executor).answer(Search(stream()))) == (2,)
    assert executor.most_running == 8
    assert asked == 8


def test_what_lies_behind_a_candidate_that_was_found_is_not_asked_while_an_earlier_one_runs() -> None:
    executor = SimulatedExecutor(needs(1), 2, lambda case: 10.0 if case == (0,) else 1.0)
    assert answered(Scheduler(executor).answer(search((0,), (1,), (2,), (3,)))) == (1,)
    assert executor.started == 2


def test_nothing_is_tested_twice() -> None:
    tally = Tally()
    executor = SimulatedExecutor(needs(9))
    scheduler = Scheduler(executor, notify=tally)
    scheduler.answer(search((0,), (1,), (0,)))
    scheduler.answer(search((1,), (2,)))
    assert scheduler.test((2,)).outcome is Outcome.PASS
    assert executor.started == tally.tests == 3
    assert tally.remembered == 3


def test_twins_that_are_asked_at_the_same_time_share_one_test() -> None:
    tally = Tally()
    executor = SimulatedExecutor(needs(9), 4)
    assert Scheduler(executor, notify=tally).answer(search((0,), (0,), (0,))) is None
    assert (tally.tests, tally.remembered, executor.started) == (1, 2, 1)


def test_every_verdict_is_told_with_the_size_and_the_label_of_its_candidate() -> None:
    heard: list[RunEvent] = []
    Scheduler(SimulatedExecutor(needs(1)), notify=heard.append).answer(Search([Candidate((0, 2, 3))], "step"))
    assert [(n.size, n.label, n.remembered) for n in heard if isinstance(n, Tested)] == [(3, "step", False)]


def test_a_permit_that_is_refused_ends_everything_and_leaves_nothing_running() -> None:
    class Enough(Exception):
        pass

    def permits(number: int) -> Callable[[], None]:
        left = iter(range(number))

        def permit() -> None:
            if next(left, None) is None:
                raise Enough

        return permit

    executor = SimulatedExecutor(needs(99), 4)
    with pytest.raises(Enough):
        Scheduler(executor, permit_test=permits(6)).answer(search(*((number,) for number in range(50))))
    assert executor.started == 6
    assert not executor.running


def test_a_reduction_gets_the_candidates_that_were_found_and_they_are_told_of() -> None:
    def two_steps() -> Reduction[tuple[Case | None, Case | None]]:
        one = yield from first([Candidate[Case]((1, 2)), Candidate[Case]((1, 2, 3))], "one")
        two = yield from first([Candidate[Case]((3,)), Candidate[Case]((1,))], "two")
        return answered(one), answered(two)

    told: list[tuple[Case, str]] = []
    scheduler = Scheduler(SimulatedExecutor(needs(1)))
    result = scheduler.run(two_steps(), lambda candidate, label, verdict: told.append((candidate.config, label)))
    assert told == [((1, 2), "one"), ((1,), "two")]
    assert result == solve(two_steps(), needs(1)) == ((1, 2), (1,))


def test_long_streams_of_known_candidates_are_not_held_in_memory() -> None:
    alive = most_alive = 0

    class Big(Candidate[Case]):
        def __del__(self) -> None:
            nonlocal alive
            alive -= 1

    def stream() -> Iterator[Candidate[Case]]:
        nonlocal alive, most_alive
        for _ in range(1000):
            alive += 1
            most_alive = max(most_alive, alive)
            yield Big((0,))

    scheduler = Scheduler(SimulatedExecutor(fails_if(lambda case: False), 2))
    scheduler.test((0,))
    assert scheduler.answer(Search(stream())) is None
    assert most_alive <= 12
