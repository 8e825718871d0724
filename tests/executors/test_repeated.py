"""Flaky checks on imagined workers: what is true is found, and a check that can be trusted pays next to nothing."""

from __future__ import annotations

import random
from dataclasses import dataclass

import pytest

from minrepro.core.best import Best
from minrepro.core.events import Accepted, RunEvent
from minrepro.core.verdicts import Outcome, Verdict
from minrepro.engine.default_reducer import DefaultReducer
from minrepro.engine.run import Result, Run
from minrepro.errors import NotFailing
from minrepro.executors.flaky_statistics import FIRST_LOOK, bounds
from minrepro.executors.inline import Inline
from minrepro.executors.repeated import LAST_LOOK, RepeatedRuns
from minrepro.passes.default_passes import PLAIN
from minrepro.testing import SimulatedExecutor

INPUT = b"".join(b"line %d of many\n" % number for number in range(40))


def truth(case: bytes) -> bool:
    return case.count(b"7 o") >= 2 and b"line 33" in case and case.count(b"\n") >= 3


@dataclass
class Flaky:
    """An oracle that now and then does not see the failure, or sees one where there is none."""

    false_passes: float = 0.0
    false_failures: float = 0.0
    seed: int = 0
    runs: int = 0

    def __post_init__(self) -> None:
        self._rng = random.Random(self.seed)

    def __call__(self, case: bytes) -> Outcome:
        self.runs += 1
        wrong = self._rng.random() < (self.false_passes if truth(case) else self.false_failures)
        return Outcome.FAIL if truth(case) != wrong else Outcome.PASS


@dataclass
class Done:
    result: Result[bytes]
    executor: RepeatedRuns
    warnings: list[str]
    accepted: list[bytes]
    runs: int


def reduced(flaky: Flaky, workers: int = 2, reproduction: float | None = None) -> Done:
    warnings: list[str] = []
    accepted: list[bytes] = []
    best: Best[bytes] = Best()
    executor = RepeatedRuns(SimulatedExecutor(flaky, workers), best, reproduction=reproduction, warn=warnings.append)

    def notify(notice: RunEvent) -> None:
        executor(notice)
        if isinstance(notice, Accepted):
            accepted.append(notice.case)

    run: Run[bytes] = Run(executor, notify=notify, best=best, confirm=executor.confirm)
    result = run.reduce_by_edits(
        INPUT, lambda case, tester, told: DefaultReducer(list(PLAIN))(case, tester, told), empty=b""
    )
    return Done(result, executor, warnings, accepted, flaky.runs)


def plainly(workers: int) -> tuple[bytes, int]:
    flaky = Flaky()
    run: Run[bytes] = Run(SimulatedExecutor(flaky, workers))
    return run.reduce_by_edits(INPUT, DefaultReducer(list(PLAIN)), empty=b"").case, flaky.runs


def test_a_check_that_can_be_trusted_pays_for_looks_along_the_way_and_a_last_one() -> None:
    case, runs = plainly(1)
    done = reduced(Flaky(), workers=1)
    assert done.result.case == case
    assert done.warnings == []
    assert done.executor.measured is not None
    last = done.executor.measured.runs
    assert done.executor.measured.hits == last >= LAST_LOOK
    assert not done.executor.flaky
    watched = done.runs - runs - last
    assert watched + last >= FIRST_LOOK - 1, "in all as often as it takes to find one that misses every other failure"
    assert watched <= 2 * runs.bit_length()


def test_the_input_is_run_once_before_the_first_candidate() -> None:
    flaky = Flaky()
    executor = RepeatedRuns(SimulatedExecutor(flaky, 4))
    job = executor.start(INPUT)
    while not executor.wait([job]):
        pass
    assert flaky.runs == 1


def test_what_was_accepted_is_run_again_now_and_then_although_nothing_is_refused() -> None:
    best: Best[bytes] = Best()
    executor = RepeatedRuns(Inline(lambda case: Verdict(Outcome.FAIL)), best)
    tests = 0
    for size in range(40, 0, -1):
        job = executor.start(b"x" * size)
        executor.wait([job])
        tests += 1
        executor(best.accept(b"x" * size, "", Verdict(Outcome.FAIL)))
    assert executor.runs - tests == 4  # after 4, 8, 16 and 32 of them


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("false_passes", [0.1, 0.3, 0.6])
def test_a_failure_that_shows_now_and_then_is_reduced_as_far(false_passes: float, seed: int) -> None:
    case, _ = plainly(2)
    done = reduced(Flaky(false_passes, seed=seed), reproduction=0.3)
    assert truth(done.result.case)
    assert len(done.result.case) <= 1.2 * len(case)
    assert done.executor.measured is not None
    low, high = bounds(done.executor.measured.hits, done.executor.measured.runs, 0.9999)
    assert low <= 1 - false_passes <= high


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("workers", [1, 3])
def test_what_was_accepted_by_luck_is_taken_back(seed: int, workers: int) -> None:
    case, _ = plainly(workers)
    done = reduced(Flaky(false_failures=0.05, seed=seed), workers)
    assert truth(done.result.case)
    assert len(done.result.case) <= 1.2 * len(case)
    lucky = [case for case in done.accepted if not truth(case)]
    if lucky:
        assert "flaky: the same candidate" in done.warnings[0]


def test_luck_does_occur_in_these_tests() -> None:
    accepted = [case for seed in range(5) for case in reduced(Flaky(false_failures=0.05, seed=seed), 1).accepted]
    assert any(not truth(case) for case in accepted)


def test_a_flaky_check_is_noticed_along_the_way() -> None:
    done = reduced(Flaky(false_passes=0.5, seed=3))
    assert len(done.warnings) == 1
    assert "flaky: the same candidate reproduced in" in done.warnings[0]
    assert truth(done.result.case)


def test_an_input_that_fails_less_often_than_asked_is_refused() -> None:
    with pytest.raises(NotFailing, match=r"reproduced in \d of 20 check runs"):
        reduced(Flaky(false_passes=0.9, seed=1), reproduction=0.8)


def test_an_input_that_never_fails_is_refused_after_the_first_look() -> None:
    flaky = Flaky(false_passes=1.0)
    with pytest.raises(NotFailing):
        reduced(flaky)
    assert flaky.runs == FIRST_LOOK


def test_repeats_use_all_workers() -> None:
    simulated = SimulatedExecutor(Flaky(false_passes=0.3), 8)
    executor = RepeatedRuns(simulated, reproduction=0.3)
    job = executor.start(INPUT)
    while not executor.wait([job]):
        pass
    assert simulated.most_running == 8
    assert not simulated.running


def test_a_test_that_is_cancelled_ends_all_its_runs() -> None:
    simulated = SimulatedExecutor(Flaky(), 4)
    executor = RepeatedRuns(simulated)
    executor.cancel(executor.start(INPUT))
    assert not simulated.running


def test_a_result_whose_run_is_cut_short_once_is_run_again_and_not_taken_for_flaky() -> None:
    limits = iter([None, 1.0, *[None] * (FIRST_LOOK - 1)])

    def test(case: bytes) -> Verdict:
        limit = next(limits)
        return Verdict(Outcome.FAIL if limit is None else Outcome.UNRESOLVED, limit=limit)

    executor = RepeatedRuns(Inline(test))
    job = executor.start(b"in")
    while not executor.wait([job]):
        pass
    executor.confirm(b"in")
    assert not executor.flaky
    assert executor.measured is not None and (executor.measured.hits, executor.measured.misses) == (FIRST_LOOK - 1, 0)
    assert executor.runs == FIRST_LOOK + 1
