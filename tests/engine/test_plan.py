"""The plan hands out groups of units that are likely to go, and finds the needed ones with few tasks."""

from __future__ import annotations

from collections.abc import Sequence

from minrepro.algorithms.lists.group_testing import Density
from minrepro.core.edits import Cut
from minrepro.core.units import Unit
from minrepro.engine.plan import Plan, Task


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
    assert [len(task.positions) for task in tasks] == [2, 2, 2, 2]
    for task in tasks:
        shared.succeeded(task)
    last = [task for _ in range(4) if (task := shared.next(workers=4)) is not None]
    assert [len(task.positions) for task in last] == [1, 1, 1, 1]
