"""Full and read-only disks, signals, a stopped process: the input is untouched, the best so far is whole and fails."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from minrepro.core.events import Accepted
from minrepro.core.verdicts import Outcome, Verdict
from minrepro.runs.history.journal import Journal
from minrepro.runs.history.recorded_run import RecordedVerdict, RunQuestion, read_story
from tests.faults.killing import Workshop, until

pytestmark = pytest.mark.processes

INPUT = b"".join(b"line %d of many\n" % number for number in range(60))
CHECK = 'grep -q "line 33 " INPUT && [ "$(grep -c many INPUT)" -ge 2 ]'
WORDS = ("reduce", "./check.sh", "in.txt", "-j", "1", "--algorithm", "grouping")


@pytest.fixture
def shop(tmp_path: Path) -> Workshop:
    return Workshop(tmp_path, INPUT, CHECK)


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    place = tmp_path / "disk"
    place.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "none", str(place)], capture_output=True)
    if mounted.returncode:
        pytest.skip("only root may mount a small disk")
    yield place
    subprocess.run(["umount", "-l", str(place)], check=True)


def test_a_full_disk_under_the_journal_does_not_end_the_run(shop: Workshop, small_disk: Path) -> None:
    (small_disk / "filling").write_bytes(b"x" * 60 * 1024)
    assert shop.run(*WORDS, "--state-dir", str(small_disk / "state")) == 0, shop.said
    assert "cannot be written anymore (No space left on device)" in shop.said
    assert b"line 33 " in shop.result
    assert len(shop.result.splitlines()) == 2
    story, size = read_story(small_disk / "state" / "journal-1")
    assert story.tests > 0
    assert size == (small_disk / "state" / "journal-1").stat().st_size  # no half record at the end
    shop.assert_nothing_is_left()


def test_a_full_disk_under_the_result_leaves_the_best_that_fitted(shop: Workshop, small_disk: Path) -> None:
    (small_disk / "filling").write_bytes(b"x" * 60 * 1024)
    assert shop.run(*WORDS, "-o", str(small_disk / "out.txt"), "--state-dir", str(shop.state)) == 2
    assert [path.name for path in small_disk.iterdir() if path.name.endswith(".part")] == []
    assert b"line 33 " in (small_disk / "out.txt").read_bytes()
    assert "out.txt: No space left on device" in shop.said
    saved = Path(shop.said.rpartition("saved as ")[2].strip())
    assert b"line 33 " in saved.read_bytes()
    assert len(saved.read_bytes().splitlines()) == 2
    (small_disk / "filling").unlink()
    assert shop.run(*WORDS, "-o", str(small_disk / "out.txt"), "--state-dir", str(shop.state), "--resume") == 0
    assert (small_disk / "out.txt").read_bytes() == saved.read_bytes()
    shutil.rmtree(saved.parent)
    shop.assert_nothing_is_left()


def test_a_journal_on_a_full_disk_can_be_resumed_to_where_it_was_whole(tmp_path: Path, small_disk: Path) -> None:
    told: list[str] = []
    asked = RunQuestion([], "", "0", {}, {}, {})
    journal = Journal.begin(small_disk / "state", asked, {Outcome.FAIL: INPUT}, 1)
    journal.warn = told.append
    for serial in range(5000):
        journal.answered([RecordedVerdict(serial, "key", Verdict(Outcome.PASS))])
    journal(Accepted(INPUT[:100], 100, "late"))
    assert len(told) == 1
    shutil.copy(small_disk / "state" / "journal-1", tmp_path)
    again = Journal.resume(tmp_path / "journal-1", asked, {Outcome.FAIL: INPUT}, 1)
    serials = [answer.serial for group in again.story.groups for answer in group]
    assert serials == list(range(len(serials)))
    assert 100 < len(serials) < 5000


def remount(place: Path, how: str) -> None:
    subprocess.run(["mount", "-o", f"remount,{how}", str(place)], check=True)


def test_a_read_only_disk_is_refused_for_the_result_and_done_without_for_the_journal(
    shop: Workshop, small_disk: Path
) -> None:
    remount(small_disk, "ro")
    assert shop.run(*WORDS, "-o", str(small_disk / "out.txt")) == 2
    assert "out.txt: Read-only file system" in shop.said
    assert shop.runs == 0
    assert shop.run(*WORDS, "--state-dir", str(small_disk / "state")) == 0, shop.said
    assert f"no journal is kept, because {small_disk / 'state'} cannot be written (Read-only file system)" in shop.said
    assert len(shop.result.splitlines()) == 2
    shop.assert_nothing_is_left()


def test_a_disk_that_becomes_read_only_costs_neither_the_input_nor_the_result(shop: Workshop, small_disk: Path) -> None:
    gate = slow_at_ten_lines(shop)
    words = (*WORDS, "-o", str(small_disk / "out.txt"), "--state-dir", str(shop.state))
    process = shop.start(*words)
    until((shop.place / "reached").exists)
    remount(small_disk, "ro")
    gate.touch()
    process.join(120)
    assert process.exitcode == 2
    assert "Traceback" not in shop.said
    assert "out.txt: Read-only file system; minrepro continues and tries again" in shop.said
    before = (small_disk / "out.txt").read_bytes()
    assert b"line 33 " in before
    assert len(before.splitlines()) > 10
    saved = Path(shop.said.rpartition("saved as ")[2].strip())
    assert saved.is_relative_to(shop.temporary)
    assert b"line 33 " in saved.read_bytes()
    assert len(saved.read_bytes().splitlines()) == 2
    assert shop.input.read_bytes() == INPUT
    remount(small_disk, "rw")
    runs = shop.runs
    assert shop.run(*words, "--resume") == 0, shop.said
    assert (small_disk / "out.txt").read_bytes() == saved.read_bytes()
    assert shop.runs == runs
    shutil.rmtree(saved.parent)
    shop.assert_nothing_is_left()


def test_a_journal_on_a_read_only_disk_can_be_read_and_is_not_gone_on_with(shop: Workshop, small_disk: Path) -> None:
    state = small_disk / "in.txt.minrepro"
    assert shop.run(*WORDS, "--state-dir", str(state), "--max-tests", "9") == 0, shop.said
    remount(small_disk, "ro")
    assert shop.run("show", str(state)) == 0, shop.said
    assert "stopped by --max-tests 9" in shop.said
    runs = shop.runs
    assert shop.run("resume", str(state)) == 2
    assert "cannot resume from" in shop.said and "Read-only file system" in shop.said
    assert shop.run("clean", str(state), "--all") == 2
    assert "cannot delete" in shop.said and "Read-only file system" in shop.said
    assert shop.runs == runs


@pytest.mark.parametrize("jump", ["random.uniform(0, 4e9)", "next(clock)"])
def test_a_clock_that_jumps_makes_no_difference(shop: Workshop, jump: str) -> None:
    # The clock that tells the time of day jumps at each look, anywhere or always back by a day.
    script = (
        "import itertools, random, sys, time\n"
        "clock = itertools.count(2e9, -86400)\n"
        f"time.time = lambda: {jump}\n"
        "from minrepro.cli.main import main\n"
        "sys.exit(main(sys.argv[1:]))\n"
    )

    def run(*words: str) -> subprocess.CompletedProcess[str]:
        environment = {**os.environ, "TMPDIR": str(shop.temporary)}
        line = [sys.executable, "-c", script, *words]
        return subprocess.run(line, cwd=shop.folder, env=environment, capture_output=True, text=True, timeout=120)

    cache = str(shop.place / "cache")
    done = run(*WORDS, "--max-tests", "12", "--max-time", "3600", "--cache-dir", cache)
    assert done.returncode == 0, done.stderr
    assert "stopped by --max-tests 12" in done.stderr
    done = run("resume")
    assert done.returncode == 0, done.stderr
    assert "outcomes reused from the journal" in done.stderr
    assert b"line 33 " in shop.result
    assert len(shop.result.splitlines()) == 2
    assert run("list").returncode == run("show").returncode == 0
    shop.assert_nothing_is_left()


@pytest.mark.parametrize("state", ["/proc/no/such/place", "in.txt/inside"])
def test_where_no_journal_can_be_kept_the_run_goes_on_without(shop: Workshop, state: str) -> None:
    assert shop.run(*WORDS, "--state-dir", state) == 0, shop.said
    assert "warning: no journal is kept" in shop.said
    assert len(shop.result.splitlines()) == 2
    shop.assert_nothing_is_left()


def slow_at_ten_lines(shop: Workshop) -> Path:
    """Have the check wait for a file as soon as ten lines fail, and return that file."""
    gate, reached = shop.place / "gate", shop.place / "reached"
    wait = f"touch {reached}; while ! [ -e {gate} ]; do sleep 0.02; done"
    slow = f'grep -q "line 33 " "$1" || exit 1; [ "$(wc -l < "$1")" -gt 10 ] || {{ {wait}; }}'
    lines = shop.check.read_text().splitlines()
    shop.check.write_text("\n".join([*lines[:2], slow, *lines[2:]]) + "\n")
    return gate


@pytest.mark.parametrize("numbers", [[signal.SIGINT], [signal.SIGTERM], [signal.SIGHUP], [signal.SIGINT] * 2])
def test_after_a_signal_the_best_so_far_is_there_and_the_run_can_be_resumed(
    tmp_path: Path, numbers: list[signal.Signals]
) -> None:
    calm_place = tmp_path / "calm"
    calm_place.mkdir()
    calm = Workshop(calm_place, INPUT, CHECK)
    assert calm.run(*WORDS) == 0, calm.said
    place = tmp_path / "signalled"
    place.mkdir()
    shop = Workshop(place, INPUT, CHECK)
    gate = slow_at_ten_lines(shop)
    process = shop.start(*WORDS)
    until((shop.place / "reached").exists)
    for number in numbers:
        os.kill(process.pid or 0, number)
    process.join(120)
    assert process.exitcode == 128 + numbers[0], shop.said
    assert "Traceback" not in shop.said
    assert b"line 33 " in shop.result
    assert 10 < len(shop.result.splitlines()) < 60
    shop.assert_nothing_is_left()
    gate.touch()
    before = shop.runs
    assert shop.run("resume") == 0, shop.said
    assert shop.result == calm.result
    assert before + (shop.runs - before) <= calm.runs + 1
    shop.assert_nothing_is_left()


def test_a_stopped_and_continued_process_goes_on(shop: Workshop) -> None:
    process = shop.start(*WORDS)
    for _ in range(3):
        enough = shop.runs + 5
        until(lambda enough=enough: shop.runs >= enough or not process.is_alive())  # type: ignore[misc]
        os.kill(process.pid or 0, signal.SIGSTOP)
        time.sleep(0.05)
        os.kill(process.pid or 0, signal.SIGCONT)
    process.join(120)
    assert process.exitcode == 0, shop.said
    assert len(shop.result.splitlines()) == 2
    shop.assert_nothing_is_left()
