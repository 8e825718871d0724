"""Tests on a real cluster: the same results as here, and nothing left there."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from functools import partial
from pathlib import Path

import dask
import pytest

from minrepro.algorithms.algorithm_registry import LIST_ALGORITHMS, list_minimizer
from minrepro.core.events import Resized, RunEvent, Warned
from minrepro.core.limits import Limits
from minrepro.core.protocols import Executor
from minrepro.core.verdicts import Outcome
from minrepro.documents.text import CUTTERS, reduce_text
from minrepro.engine.default_reducer import DefaultReducer
from minrepro.engine.run import Result, Run
from minrepro.errors import CheckError, ClusterError, MissingExtra, NotFailing, UsageError
from minrepro.executors.cluster.cluster_executor import Cluster
from minrepro.executors.local.process_pool import Processes
from minrepro.oracles.command import CommandOracle
from minrepro.passes.default_passes import PLAIN
from tests.cli.command_line import until
from tests.executors.cluster.clusters import RealCluster, capacity_reaches, joined, script

pytestmark = pytest.mark.cluster

DATA = b"".join(b"unit %d\n" % number for number in range(12))
NEEDS = "grep -qx 'unit 7' \"$1\" && grep -qx 'unit 8' \"$1\" && grep -qx 'unit 10' \"$1\""


def reduced(executor: Executor, algorithm: str) -> Result[bytes]:
    reduction = partial(reduce_text, minimize=list_minimizer(algorithm), cutters=[CUTTERS["lines"]])
    return Run[bytes](executor).reduce(DATA, reduction, empty=b"")


def test_every_algorithm_gives_the_result_of_the_local_run(steady: RealCluster, tmp_path: Path) -> None:
    check = script(tmp_path / "check.sh", NEEDS)
    with Processes(CommandOracle([str(check)], "input"), 2) as here, joined(steady.address, check, DATA) as there:
        until(capacity_reaches(there, 4))
        for algorithm in LIST_ALGORITHMS:
            assert reduced(there, algorithm).case == reduced(here, algorithm).case, algorithm


def test_the_deterministic_mode_gives_the_result_of_the_local_run(steady: RealCluster, tmp_path: Path) -> None:
    either = "grep -qx 'unit 7' \"$1\" && { grep -qx 'unit 8' \"$1\" || grep -qx 'unit 10' \"$1\"; }"
    check = script(tmp_path / "check.sh", either)
    results = []
    with Processes(CommandOracle([str(check)], "input"), 2) as here, joined(steady.address, check, DATA) as there:
        until(capacity_reaches(there, 4))
        for executor in (here, there):
            result = Run[bytes](executor).reduce_by_edits(DATA, DefaultReducer(PLAIN, width=8), empty=b"")
            results.append((result.case, result.tally.tests))
    assert results[0] == results[1]
    assert b"unit 7" in results[0][0]


def test_the_share_taken_is_bounded_and_never_nothing(steady: RealCluster, tmp_path: Path) -> None:
    check = script(tmp_path / "check.sh", "sleep 0.2")
    with joined(steady.address, check, DATA, jobs=3) as executor:
        assert executor.capacity >= 1
        until(capacity_reaches(executor, 3))
        jobs = {executor.start(DATA[:number]) for number in range(6)}
        while jobs:
            assert executor.capacity <= 3
            jobs -= executor.wait(jobs).keys()


def test_a_cancelled_check_ends_with_all_that_it_started(steady: RealCluster, tmp_path: Path) -> None:
    check = script(tmp_path / "check.sh", 'test -s "$1" && exit 0; sleep 1000 & sleep 1000')
    with joined(steady.address, check, DATA) as executor:
        until(capacity_reaches(executor, 4))
        jobs = [executor.start(b"") for _ in range(3)]
        until(lambda: len([words for words in steady.others() if words.startswith("sleep 1000")]) == 6)
        executor.cancel(jobs[0])
        until(lambda: len([words for words in steady.others() if words.startswith("sleep 1000")]) == 4)
        assert executor.wait(jobs[:1], 0.1) == {}
    until(lambda: steady.others() == [])


def test_a_case_is_tested_with_the_limits_of_the_local_executor(steady: RealCluster, tmp_path: Path) -> None:
    check = script(tmp_path / "check.sh", 'test -s "$1" && exit 0; sleep 1000')
    with joined(steady.address, check, DATA, timeout=0.5) as executor:
        job = executor.start(b"")
        verdict = executor.wait([job])[job]
        assert (verdict.outcome, verdict.limit) == (Outcome.UNRESOLVED, 0.5)
    until(lambda: steady.others() == [])


def test_a_check_has_the_limits_that_it_has_here(steady: RealCluster, tmp_path: Path) -> None:
    check = script(tmp_path / "check.sh", 'test -s "$1" || yes')
    limits = Limits(printed=10_000)
    verdicts = []
    with (
        joined(steady.address, check, DATA, limits=limits) as there,
        Processes(CommandOracle([str(check)], "input"), limits=limits) as here,
    ):
        executors: list[Executor] = [there, here]
        for executor in executors:
            job = executor.start(b"")
            verdicts.append(executor.wait([job])[job])
    assert verdicts[0].outcome is verdicts[1].outcome is Outcome.UNRESOLVED
    assert verdicts[0].reason == verdicts[1].reason


def test_nothing_goes_on_when_the_coordinator_is_killed(steady: RealCluster, tmp_path: Path) -> None:
    check = script(tmp_path / "check.sh", 'test -s "$1" && exit 0; sleep 1000')
    program = (
        "import sys; from pathlib import Path; from tests.executors.cluster.clusters import joined\n"
        "executor = joined(sys.argv[1], Path(sys.argv[2]), b'x')\n"
        "jobs = [executor.start(b'') for _ in range(2)]\n"
        "executor.wait(jobs)\n"
    )
    coordinator = subprocess.Popen([sys.executable, "-c", program, steady.address, str(check)])
    try:
        until(lambda: len([words for words in steady.others() if words.startswith("sleep 1000")]) == 2)
    finally:
        coordinator.kill()
        coordinator.wait()
    until(lambda: steady.others() == [])


def test_the_check_and_its_files_travel(cluster: RealCluster, tmp_path: Path) -> None:
    away = tmp_path / "away"
    away.mkdir()
    check = script(away / "check.sh", 'exec "$(dirname "$0")/helper" "$1"')
    helper = script(away / "helper", "grep -q 'unit 7' \"$1\"")
    with joined(cluster.address, check, DATA, files=[helper]) as executor:
        check.unlink()
        helper.unlink()
        cluster.worker("other")  # which has never seen them
        until(capacity_reaches(executor, 2))
        job = executor.start(b"unit 8\n")
        assert executor.wait([job])[job].outcome is Outcome.PASS
    assert not list((cluster.folder / "other").rglob("check.sh"))


def test_runs_that_share_a_cluster_share_it_fairly(steady: RealCluster, tmp_path: Path) -> None:
    check = script(tmp_path / "check.sh", "sleep 0.2")
    with joined(steady.address, check, DATA) as first, joined(steady.address, check, DATA) as second:
        done = {first: 0, second: 0}
        for executor in done:
            until(capacity_reaches(executor, 4))
        running = {executor: {executor.start(b"%d" % number) for number in range(4)} for executor in done}
        while sum(done.values()) < 60:
            for executor, jobs in running.items():
                finished = executor.wait(jobs, 0.02)
                done[executor] += len(finished)
                jobs.difference_update(finished)
                jobs.update([executor.start(b"%d" % number) for number in range(len(finished))])
    assert min(done.values()) > 0.3 * sum(done.values()) > 0


def test_an_input_that_does_not_fail_is_told_as_such(steady: RealCluster, tmp_path: Path) -> None:
    check = script(tmp_path / "check.sh", "exit 3")
    with joined(steady.address, check, DATA) as executor, pytest.raises(NotFailing, match="exit 3"):
        reduced(executor, "ddmin")


def test_a_check_that_can_be_run_nowhere_is_told_as_such(steady: RealCluster, tmp_path: Path) -> None:
    check = tmp_path / "check.sh"
    check.write_text("#!/no/such/shell\n")
    check.chmod(0o755)
    with joined(steady.address, check, DATA) as executor, pytest.raises(CheckError, match=r"check\.sh"):
        reduced(executor, "ddmin")


def test_a_scheduler_file_leads_to_the_cluster_and_its_size_is_told(steady: RealCluster, tmp_path: Path) -> None:
    notices: list[RunEvent] = []
    check = script(tmp_path / "check.sh", NEEDS)
    assert steady.address
    with joined(str(steady.scheduler_file), check, DATA, notify=notices.append) as executor:
        until(capacity_reaches(executor, 4))
    assert Resized(2, 4) in notices
    assert not [notice for notice in notices if isinstance(notice, Warned)]


@pytest.mark.skipif(shutil.which("openssl") is None, reason="needs openssl to make a certificate")
def test_the_tls_settings_of_dask_are_honoured(tmp_path: Path) -> None:
    words = "openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=minrepro -keyout key.pem -out cert.pem"
    subprocess.run(words.split(), cwd=tmp_path, check=True, stderr=subprocess.DEVNULL)
    key, certificate = str(tmp_path / "key.pem"), str(tmp_path / "cert.pem")
    settings = {"distributed.comm.tls.ca-file": certificate, "distributed.comm.require-encryption": True}
    for role in ("client", "scheduler", "worker"):
        settings |= {f"distributed.comm.tls.{role}.key": key, f"distributed.comm.tls.{role}.cert": certificate}
    environment = {
        "DASK_" + name.replace(".", "__").replace("-", "_").upper(): str(value) for name, value in settings.items()
    }
    check = script(tmp_path / "check.sh", NEEDS)
    real = RealCluster(tmp_path, "tls://127.0.0.1:0", environment)
    try:
        real.worker("only")
        with dask.config.set(settings), joined(real.address, check, DATA) as executor:
            until(capacity_reaches(executor, 2))
            assert real.address.startswith("tls://")
            assert reduced(executor, "halving").case == b"unit 7\nunit 8\nunit 10\n"
    finally:
        real.close()


def test_a_local_cluster_is_started_and_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    check = script(tmp_path / "check.sh", NEEDS)
    before = children_of(os.getpid())
    with joined("local:3", check, DATA) as executor:
        until(capacity_reaches(executor, 3))
        assert reduced(executor, "halving").case == b"unit 7\nunit 8\nunit 10\n"
    assert children_of(os.getpid()) == before


def children_of(pid: int) -> list[int]:
    """Return what a process has started and not yet seen the end of, except the tracker of Python's multiprocessing."""
    children = []
    for task in Path(f"/proc/{pid}/task").iterdir():
        children += [int(child) for child in (task / "children").read_text().split()]
    trackers = [child for child in children if b"resource_tracker" in Path(f"/proc/{child}/cmdline").read_bytes()]
    return [child for child in children if child not in trackers]


@pytest.mark.parametrize(
    ("where", "error", "text"),
    [
        ("local:none", UsageError, "number of workers"),
        ("no/such/scheduler.json", ClusterError, "no scheduler file no/such/scheduler.json"),
        ("tcp://127.0.0.1:9", ClusterError, "no Dask scheduler responds at tcp://127.0.0.1:9"),
        ("what://127.0.0.1:9", ClusterError, "no Dask scheduler responds at what://127.0.0.1:9"),
    ],
)
def test_a_cluster_that_is_not_there_is_told_as_such(
    where: str, error: type[Exception], text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("minrepro.executors.cluster.connection.CONNECTING", 1.0)
    with pytest.raises(error, match=text):
        joined(where, script(tmp_path / "check.sh", NEEDS), DATA)


def test_a_file_that_cannot_be_sent_is_told_as_such(steady: RealCluster, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"cannot copy .*absent to the cluster: No such file"):
        joined(steady.address, script(tmp_path / "check.sh", NEEDS), DATA, files=[tmp_path / "absent"])


def test_without_dask_the_message_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(MissingExtra, match=r"pip install 'minrepro\[cluster\]'"):
        joined("local:1", script(tmp_path / "check.sh", NEEDS), DATA)


def test_closing_twice_and_cancelling_afterwards_does_no_harm(steady: RealCluster, tmp_path: Path) -> None:
    executor: Cluster = joined(steady.address, script(tmp_path / "check.sh", NEEDS), DATA)
    job = executor.start(DATA)
    executor.close()
    executor.cancel(job)
    executor.close()
    assert executor.wait([job], 0) == {}
    until(lambda: steady.others() == [])
    assert signal.SIGCHLD not in signal.sigpending()
