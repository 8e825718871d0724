"""What must hold for every run, whatever goes wrong at whatever moment."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from hypothesis import given, settings
from hypothesis import strategies as st

from minrepro.core.events import Accepted, RunEvent
from minrepro.core.protocols import Job
from minrepro.core.verdicts import Outcome, Verdict
from minrepro.engine.run import Run
from minrepro.errors import Stopped
from minrepro.settings import Budget, Mode
from minrepro.testing import SimulatedExecutor
from tests.properties.strategies import Minimizer, minimizers, oracles

Oracle = Callable[[Sequence[int]], Outcome]
Case = tuple[int, ...]


class Broken(Exception):
    """What an executor raises that has a bad day."""


class Treacherous(SimulatedExecutor):
    """An executor that raises at one chosen moment: while it starts a test, or while it waits."""

    def __init__(self, test: Oracle, workers: int, trouble: type[BaseException], moment: int, salt: int) -> None:
        super().__init__(test, workers, lambda case: 1 + hash((salt, *case)) % 7)
        self._trouble = trouble
        self._moment = moment

    def start(self, case: Case) -> Job:
        self._pass_a_moment()
        return super().start(case)

    def wait(self, jobs: Iterable[Job], timeout: float | None = None) -> Mapping[Job, Verdict]:
        self._pass_a_moment()
        return super().wait(jobs, timeout)

    def _pass_a_moment(self) -> None:
        self._moment -= 1
        if self._moment == 0:
            raise self._trouble("at a bad moment")


troubles = st.sampled_from([KeyboardInterrupt, Stopped, Broken])
modes: st.SearchStrategy[Mode] = st.sampled_from(["in order", "race"])


@given(oracles(), minimizers, st.integers(1, 9), modes, troubles, st.integers(1, 60), st.integers(0, 99))
@settings(max_examples=500)
def test_whenever_a_run_is_broken_off_nothing_runs_on_and_what_was_found_is_kept(
    problem: tuple[range, Oracle],
    minimize: Minimizer,
    workers: int,
    mode: Mode,
    trouble: type[BaseException],
    moment: int,
    salt: int,
) -> None:
    units, test = problem
    executor = Treacherous(test, workers, trouble, moment, salt)
    best: list[Case] = []

    def listen(notice: RunEvent) -> None:
        if isinstance(notice, Accepted) and notice.smallest:
            best.append(notice.case)

    run: Run[Case] = Run(executor, mode=mode, notify=listen)
    try:
        result = run.reduce(tuple(units), minimize)
    except (KeyboardInterrupt, Stopped):
        assert best == []  # there was nothing to give back
    except Broken:
        assert trouble is Broken
    else:
        assert result.case == best[-1]
        assert test(result.case) is Outcome.FAIL
        assert result.finished or trouble is not Broken
    assert not executor.running
    assert executor.most_running <= workers


@given(oracles(), minimizers, st.integers(1, 9), modes, st.integers(1, 40), st.integers(0, 99))
@settings(max_examples=300)
def test_a_budget_is_kept_to_the_test_and_the_best_so_far_fails(
    problem: tuple[range, Oracle], minimize: Minimizer, workers: int, mode: Mode, tests: int, salt: int
) -> None:
    units, test = problem
    executor = SimulatedExecutor(test, workers, lambda case: 1 + hash((salt, *case)) % 7)
    result = Run[Case](executor, mode=mode, budget=Budget(tests=tests)).reduce(tuple(units), minimize)
    assert executor.started <= tests
    assert executor.most_running <= workers
    assert not executor.running
    assert test(result.case) is Outcome.FAIL


@given(oracles(), minimizers, st.integers(1, 9), modes, st.integers(1, 99), st.integers(0, 99))
@settings(max_examples=300)
def test_a_run_that_a_listener_stops_or_breaks_leaves_nothing_running(
    problem: tuple[range, Oracle], minimize: Minimizer, workers: int, mode: Mode, moment: int, salt: int
) -> None:
    units, test = problem
    executor = SimulatedExecutor(test, workers, lambda case: 1 + hash((salt, *case)) % 7)
    heard = 0

    def listen(notice: RunEvent) -> None:
        nonlocal heard
        heard += 1
        if heard == moment:
            if salt % 2:
                raise Broken
            run.stop("heard enough")

    run: Run[Case] = Run(executor, mode=mode, notify=listen)
    try:
        result = run.reduce(tuple(units), minimize)
        assert test(result.case) is Outcome.FAIL
    except Broken:
        assert heard == moment
    except Stopped:
        assert moment <= 2
    assert not executor.running
    assert executor.most_running <= workers
