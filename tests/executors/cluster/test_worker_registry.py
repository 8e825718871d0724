"""Who is given tests: only those that are there, alive and trusted, and never more than they have threads for."""

from __future__ import annotations

from concurrent.futures import Future
from typing import Any

from minrepro.core.verdicts import Outcome, Verdict
from minrepro.executors.cluster.worker_registry import Worker, WorkerRegistry


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


def worker_registry(clock: Clock | None = None) -> WorkerRegistry:
    promise: Any = Future
    return WorkerRegistry(silence=10.0, promise=promise, clock=clock or Clock())


def entry(name: str = "w", threads: int = 2, seen: float = 1.0, status: str = "running") -> dict[str, Any]:
    return {"name": name, "nthreads": threads, "last_seen": seen, "status": status}


def trusted(crew: WorkerRegistry, **threads: int) -> list[Worker]:
    workers = crew.update({name: entry(name, number) for name, number in threads.items()})
    for worker in workers:
        crew.trust(worker)
    return workers


def test_a_worker_gets_no_test_before_it_is_trusted() -> None:
    crew = worker_registry()
    (worker,) = crew.update({"a": entry()})
    assert crew.take() is None
    assert crew.slots == 0
    crew.trust(worker)
    assert crew.take() is worker
    assert crew.slots == 2


def test_tests_are_spread_over_free_slots_before_any_worker_gets_more_than_it_has() -> None:
    crew = worker_registry()
    trusted(crew, a=1, b=3)
    taken = [crew.take() for _ in range(4)]
    assert sorted(worker.name for worker in taken if worker) == ["a", "b", "b", "b"]
    fifth = crew.take()
    assert fifth is not None
    crew.give_back(fifth)


def test_a_slot_that_was_given_back_is_used_again() -> None:
    crew = worker_registry()
    trusted(crew, a=1, b=1)
    first, second = crew.take(), crew.take()
    assert first is not None and second is not None
    crew.give_back(second)
    assert crew.take() is second


def test_a_worker_that_has_gone_is_given_up_as_dead() -> None:
    crew = worker_registry()
    (worker,) = trusted(crew, a=2)
    assert crew.update({}) == []
    assert worker.lost.result() is True
    assert crew.take() is None
    assert crew.slots == 0


def test_a_worker_without_a_sign_of_life_is_passed_over_until_it_gives_one() -> None:
    clock = Clock()
    crew = worker_registry(clock)
    (worker,) = trusted(crew, a=2)
    clock.now += 11
    assert crew.update({"a": entry(seen=1.0)}) == []
    assert worker.lost.result() is False
    assert crew.update({"a": entry(seen=1.0)}) == []
    (again,) = crew.update({"a": entry(seen=2.0)})
    assert again is not worker
    assert not again.trusted


def test_a_worker_that_gives_signs_of_life_is_kept() -> None:
    clock = Clock()
    crew = worker_registry(clock)
    (worker,) = trusted(crew, a=2)
    for beat in range(5):
        clock.now += 9
        assert crew.update({"a": entry(seen=2.0 + beat)}) == []
    assert crew.take() is worker


def test_a_worker_that_is_paused_is_left_alone() -> None:
    crew = worker_registry()
    (worker,) = trusted(crew, a=2)
    crew.update({"a": entry(status="paused", seen=2.0)})
    assert worker.lost.done()
    assert crew.take() is None


def test_a_refusal_is_told_once_and_forgotten_when_the_worker_proves_itself() -> None:
    crew = worker_registry()
    (worker,) = crew.update({"a": entry()})
    verdict = Verdict(Outcome.PASS, "exit 127")
    assert crew.refuse(worker, verdict, "") == "the input does not reproduce the failure there (exit 127)"
    assert crew.refuse(worker, verdict, "") == ""
    crew.trust(worker)
    assert crew.refusals == {}
    assert crew.take() is worker
