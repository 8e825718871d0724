"""The plan hands out groups of units that are likely to go, and finds the needed ones with few tasks."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from minrepro.algorithms.lists.group_testing import Density
from minrepro.core.edits import Cut
from minrepro.core.units import Unit
from minrepro.engine.plan import Plan
from minrepro.engine.refusals import Refusals
from minrepro.engine.tasks import Task


def units(count: int, start: int = 0) -> list[Unit]:
    return [Unit(((Cut(i, i + 1),),)) for i in range(start, start + count)]


def places(task: Task) -> list[int]:
    return [cut.start for edit in task.edits for cut in edit]


def carry_out(plan: Plan, needed: set[int]) -> tuple[int, set[int]]:
    """Decide every task by a set of needed places; return how many tasks that took, and what went."""
    tasks, gone = 0, set()
    while (task := plan.next()) is not None:
        tasks += 1
        if needed.isdisjoint(places(task)):
            gone.update(places(task))
            plan.succeeded(task)
        else:
            plan.failed(task)
    return tasks, gone


def test_a_list_is_tried_from_its_end() -> None:
    task = Plan([units(100)]).next()
    assert task is not None
    assert places(task)[-1] == 99


def test_everything_that_is_not_needed_goes() -> None:
    assert carry_out(Plan([units(100)]), {3, 50, 51})[1] == set(range(100)) - {3, 50, 51}


def test_few_needed_units_among_many_take_few_tasks() -> None:
    assert carry_out(Plan([units(2000)]), {7, 700, 1400})[0] < 60


def test_what_follows_from_two_answers_is_not_asked() -> None:
    plan = Plan([units(2)], Density(begun=1, seen=1000))
    both = plan.next()
    assert both is not None
    plan.failed(both)
    last = plan.next()
    assert last is not None
    assert places(last) == [1]
    plan.succeeded(last)
    assert plan.next() is None


def test_a_thorough_plan_asks_for_each_unit_alone() -> None:
    plan = Plan([units(9)], thorough=True)
    asked = []
    while (task := plan.next()) is not None:
        asked.append(places(task))
        plan.failed(task)
    assert sorted(asked) == [[i] for i in range(9)]


def test_the_heaviest_list_comes_first() -> None:
    heavy = [Unit(((Cut(i, i + 1),),), weight=50) for i in range(10, 13)]
    task = Plan([units(3), heavy]).next()
    assert task is not None
    assert set(places(task)) <= {10, 11, 12}


def test_what_is_below_a_refused_unit_joins_the_plan() -> None:
    below = units(3, start=10)
    plan = Plan([[Unit(((Cut(0, 99),),), below=lambda: [below])]])
    whole = plan.next()
    assert whole is not None
    plan.failed(whole)
    _, gone = carry_out(plan, {11})
    assert gone == {10, 12}


def test_what_is_below_a_unit_that_went_is_never_asked_for() -> None:
    def below() -> list[list[Unit]]:
        raise AssertionError("nobody needs this")

    plan = Plan([[Unit(((Cut(0, 9),),), below=below)]])
    whole = plan.next()
    assert whole is not None
    plan.succeeded(whole)
    assert plan.next() is None


def test_a_spare_worker_tries_another_alternative_before_the_first_is_decided() -> None:
    plan = Plan([[Unit(((Cut(0, 9),), (Cut(0, 5),), (Cut(0, 1),)))]])
    first = plan.next(2)
    second = plan.spare()
    assert first is not None
    assert second is not None
    assert second.edits == [(Cut(0, 5),)]
    plan.succeeded(second)
    assert plan.is_decided(first)
    plan.failed(first)
    assert plan.next(2) is None  # one alternative is enough


def test_a_spare_worker_tries_the_parts_of_a_unit_that_is_being_tried() -> None:
    parts = [Unit(((Cut(2, 4),),)), Unit(((Cut(6, 8),),))]
    plan = Plan([[Unit(((Cut(0, 9),),), below=lambda: [parts])]], thorough=True)
    whole, part = plan.next(2), plan.spare()
    assert whole is not None
    assert part is not None
    assert part.edits == [(Cut(6, 8),)]
    plan.failed(whole)
    plan.failed(part)
    other = plan.next(2)
    assert other is not None
    assert other.edits == [(Cut(2, 4),)]  # once: they had joined the plan before
    plan.failed(other)
    assert plan.next(2) is None


def test_what_was_refused_in_the_same_surroundings_is_not_tried_again() -> None:
    refused: dict[Hashable, int] = {}
    content = b"one two three four five"
    for before, after in ((content, None), (content + b" six", None), (b"one two thrice four five", (Cut(4, 8),))):
        plan = Plan([[Unit(((Cut(4, 8),),))]], thorough=True, refusals=Refusals(refused, before))
        task = plan.next()
        if before == content:
            assert task is not None
            plan.failed(task)
        else:
            assert (None if task is None else task.edits[0]) == after


def test_alternatives_are_tried_one_after_another_until_one_is_accepted() -> None:
    plan = Plan([[Unit(((Cut(0, 9),), (Cut(0, 5),), (Cut(0, 1),)))]])
    tried: list[Sequence[int]] = []
    while (task := plan.next()) is not None:
        end = task.edits[0][0].end
        tried.append([end])
        if end == 5:
            plan.succeeded(task)
        else:
            plan.failed(task)
    assert tried == [[9], [5]]


def test_a_unit_that_a_needed_one_uses_is_taken_as_needed_without_a_task() -> None:
    definition = Unit(((Cut(0, 1),),), defines=frozenset({b"f"}))
    use = Unit(((Cut(1, 2),),), uses=frozenset({b"f"}))
    plan = Plan([[definition, use]], Density(begun=1, seen=2))
    task = plan.next()
    assert task is not None
    assert places(task) == [1]
    plan.failed(task)
    assert plan.next() is None


def test_what_is_taken_as_needed_does_not_end_a_group() -> None:
    definition = Unit(((Cut(50, 51),),), defines=frozenset({b"f"}))
    use = Unit(((Cut(100, 101),),), uses=frozenset({b"f"}), weight=2000)
    plan = Plan([[*units(50), definition, *units(49, 51), use]], Density(begun=1, seen=1000))
    alone = plan.next()
    assert alone is not None
    assert places(alone) == [100]
    plan.failed(alone)
    tried = set()
    for _ in range(2):  # behind what is needed one unit is tried at first
        task = plan.next()
        assert task is not None
        tried |= set(places(task))
        plan.succeeded(task)
    assert tried == set(range(100)) - {50}


def test_lists_of_one_family_are_tried_together() -> None:
    lists = [[Unit(((Cut(i, i + 1),),), family="statement")] for i in range(8)]
    task = Plan(lists, Density(begun=1, seen=1000)).next()
    assert task is not None
    assert places(task) == list(range(8))


def test_a_success_that_is_taken_back_is_tried_again() -> None:
    plan = Plan([units(1)])
    task = plan.next()
    assert task is not None
    plan.succeeded(task)
    plan.retry(task)
    again = plan.next()
    assert again is not None
    assert places(again) == places(task)


def test_lists_that_are_too_light_are_passed_over() -> None:
    heavy = [Unit(((Cut(0, 1),),), weight=99)]
    plan = Plan([heavy, units(1, start=5)], least=0.05)
    task = plan.next()
    assert task is not None
    plan.failed(task)
    assert plan.next() is None
    assert not plan.finished


def test_when_little_is_undecided_it_is_shared_among_the_workers() -> None:
    plan = Plan([units(12)], Density(begun=1, seen=1000))
    alone = plan.next()
    assert alone is not None and len(alone.positions) == 12
    shared = Plan([units(12)], Density(begun=1, seen=1000))
    tasks = [task for _ in range(4) if (task := shared.next(workers=4)) is not None]
    assert [len(task.positions) for task in tasks] == [5, 5, 2]


def test_only_what_a_test_has_proved_is_known_to_be_refused() -> None:
    content = b"0123456789"
    for proved in (False, True):
        known: dict[Hashable, int] = {}
        plan = Plan([units(1)], thorough=True, refusals=Refusals(known, content))
        task = plan.next()
        assert task is not None
        plan.failed(task, proved=proved)
        assert Refusals(known, content).knows(task.edits[0], (), alone=True) is proved
