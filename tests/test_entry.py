"""The command from its first instruction to its last: signals, full and closed streams, limits of the system."""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path

import pytest
from benchmarks.faults.signals import attempt

from tests.cli.command_line import CommandLine
from tests.started import started

pytestmark = pytest.mark.processes

HAYSTACK = "".join(f"line {number}\n" for number in range(40)) + "needle\n"
CHECK = 'grep -q needle "$1"'


def command(shell: CommandLine, line: str) -> subprocess.CompletedProcess[str]:
    """Run a line of a shell in which `$M` is the command."""
    environment = {**shell.environment, "M": f"{sys.executable} -m minrepro"}
    return subprocess.run(["bash", "-c", line], cwd=shell.folder, env=environment, capture_output=True, text=True)


@pytest.fixture
def ready(shell: CommandLine) -> CommandLine:
    shell.check(CHECK)
    shell.write("hay.txt", HAYSTACK)
    return shell


@pytest.mark.parametrize(
    "words", ["-h", "--help", "languages", "reduce --help", "reduce ./check.sh hay.txt --sandbox off --json"]
)
def test_a_full_standard_output_is_told_in_a_line(ready: CommandLine, words: str) -> None:
    done = command(ready, f"$M {words} > /dev/full")
    assert done.returncode == 2
    assert done.stderr.endswith("minrepro: error: standard output: No space left on device\n")
    assert "Traceback" not in done.stderr


def test_whoever_stops_reading_gets_the_status_of_a_broken_pipe(ready: CommandLine) -> None:
    done = command(ready, "set -o pipefail; $M languages | { read -r line; exec <&-; sleep 1; }")
    assert (done.returncode, done.stderr) in ((141, ""), (0, ""))  # 0 if all was written before it stopped
    done = command(ready, "{ $M reduce --help; echo $? >&2; } | true")
    assert done.stderr in ("141\n", "0\n")


def test_messages_that_nobody_can_read_end_nothing(ready: CommandLine) -> None:
    assert command(ready, "$M reduce ./check.sh hay.txt --sandbox off 2> /dev/full").returncode == 0
    assert (ready.folder / "hay.min.txt").read_text() == "needle\n"


def test_messages_are_there_at_once_also_in_a_pipe(ready: CommandLine) -> None:
    ready.check("sleep 1000")
    command = [sys.executable, "-m", "minrepro", "reduce", "./check.sh", "hay.txt", "--timeout", "1000"]
    with started(command, cwd=ready.folder, env=ready.environment, stderr=subprocess.PIPE) as running:
        assert running.stderr is not None
        assert "input: " in running.stderr.readline()
        running.terminate()
        running.communicate()


def test_no_file_is_taken_for_a_stream_that_was_closed(ready: CommandLine) -> None:
    assert command(ready, "$M reduce ./check.sh hay.txt --sandbox off <&- >&- 2>&-").returncode == 0
    assert (ready.folder / "hay.min.txt").read_text() == "needle\n"
    assert command(ready, "$M show hay.txt.minrepro").returncode == 0


def test_an_input_with_the_longest_of_all_names_is_refused(ready: CommandLine) -> None:
    name = "n" * 251 + ".txt"
    ready.write(name, HAYSTACK)
    done = ready.run("reduce", "./check.sh", name)
    assert done.status == 2
    assert done.stderr.endswith(".min.txt: File name too long\n")
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize("files", [8, 12, 16, 20, 24])
def test_too_few_open_files_are_told_in_a_line_or_two(ready: CommandLine, files: int) -> None:
    done = command(ready, f"ulimit -n {files}; $M reduce ./check.sh hay.txt")
    assert "Traceback" not in done.stderr
    assert done.returncode in (0, 1, 2, 3)
    if done.returncode == 0:
        assert (ready.folder / "hay.min.txt").read_text() == "needle\n"


def test_no_room_for_any_file_is_told_in_a_line(ready: CommandLine) -> None:
    done = command(ready, "ulimit -f 0; $M reduce ./check.sh hay.txt --sandbox off")
    assert done.returncode in (1, 2)
    assert done.stderr.startswith("minrepro: ")
    assert "Traceback" not in done.stderr


def test_the_limit_of_processor_time_ends_the_run_with_the_best_so_far(ready: CommandLine) -> None:
    script = (
        "import os, resource, signal, sys, threading\n"
        "from minrepro.entry import main\n"
        "def spend():\n"
        "    while not os.path.exists('reached'): pass\n"
        "    os.kill(os.getpid(), signal.SIGXCPU)\n"
        "threading.Thread(target=spend, daemon=True).start()\n"
        "sys.argv[1:] = ['reduce', './check.sh', 'hay.txt', '--sandbox', 'off', '-j', '1', '--units', 'lines']\n"
        "sys.exit(main())\n"
    )
    ready.check(f'{CHECK} || exit 1; [ "$(wc -l < "$1")" -gt 20 ] || {{ touch {ready.folder}/reached; sleep 1000; }}')
    done = subprocess.run([sys.executable, "-c", script], cwd=ready.folder, env=ready.environment, capture_output=True)
    assert done.returncode == 3, done.stderr
    assert b"stopped by SIGXCPU" in done.stderr
    assert "needle" in (ready.folder / "hay.min.txt").read_text()


def test_hardly_anything_is_loaded_before_signals_are_handled(tmp_path: Path) -> None:
    script = (
        "import sys; sys.path_importer_cache\n"
        "import signal; before = set(sys.modules); import minrepro.entry\n"
        "print(*sorted(set(sys.modules) - before))\n"
    )
    done = subprocess.run([sys.executable, "-I", "-c", script], capture_output=True, text=True, check=True)
    assert set(done.stdout.split()) <= {"minrepro", "minrepro.entry", "__future__"}


def test_a_signal_that_was_to_be_ignored_is_ignored(ready: CommandLine) -> None:
    ready.check(f"{CHECK} || exit 1; kill -HUP $(cat pid) 2> /dev/null; exit 0")
    done = command(ready, "trap '' HUP; $M reduce ./check.sh hay.txt --sandbox off & echo $! > pid; wait $!")
    assert done.returncode == 0, done.stderr


SEED = 5


@pytest.mark.parametrize("number", range(6))
def test_a_signal_at_any_moment_ends_the_command_in_good_order(number: int, tmp_path: Path) -> None:
    """`python -m benchmarks.faults.signals` sends many more."""
    seen = attempt(random.Random(SEED * 1000 + number), tmp_path)
    assert seen.lost == ""
