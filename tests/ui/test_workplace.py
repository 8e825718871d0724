"""--cluster: the same command, elsewhere."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

from tests.ui.command_line import CommandLine, ended, processes_in, until

LINES = "".join(f"unit {number}\n" for number in range(12))


def test_a_local_cluster_gives_the_same_result_and_leaves_nothing(shell: CommandLine) -> None:
    shell.check("grep -qx 'unit 3' \"$1\" && grep -qx 'unit 8' \"$1\"")
    shell.write("input.txt", LINES)
    words = ("reduce", "./check.sh", "input.txt", "--units", "lines", "-o")
    here = shell.run(*words, "here.txt")
    there = shell.run(*words, "there.txt", "--cluster", "local:2", "-j", "2")
    assert (here.status, there.status) == (0, 0), there.stderr
    assert (shell.folder / "there.txt").read_bytes() == (shell.folder / "here.txt").read_bytes()
    assert "checks at a time" in there.stderr
    assert processes_in(shell.temporary) == []


def test_an_interrupt_ends_a_local_cluster_with_the_best_so_far(shell: CommandLine) -> None:
    started = shell.folder / "started"
    shell.check(f'test "$(wc -l < "$1")" = 12 && exit 0; touch {started}; sleep 1000')
    shell.write("input.txt", LINES)
    words = ("reduce", "./check.sh", "input.txt", "--units", "lines", "--cluster", "local:2")
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


def test_files_for_a_cluster_need_a_cluster(shell: CommandLine) -> None:
    shell.check("true")
    shell.write("input.txt", LINES)
    done = shell.run("reduce", "./check.sh", "input.txt", "--cluster-file", "check.sh")
    assert (done.status, done.stderr.count("\n")) == (2, 1)
    assert "--cluster-file is for --cluster" in done.stderr


def test_a_cluster_that_does_not_answer_is_told_in_two_lines(shell: CommandLine) -> None:
    shell.check("true")
    shell.write("input.txt", LINES)
    done = shell.run("reduce", "./check.sh", "input.txt", "--cluster", "absent.json")
    assert (done.status, done.stderr.count("\n")) == (2, 2)
    assert done.stderr.startswith("ClusterError: There is no scheduler file absent.json.")
