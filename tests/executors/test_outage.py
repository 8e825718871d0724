"""Outages on a virtual clock: a check that cannot work for a while costs time, and nothing else."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field

import pytest

from minrepro.core.best import Best
from minrepro.core.events import End, RunEvent
from minrepro.core.verdicts import Outcome, Verdict
from minrepro.engine.default_reducer import DefaultReducer
from minrepro.engine.run import Result, Run
from minrepro.executors.outage import GIVEN_UP_AFTER, LONGEST_PAUSE, STRANGE, Outage, Reasons
from minrepro.executors.repeated import RepeatedRuns
from minrepro.passes.default_passes import PLAIN
from minrepro.testing import SimulatedExecutor
from tests.executors.test_repeated import INPUT, truth


@dataclass
class Server:
    """A check that needs a server, which is down for a while, once or several times."""

    down: list[tuple[float, float]]
    """From which moment on, and for how many seconds."""
    workers: int = 1
    rate: float = 1.0
    warnings: list[str] = field(default_factory=list)
    rng: random.Random = field(default_factory=lambda: random.Random(0))

    def __post_init__(self) -> None:
        self.executor = SimulatedExecutor(self._test, self.workers, lambda case: 0.1)

    def _test(self, case: bytes) -> Outcome:
        now = self.executor.now
        if any(begin <= now < begin + seconds for begin, seconds in self.down):
            return Outcome.PASS
        return Outcome.FAIL if truth(case) and self.rng.random() < self.rate else Outcome.PASS

    def _sleep(self, seconds: float) -> None:
        self.executor.now += seconds

    def _begin(self, warn: Callable[[str], None]) -> Outage:
        return Outage(warn, lambda: self.executor.now, self._sleep)

    def reduced(self, reproduction: float | None = None) -> Result[bytes]:
        best: Best[bytes] = Best()
        repeated = RepeatedRuns(
            self.executor, best, reproduction=reproduction, warn=self.warnings.append, begin_outage=self._begin
        )
        told: list[RunEvent] = []

        def notify(notice: RunEvent) -> None:
            repeated(notice)
            told.append(notice)

        run: Run[bytes] = Run(repeated, notify=notify, best=best, confirm=repeated.confirm)
        return run.reduce_by_edits(
            INPUT, lambda case, tester, accept: DefaultReducer(list(PLAIN))(case, tester, accept), empty=b""
        )


CALM = Server([]).reduced().case


@pytest.mark.parametrize("workers", [1, 4])
@pytest.mark.parametrize("seconds", [10.0, 60.0, 7200.0])
@pytest.mark.parametrize("begin", [0.35, 1.0, 3.0])
def test_a_check_that_cannot_work_for_a_while_costs_time_and_nothing_else(
    begin: float, seconds: float, workers: int
) -> None:
    server = Server([(begin, seconds)], workers)
    result = server.reduced()
    assert result.end is End.FINISHED
    assert truth(result.case)
    assert len(result.case) <= len(CALM)
    assert server.warnings[-1].endswith("; continuing from the best so far, without the outcomes seen before")
    assert len(server.warnings) == (1 if server.warnings[0].startswith("for a moment") else 2)
    assert server.executor.now < 2 * (begin + seconds) + LONGEST_PAUSE + 200


def test_a_server_that_goes_down_again_and_again_is_waited_for_each_time() -> None:
    server = Server([(1.0, 5.0), (20.0, 5.0), (40.0, 5.0)])
    assert server.reduced().case == CALM
    assert not any("flaky" in text for text in server.warnings)


def test_a_flaky_check_is_not_taken_for_a_server_that_is_down() -> None:
    for seed in range(20):
        server = Server([], rate=0.6, rng=random.Random(seed))
        assert truth(server.reduced(0.3).case)
        assert not any("nothing reproduces" in text for text in server.warnings)


def test_an_outage_of_a_flaky_check_is_waited_for_too() -> None:
    for seed in range(10):
        server = Server([(30.0, 300.0)], rate=0.6, rng=random.Random(seed))
        assert truth(server.reduced(0.3).case)
        assert any("nothing reproduces" in text for text in server.warnings)


def test_what_never_comes_back_ends_the_run_with_the_best_so_far() -> None:
    server = Server([(2.0, 10 * GIVEN_UP_AFTER)])
    result = server.reduced()
    assert result.end is End.EXECUTOR_LOST
    assert truth(result.case)
    assert len(result.case) < len(INPUT)


def test_a_budget_of_time_ends_a_pause() -> None:
    slept: list[float] = []
    now = [0.0]

    def sleep(seconds: float) -> None:
        slept.append(seconds)
        now[0] += seconds

    outage = Outage(lambda text: None, lambda: now[0], sleep)
    assert [outage.is_due(0.4) for _ in range(3)] == [False, False, True]
    outage.goes_on()
    assert not outage.is_due(0.5)
    assert max(slept) <= 0.5


def test_a_row_of_rejections_for_a_new_reason_is_strange_until_the_check_is_seen_to_work() -> None:
    reasons = Reasons()
    no, down = Verdict(Outcome.PASS, "exit 1"), Verdict(Outcome.PASS, "exit 7")
    assert not any(reasons.is_strange(no) for _ in range(50))
    assert [reasons.is_strange(down) for _ in range(STRANGE)] == [*[False] * (STRANGE - 1), True]
    reasons.works()
    assert not any(reasons.is_strange(down) for _ in range(50))
