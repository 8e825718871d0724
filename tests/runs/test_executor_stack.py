"""--cluster: the same command, elsewhere."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys

import pytest

from tests.cli.command_line import CommandLine, Done, ended, processes_in, until
from tests.executors.cluster.clusters import RealCluster

LINES = "".join(f"unit {number}\n" for number in range(12))


def test_a_local_cluster_gives_the_same_result_and_leaves_nothing(shell: CommandLine) -> None:
    shell.check("grep -qx 'unit 3' \"$1\" && grep -qx 'unit 8' \"$1\"")
    shell.write("input.txt", LINES)
    words = ("reduce", "./check.sh", "input.txt", "--units", "lines", "-o")
    here = shell.run(*words, "here.txt")
    there = shell.run(*words, "there.txt", "--cluster", "local:2", "-j", "2")
    assert (here.status, there.status) == (0, 0), there.stderr
    assert (shell.folder / "there.txt").read_bytes() == (shell.folder / "here.txt").read_bytes()
    assert "checks in parallel" in there.stderr
    assert processes_in(shell.temporary) == []


@pytest.mark.usefixtures("sandboxes")
def test_checks_on_a_cluster_run_in_sandboxes(shell: CommandLine) -> None:
    shell.check(f'echo spoilt >>{shell.folder}/input.txt; kill -STOP $PPID; test "$(wc -l < "$1")" -ge 12')
    shell.write("input.txt", LINES)
    done = shell.run(
        "reduce", "./check.sh", "input.txt", "--units", "lines", "--cluster", "local:1", "--max-tests", "3"
    )
    assert done.status == 0, done.stderr
    assert "checks run in a sandbox" in done.stderr
    assert (shell.folder / "input.txt").read_text() == LINES


def test_an_interrupt_ends_a_local_cluster_with_the_best_so_far(shell: CommandLine) -> None:
    started = shell.folder / "started"
    shell.check(f'test "$(wc -l < "$1")" = 12 && exit 0; touch {started}; sleep 1000')
    shell.write("input.txt", LINES)
    words = ("reduce", "./check.sh", "input.txt", "--units", "lines", "--cluster", "local:2", "--sandbox", "off")
    command = subprocess.Popen(
        [sys.executable, "-m", "minrepro", *words],
        cwd=shell.folder,
        env=shell.environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    until(started.exists)
    os.killpg(command.pid, signal.SIGINT)  # as a terminal does: the workers hear it too
    done = ended(command)
    assert done.status == 130, done.stderr
    assert "Traceback" not in done.stderr
    assert (shell.folder / "input.min.txt").read_text() == LINES
    assert processes_in(shell.temporary) == []


SLOW = 'n=$(wc -l < "$1"); [ $n = 0 ] && exit 1; [ $n -gt 1 ] && [ $n -lt 5 ] && { touch %s; sleep 1000; }; %s'


def ended_when_lost(shell: CommandLine, part: str, words: list[str]) -> Done:
    """Run a command on a cluster that loses its scheduler or its only worker once a slow check has been started."""
    started = shell.folder.parent / "started"
    shell.check(SLOW % (started, "grep -qx 'unit 3' \"$1\""))
    folder = shell.folder.parent / "cluster"
    folder.mkdir()
    cluster = RealCluster(folder)
    try:
        cluster.worker("only")
        cluster.wait_for_workers(1)
        command = shell.start(*words, "--sandbox", "off", "--cluster", cluster.address, "--cluster-timeout", "2")
        until(started.exists)
        if part == "scheduler":
            cluster.scheduler.kill()
        else:
            cluster.kill("only")
        return ended(command)
    finally:
        cluster.close()


def test_a_reduction_that_loses_the_scheduler_keeps_the_best_so_far_and_says_so_by_its_status(
    shell: CommandLine,
) -> None:
    shell.write("input.txt", LINES)
    words = ["reduce", "./check.sh", "input.txt", "--algorithm", "ddmin", "--units", "lines", "--json", "-j", "1"]
    done = ended_when_lost(shell, "scheduler", [*words, "--explain", "--report", "report.md"])
    assert done.status == 3, done.stderr
    told = json.loads(done.stdout)
    assert (told["stop_reason"], told["finished"]) == ("lost the cluster's scheduler for 2 seconds", False)
    result = (shell.folder / "input.min.txt").read_text()
    assert "unit 3\n" in result and len(result) == told["bytes_after"] < len(LINES)
    assert "cannot explain the result, because no check can be run anymore" in done.stderr
    assert "lost the cluster's scheduler" in (shell.folder / "report.md").read_text()


def test_an_isolation_that_loses_all_workers_keeps_both_sides_and_says_so_by_its_status(shell: CommandLine) -> None:
    shell.write("good.txt", "unit 0\n")
    shell.write("bad.txt", LINES)
    words = ["isolate", "./check.sh", "good.txt", "bad.txt", "--units", "lines", "--json"]
    done = ended_when_lost(shell, "worker", words)
    assert done.status == 3, done.stderr
    told = json.loads(done.stdout)
    assert (told["stop_reason"], told["finished"]) == ("no usable worker on the cluster for 2 seconds", False)
    assert "unit 3\n" in (shell.folder / "bad.failing.txt").read_text()
    assert "unit 3\n" not in (shell.folder / "bad.passing.txt").read_text()


def test_files_for_a_cluster_need_a_cluster(shell: CommandLine) -> None:
    shell.check("true")
    shell.write("input.txt", LINES)
    done = shell.run("reduce", "./check.sh", "input.txt", "--cluster-upload", "check.sh")
    assert (done.status, done.stderr.count("\n")) == (2, 1)
    assert "--cluster-upload: requires --cluster" in done.stderr


def test_a_cluster_that_does_not_answer_is_told_in_two_lines(shell: CommandLine) -> None:
    shell.check("true")
    shell.write("input.txt", LINES)
    done = shell.run("reduce", "./check.sh", "input.txt", "--cluster", "absent.json")
    assert (done.status, done.stderr.count("\n")) == (2, 2)
    assert done.stderr.startswith("minrepro: error: no scheduler file absent.json")
