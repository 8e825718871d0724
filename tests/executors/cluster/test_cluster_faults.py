"""What may go wrong on a cluster: no wrong verdict, no end of the run where it can go on, and nothing left there."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import time
from functools import partial
from pathlib import Path
from threading import Thread

import pytest

from minrepro.algorithms.lists.ddmin import ddmin
from minrepro.core.events import Listener, Resized, RunEvent, Warned, ignore
from minrepro.core.protocols import Job
from minrepro.core.verdicts import Outcome, Verdict
from minrepro.documents.text import CUTTERS, reduce_text
from minrepro.engine.run import Result, Run
from minrepro.errors import ExecutorLost
from minrepro.executors.cluster.cluster_executor import Cluster
from tests.cli.command_line import until
from tests.executors.cluster.clusters import RealCluster, Wire, capacity_reaches, free_port, joined, script

pytestmark = pytest.mark.cluster

DATA = b"".join(b"unit %d\n" % number for number in range(20))
SMALLEST = b"unit 4\nunit 15\n"
NEEDS = "sleep 0.1; grep -qx 'unit 4' \"$1\" && grep -qx 'unit 15' \"$1\""
AMPLE = 600.0
"""Seconds of waiting for a cluster that a test never needs, however slow the machine is."""
reduction = partial(reduce_text, minimize=ddmin, cutters=[CUTTERS["lines"]])


def reduced(executor: Cluster, notify: Listener = ignore) -> Result[bytes]:
    return Run[bytes](executor, notify=notify).reduce(DATA, reduction, empty=b"")


def warnings_in(notices: list[RunEvent]) -> list[str]:
    return [notice.text for notice in notices if isinstance(notice, Warned)]


def test_workers_that_are_killed_lose_nothing_and_one_that_comes_late_helps(
    cluster: RealCluster, tmp_path: Path
) -> None:
    notices: list[RunEvent] = []
    for name in ("first", "second"):
        cluster.worker(name)
    check = script(tmp_path / "check.sh", NEEDS)

    def fate() -> None:
        time.sleep(0.4)
        cluster.kill("first")
        cluster.worker("late")
        until(lambda: executor.capacity == 4)
        cluster.kill("second")

    with joined(cluster.address, check, DATA, notify=notices.append) as executor:
        until(capacity_reaches(executor, 4))
        killing = Thread(target=fate)
        killing.start()
        results = [reduced(executor) for _ in range(2)]
        while killing.is_alive():
            results.append(reduced(executor))
        results.append(reduced(executor))
        killing.join()
        until(capacity_reaches(executor, 2))
    assert {(result.case, result.why) for result in results} == {(SMALLEST, "finished")}
    assert Resized(2, 4) in notices
    assert warnings_in(notices) == []
    until(lambda: cluster.others() == [])


def test_checks_of_a_worker_that_is_killed_end(cluster: RealCluster, tmp_path: Path) -> None:
    cluster.worker("only")
    check = script(tmp_path / "check.sh", 'test -s "$1" && exit 0; sleep 1000')
    with joined(cluster.address, check, DATA) as executor:
        until(capacity_reaches(executor, 2))
        executor.start(b"")
        until(lambda: any(words.startswith("sleep 1000") for words in cluster.others()))
        cluster.kill("only")
        until(lambda: cluster.others() == [])


def test_a_scheduler_that_is_lost_ends_the_run_with_the_best_so_far(cluster: RealCluster, tmp_path: Path) -> None:
    cluster.worker("only")
    cluster.wait_for_workers(1)
    check = script(tmp_path / "check.sh", NEEDS)
    with joined(cluster.address, check, DATA, wait=2.0) as executor:
        until(capacity_reaches(executor, 2))
        accepted = 0

        def kill_soon(notice: RunEvent) -> None:
            nonlocal accepted
            accepted += type(notice).__name__ == "Accepted"
            if accepted == 3:
                cluster.scheduler.kill()

        result = reduced(executor, kill_soon)
    assert result.why == "lost the cluster's scheduler for 2 seconds"
    assert not result.finished
    assert len(SMALLEST) <= len(result.case) < len(DATA)
    assert b"unit 4\n" in result.case and b"unit 15\n" in result.case
    until(lambda: cluster.others() == [])


def test_a_scheduler_that_comes_back_in_time_is_found_again(cluster: RealCluster, tmp_path: Path) -> None:
    cluster.worker("before")
    check = script(tmp_path / "check.sh", NEEDS)
    address = cluster.address
    with joined(address, check, DATA, wait=AMPLE) as executor:
        until(capacity_reaches(executor, 2))
        cluster.scheduler.kill()
        cluster.scheduler.wait()
        cluster.start_scheduler(address)
        cluster.worker("after")
        result = reduced(executor)
    assert (result.case, result.why) == (SMALLEST, "finished")


def test_a_connection_that_is_cut_is_made_again(cluster: RealCluster, tmp_path: Path) -> None:
    cluster.worker("only")
    check = script(tmp_path / "check.sh", NEEDS)
    accepted = 0

    def cut_soon(notice: RunEvent) -> None:
        nonlocal accepted
        accepted += type(notice).__name__ == "Accepted"
        if accepted == 3:
            wire.cut()

    with Wire(cluster.address) as wire, joined(wire.address, check, DATA, wait=AMPLE) as executor:
        until(capacity_reaches(executor, 2))
        wire.cut()
        result = reduced(executor, cut_soon)
    assert (result.case, result.why) == (SMALLEST, "finished")
    assert accepted > 3


def test_a_new_scheduler_that_is_found_before_the_old_one_is_missed_is_used(
    cluster: RealCluster, tmp_path: Path
) -> None:
    cluster.worker("before")
    check = script(tmp_path / "check.sh", NEEDS)
    (tmp_path / "new").mkdir()
    new = RealCluster(tmp_path / "new")
    try:
        new.worker("after")
        new.wait_for_workers(1)
        with Wire(cluster.address) as wire, joined(wire.address, check, DATA, wait=AMPLE) as executor:
            until(capacity_reaches(executor, 2))
            wire.lead_to(new.address)
            wire.cut()
            result = reduced(executor)
    finally:
        new.close()
    assert (result.case, result.why) == (SMALLEST, "finished")


def test_before_the_input_was_tested_a_lost_cluster_is_an_error(cluster: RealCluster, tmp_path: Path) -> None:
    with (
        joined(cluster.address, script(tmp_path / "check.sh", NEEDS), DATA, wait=0.5) as executor,
        pytest.raises(ExecutorLost, match=r"no usable worker on the cluster for 0\.5 seconds"),
    ):
        reduced(executor)


def test_workers_without_the_program_or_without_this_package_are_left_out_and_told_of(
    cluster: RealCluster, tmp_path: Path
) -> None:
    programs = tmp_path / "bin"
    programs.mkdir()
    script(programs / "program", NEEDS)
    check = script(tmp_path / "check.sh", 'program "$1"')
    cluster.worker("able", environment={"PATH": f"{programs}:{os.environ['PATH']}"})
    cluster.worker("unable")
    (tmp_path / "sitecustomize.py").write_text("import sys; sys.modules['minrepro'] = None\n")
    cluster.worker("bare", environment={"PYTHONPATH": str(tmp_path)})
    notices: list[RunEvent] = []
    with joined(cluster.address, check, DATA, notify=notices.append) as executor:
        until(lambda: bool(executor.wait([], 0)) or len(warnings_in(notices)) == 2)
        assert reduced(executor).case == SMALLEST
        assert executor.capacity == 2
    bare, unable = sorted(warnings_in(notices))
    assert bare.startswith("not using worker bare: ModuleNotFoundError: ")
    assert unable == "not using worker unable: the input does not reproduce the failure there (exit 127)"


def test_a_worker_that_loses_the_program_later_is_left_out_and_told_of(
    cluster: RealCluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("minrepro.executors.cluster.worker_pool.DOUBTFUL", 4)
    for name in ("able", "losing"):
        (tmp_path / name).mkdir()
        script(tmp_path / name / "program", NEEDS)
        cluster.worker(name, environment={"PATH": f"{tmp_path / name}:{os.environ['PATH']}"})
    check = script(tmp_path / "check.sh", 'program "$1"')
    notices: list[RunEvent] = []
    with joined(cluster.address, check, DATA, notify=notices.append) as executor:
        until(capacity_reaches(executor, 4))
        (tmp_path / "losing" / "program").unlink()
        wrong = 0
        while executor.capacity == 4:
            jobs = [executor.start(DATA + b"%d\n" % number) for number in range(4)]
            while jobs:
                done = executor.wait(jobs)
                jobs = [job for job in jobs if job not in done]
                wrong += sum(verdict.outcome is not Outcome.FAIL for verdict in done.values())
        assert wrong < 4
        assert reduced(executor).case == SMALLEST
    told, doubted = sorted(warnings_in(notices))
    assert told == "not using worker losing: the input does not reproduce the failure there (exit 127)"
    assert doubted.startswith("up to 3 outcomes of losing may be wrong")


def test_tests_of_a_worker_that_hangs_run_elsewhere_until_it_is_back(cluster: RealCluster, tmp_path: Path) -> None:
    check = script(tmp_path / "check.sh", NEEDS)
    hanging = cluster.worker("hanging")
    with joined(cluster.address, check, DATA, silence=2.0) as executor:
        until(capacity_reaches(executor, 2))
        jobs = [executor.start(DATA[: -number * 7]) for number in (1, 2)]
        hanging.send_signal(signal.SIGSTOP)
        cluster.worker("other")
        verdicts: dict[Job, Verdict] = {}
        while len(verdicts) < 2:
            verdicts.update(executor.wait([job for job in jobs if job not in verdicts]))
        assert {verdict.outcome for verdict in verdicts.values()} == {Outcome.FAIL}
        until(capacity_reaches(executor, 2))
        hanging.send_signal(signal.SIGCONT)
        until(capacity_reaches(executor, 4))


def test_a_worker_that_is_restarted_at_the_same_address_is_told_about_the_run_again(
    cluster: RealCluster, tmp_path: Path
) -> None:
    port = ["--worker-port", str(free_port())]
    cluster.worker("same", more=port)
    with joined(cluster.address, script(tmp_path / "check.sh", NEEDS), DATA) as executor:
        until(capacity_reaches(executor, 2))
        cluster.kill("same")
        cluster.worker("same", more=port)
        assert reduced(executor).case == SMALLEST


def test_no_verdict_is_taken_from_a_worker_whose_disk_is_full(cluster: RealCluster, tmp_path: Path) -> None:
    small = tmp_path / "small"
    small.mkdir()
    # The check decides by a copy of the case: on a full disk it would say that the failure is absent.
    check = script(tmp_path / "check.sh", 'cp "$1" copy && grep -qx "unit 4" copy')
    disk = f'mount -t tmpfs -o size=20m none {small} && exec "$@"'
    in_a_small_world = ["unshare", "--map-root-user", "--mount", "sh", "-c", disk, "sh"]
    if shutil.which("unshare") is None or subprocess.run([*in_a_small_world, "true"], check=False).returncode:
        pytest.skip("needs a file system of its own for one process")
    filling = cluster.worker("full", before=in_a_small_world, more=["--local-directory", str(small)])
    notices: list[RunEvent] = []
    with joined(cluster.address, check, DATA, notify=notices.append) as executor:
        until(capacity_reaches(executor, 2))
        # As seen by the worker, and by nobody else.
        inside = Path(f"/proc/{filling.pid}/root{small}/filling")
        inside.write_bytes(bytes(13 << 20))
        jobs = [executor.start(DATA[: -number * 7]) for number in (1, 2)]
        until(lambda: bool(executor.wait([], 0)) or warnings_in(notices) != [])
        cluster.worker("other")
        verdicts: dict[Job, Verdict] = {}
        while len(verdicts) < 2:
            verdicts.update(executor.wait([job for job in jobs if job not in verdicts]))
        assert {verdict.outcome for verdict in verdicts.values()} == {Outcome.FAIL}
    (warning,) = warnings_in(notices)
    assert re.fullmatch(f"not using worker full: the disk of {small}/.* is full", warning)
