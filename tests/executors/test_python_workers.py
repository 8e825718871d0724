"""Tests by a Python function in worker processes."""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Literal

import pytest

from minrepro.core.protocols import Job
from minrepro.core.verdicts import Outcome, Verdict
from minrepro.errors import CheckError, UsageError
from minrepro.executors.python_workers import PythonWorkers
from minrepro.oracles.function import FunctionOracle

SOON = 60.0
"""Seconds after which a test gives up instead of hanging."""
WAYS: tuple[Literal["fork", "spawn"], ...] = ("fork", "spawn")

pytestmark = pytest.mark.processes


def large(case: int) -> bool:
    return case > 5


def strange(case: str) -> bool:
    """Do what a candidate says."""
    match case.split():
        case ["exit", status]:
            os._exit(int(status))
        case ["leave", status]:
            sys.exit(int(status))
        case ["kill"]:
            os.kill(os.getpid(), signal.SIGKILL)
        case ["sleep"]:
            time.sleep(SOON)
        case ["raise"]:
            raise ZeroDivisionError("in the check")
        case ["start", path]:
            child = subprocess.Popen(["sleep", "600"])
            Path(path).write_text(f"{os.getpid()} {child.pid}")
            time.sleep(SOON)
    return case == "yes"


def all_verdicts(executor: PythonWorkers, cases: list[Any]) -> list[Verdict]:
    """Return the verdicts of cases, as many at a time as the executor allows."""
    todo = list(enumerate(cases))
    running: dict[Job, int] = {}
    verdicts: dict[int, Verdict] = {}
    while todo or running:
        while todo and len(running) < executor.capacity:
            number, case = todo.pop(0)
            running[executor.start(case)] = number
        for job, verdict in executor.wait(running, SOON).items():
            verdicts[running.pop(job)] = verdict
    return [verdicts[number] for number in range(len(cases))]


@pytest.fixture(params=WAYS)
def workers(request: pytest.FixtureRequest) -> Iterator[Callable[..., PythonWorkers]]:
    """Return what makes an executor that is closed at the end."""
    made: list[PythonWorkers] = []

    def make(function: Callable[[Any], bool], jobs: int = 2, limit: float | None = None) -> PythonWorkers:
        made.append(PythonWorkers(FunctionOracle(function), jobs, limit, begin=request.param))
        return made[-1]

    yield make
    for executor in made:
        executor.close()


def is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + SOON
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def open_files() -> int:
    return len(os.listdir("/proc/self/fd"))  # noqa: PTH208


def test_all_cases_get_their_verdicts(workers: Callable[..., PythonWorkers]) -> None:
    verdicts = all_verdicts(workers(large, 3), list(range(10)))
    assert [verdict.outcome is Outcome.FAIL for verdict in verdicts] == [number > 5 for number in range(10)]
    assert all(verdict.seconds > 0 for verdict in verdicts)


def test_a_function_that_cannot_be_imported_is_forked() -> None:
    limit = 3
    executor = PythonWorkers(FunctionOracle(lambda case: case > limit), 2)
    assert [v.outcome for v in all_verdicts(executor, [2, 4])] == [Outcome.PASS, Outcome.FAIL]
    executor.close()


def test_beside_other_threads_a_function_is_imported_by_name_where_possible() -> None:
    stop = threading.Event()
    thread = threading.Thread(target=stop.wait)
    thread.start()
    try:
        executor = PythonWorkers(FunctionOracle(large), 1)
        assert executor._context.get_start_method() == "spawn"
        assert all_verdicts(executor, [9])[0].outcome is Outcome.FAIL
        executor.close()
    finally:
        stop.set()
        thread.join()


@pytest.mark.parametrize(
    ("case", "told"),
    [
        ("exit 3", "ended with exit status 3"),
        ("leave 4", "ended with exit status 4"),
        ("kill", "was killed by SIGKILL"),
    ],
)
def test_a_worker_that_dies_leaves_its_candidate_unresolved_and_is_replaced(
    workers: Callable[..., PythonWorkers], case: str, told: str
) -> None:
    executor = workers(strange, 1)
    died, answered = all_verdicts(executor, [case, "yes"])
    assert died.outcome is Outcome.UNRESOLVED
    assert died.reason == f"the worker process {told}"
    assert answered.outcome is Outcome.FAIL


def test_a_worker_that_dies_while_idle_is_replaced(workers: Callable[..., PythonWorkers]) -> None:
    executor = workers(strange, 1)
    all_verdicts(executor, ["yes"])
    pid = executor._workers[0].process.pid
    assert pid is not None
    os.kill(pid, signal.SIGKILL)
    until(lambda: not is_alive(pid))
    assert all_verdicts(executor, ["yes"])[0].outcome is Outcome.FAIL


def test_a_call_that_takes_too_long_is_killed(workers: Callable[..., PythonWorkers]) -> None:
    executor = workers(strange, 1, 0.2)
    slow, quick = all_verdicts(executor, ["sleep", "no"])
    assert slow.outcome is Outcome.UNRESOLVED
    assert slow.reason == "timed out after 0.2 s"
    assert slow.limit == 0.2
    assert quick.limit is None or quick.outcome is Outcome.UNRESOLVED  # a spawned worker takes a while to begin


def test_what_a_check_has_started_is_killed_with_it(workers: Callable[..., PythonWorkers], tmp_path: Path) -> None:
    told = tmp_path / "told"
    executor = workers(strange, 1)
    executor.start(f"start {told}")
    until(lambda: told.exists() and len(told.read_text().split()) == 2)
    pids = [int(word) for word in told.read_text().split()]
    assert all(map(is_alive, pids))
    executor.close()
    until(lambda: not any(map(is_alive, pids)))


def test_a_test_that_nobody_wants_does_not_keep_its_worker(workers: Callable[..., PythonWorkers]) -> None:
    executor = workers(strange, 1)
    for _ in range(3):
        executor.cancel(executor.start("sleep"))
    assert all_verdicts(executor, ["yes"])[0].outcome is Outcome.FAIL
    assert len(executor._workers) == 1


def test_a_worker_that_ends_an_unwanted_test_at_once_is_used_again(workers: Callable[..., PythonWorkers]) -> None:
    executor = workers(strange, 1)
    all_verdicts(executor, ["no"])
    pid = executor._workers[0].process.pid
    executor.cancel(executor.start("no"))
    executor._workers[0].line.poll(SOON)
    assert all_verdicts(executor, ["yes"])[0].outcome is Outcome.FAIL
    assert executor._workers[0].process.pid == pid


def test_an_exception_of_the_check_comes_back_with_its_traceback(workers: Callable[..., PythonWorkers]) -> None:
    executor = workers(strange, 1)
    job = executor.start("raise")
    with pytest.raises(CheckError, match="ZeroDivisionError: in the check\nfor the candidate 'raise'") as caught:
        executor.wait([job], SOON)
    assert "in strange" in "".join(caught.value.__notes__)


def test_waiting_ends_when_the_timeout_passes(workers: Callable[..., PythonWorkers]) -> None:
    executor = workers(strange, 1)
    assert executor.wait([executor.start("sleep")], 0.01) == {}


def test_candidates_that_cannot_be_sent_are_refused() -> None:
    executor = PythonWorkers(FunctionOracle(large), 1)
    with pytest.raises(UsageError, match="cannot be sent to a worker process"):
        executor.start(lambda: None)
    executor.close()


def test_nothing_is_left_when_it_is_closed() -> None:
    all_verdicts(spawned := PythonWorkers(FunctionOracle(large), 1, begin="spawn"), [1])
    spawned.close()  # Python itself keeps a helper from now on
    before = open_files()
    executor = PythonWorkers(FunctionOracle(strange), 3, begin="fork")
    all_verdicts(executor, ["yes", "no", "kill", "exit 1", "no", "no"])
    executor.start("sleep")
    pids = [worker.process.pid for worker in executor._workers]
    executor.close()
    executor.close()
    assert open_files() == before
    assert not any(is_alive(pid) for pid in pids if pid is not None)


def test_workers_end_when_the_reducer_is_killed(tmp_path: Path) -> None:
    told = tmp_path / "told"
    script = f"""
        from pathlib import Path
        import os, time
        from minrepro.executors.python_workers import PythonWorkers
        def check(case):
            Path({str(told)!r}).write_text(str(os.getpid()))
            while True:
                time.sleep(0.01)
        executor = PythonWorkers(check, 2)
        executor.wait([executor.start(b"")])
    """
    reducer = subprocess.Popen([sys.executable, "-c", textwrap.dedent(script)])
    until(lambda: told.exists() and told.read_text() != "")
    worker = int(told.read_text())
    assert is_alive(worker)
    reducer.kill()
    reducer.wait()
    until(lambda: not is_alive(worker))


def test_an_error_of_the_package_survives_being_sent() -> None:
    assert str(pickle.loads(pickle.dumps(CheckError("text")))) == "text"
