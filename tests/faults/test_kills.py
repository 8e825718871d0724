"""kill -9 at random moments: the end is that of the undisturbed run, and nothing that is known is run again."""

from __future__ import annotations

import os
import random
import signal
from pathlib import Path

import pytest

from minrepro.runs.history.journal import journals_in
from minrepro.runs.history.recorded_run import key_text, read_story
from tests.faults.killing import Workshop, until

pytestmark = pytest.mark.processes

INPUT = b"".join(b"line %d of many\n" % number for number in range(120))
CHECK = 'grep -q "line 33 " INPUT && grep -q "7 of" INPUT && [ "$(grep -c many INPUT)" -ge 3 ]'

MODES = {
    "one at a time": (("-j", "1", "--algorithm", "grouping", "--units", "lines-then-characters"), 1, 20),
    "in order": (("-j", "2", "--algorithm", "ddmin"), 2, 15),
    "deterministic passes": (("-j", "2", "--deterministic"), 2, 15),
}


@pytest.mark.parametrize(("options", "jobs", "kills"), MODES.values(), ids=MODES.keys())
def test_a_run_killed_again_and_again_ends_as_if_undisturbed(
    tmp_path: Path, options: tuple[str, ...], jobs: int, kills: int
) -> None:
    words = ("reduce", "./check.sh", "in.txt", "--timeout", "60", *options)
    calm_place, place = tmp_path / "calm", tmp_path / "killed"
    calm_place.mkdir()
    place.mkdir()
    calm = Workshop(calm_place, INPUT, CHECK)
    assert calm.run(*words) == 0, calm.said
    shop = Workshop(place, INPUT, CHECK)
    rng = random.Random(7)
    process = shop.start(*words)
    killed, known = 0, set[bytes]()
    for _ in range(kills):
        before = len(shop.cases)
        killed += shop.kill_at_a_random_moment(process, rng)
        if (shop.folder / "in.min.txt").exists():
            assert fails(shop.result)  # the best so far is whole
        assert known.isdisjoint(shop.cases[before:])
        known = refused_and_recorded(shop)
        process = shop.start(*words, "--resume")
    before = len(shop.cases)
    process.join(120)
    assert process.exitcode == 0, shop.said
    assert known.isdisjoint(shop.cases[before:])
    assert killed >= 0.8 * kills
    assert shop.result == calm.result
    if jobs == 1:
        assert calm.runs <= shop.runs <= calm.runs + killed * jobs
    else:
        # What is begun ahead and given up again differs from run to run; what was recorded is exact.
        assert shop.runs <= calm.runs + (killed + calm.story().tests // 4) * jobs
    shop.assert_nothing_is_left()


@pytest.mark.usefixtures("sandboxes")
def test_a_run_in_a_sandbox_killed_again_and_again_ends_as_if_undisturbed(tmp_path: Path) -> None:
    words = ("reduce", "./check.sh", "in.txt", "--timeout", "60", "-j", "2", "--algorithm", "ddmin")
    results = []
    for name, kills in (("calm", 0), ("killed", 6)):
        (tmp_path / name).mkdir()
        shop = Workshop(tmp_path / name, INPUT, CHECK)
        more = ("--writable", str(shop.runs_file), "--writable", str(shop.cases_file))
        process, rng = shop.start(*words, *more), random.Random(13)
        for _ in range(kills):
            shop.kill_at_a_random_moment(process, rng)
            process = shop.start(*words, *more, "--resume")
        process.join(120)
        assert process.exitcode == 0, shop.said
        results.append(shop.result)
        shop.assert_nothing_is_left()
    assert results[0] == results[1]


def fails(case: bytes) -> bool:
    """Return what the check says, in words of another language."""
    return b"line 33 " in case and b"7 of" in case and case.count(b"many") >= 3


def refused_and_recorded(shop: Workshop) -> set[bytes]:
    """Return all cases that need never be run again; what was accepted is run again now and then, to make sure."""
    if not shop.state.is_dir() or not journals_in(shop.state):
        return set()
    keys = {answer.key for group in shop.story().groups for answer in group}
    return {case for case in shop.cases if not fails(case) and key_text(case) in keys}


def test_a_folder_killed_again_and_again_ends_as_if_undisturbed(tmp_path: Path) -> None:
    words = ("reduce", "./check.sh", "in", "-j", "1", "--timeout", "60")
    shops = []
    for name in ("calm", "killed"):
        (tmp_path / name).mkdir()
        shop = Workshop(tmp_path / name, INPUT, 'cat * | grep -q "line 33 " && [ "$(cat * | grep -c many)" -ge 2 ]')
        (shop.folder / "in").mkdir()
        for number in range(4):
            lines = INPUT.splitlines(keepends=True)[10 * number : 10 * number + 10]
            (shop.folder / "in" / f"{number}.txt").write_bytes(b"".join(lines))
        shops.append(shop)
    calm, shop = shops
    assert calm.run(*words) == 0, calm.said
    rng = random.Random(5)
    process = shop.start(*words)
    killed = 0
    for _ in range(8):
        killed += shop.kill_at_a_random_moment(process, rng)
        process = shop.start("resume", "in.minrepro") if (shop.folder / "in.minrepro").is_dir() else shop.start(*words)
    process.join(120)
    assert process.exitcode == 0, shop.said
    assert killed >= 4
    folders = [each.folder / "in.min" for each in shops]
    found = [{path.name: path.read_bytes() for path in folder.iterdir()} for folder in folders]
    assert found[0] == found[1]
    assert calm.runs <= shop.runs <= calm.runs + killed
    shop.assert_nothing_is_left()


TRACE = b"".join(b'{"event": "e%d", "args": [%d]}\n' % (number, number % 7) for number in range(40))
KINDS = {
    "a trace": (
        TRACE,
        'grep -q \'"e7"\' INPUT && sed "/e7/,\\$!d" INPUT | grep -q \'"e33"\'',
        ("traces", "reduce", "./check.sh", "in.txt", "-o", "in.min.txt"),
        ("in.min.txt",),
    ),
    "a difference": (
        INPUT,
        CHECK,
        ("isolate", "./check.sh", "/dev/null", "in.txt", "-o", "in.min.txt"),
        ("in.min.failing.txt", "in.min.passing.txt"),
    ),
}


@pytest.mark.parametrize(("content", "check", "command", "names"), KINDS.values(), ids=KINDS.keys())
def test_other_kinds_killed_again_and_again_end_as_if_undisturbed(
    tmp_path: Path, content: bytes, check: str, command: tuple[str, ...], names: tuple[str, ...]
) -> None:
    words = (*command, "-j", "1", "--timeout", "60")
    (tmp_path / "calm").mkdir()
    (tmp_path / "killed").mkdir()
    calm, shop = Workshop(tmp_path / "calm", content, check), Workshop(tmp_path / "killed", content, check)
    assert calm.run(*words) == 0, calm.said
    rng = random.Random(11)
    process = shop.start(*words)
    killed = 0
    for _ in range(10):
        killed += shop.kill_at_a_random_moment(process, rng)
        process = shop.start(*words, "--resume")
    process.join(120)
    assert process.exitcode == 0, shop.said
    assert killed >= 5
    for name in names:
        assert (shop.folder / name).read_bytes() == (calm.folder / name).read_bytes() != content
    assert calm.runs <= shop.runs <= calm.runs + killed


@pytest.mark.parametrize("what", ["journal", "result"])
def test_a_run_killed_in_the_middle_of_a_write_ends_as_if_undisturbed(tmp_path: Path, what: str) -> None:
    words = ("reduce", "./check.sh", "in.txt", "-j", "1", "--algorithm", "grouping", "--timeout", "60")
    (tmp_path / "calm").mkdir()
    (tmp_path / "killed").mkdir()
    calm, shop = Workshop(tmp_path / "calm", INPUT, CHECK), Workshop(tmp_path / "killed", INPUT, CHECK)
    assert calm.run(*words) == 0, calm.said
    resume: tuple[str, ...] = ()
    for times in (2, 3, 5, 4, 7):
        process = shop.start(*words, *resume, dying=(what, times))
        process.join(120)
        assert process.exitcode == -signal.SIGKILL, shop.said
        if (shop.folder / "in.min.txt").exists():
            assert fails(shop.result)
        resume = ("--resume",)
    assert shop.run(*words, "--resume") == 0, shop.said
    assert shop.result == calm.result
    assert calm.runs <= shop.runs <= calm.runs + 5
    shop.assert_nothing_is_left()


def test_a_killed_worker_costs_a_run_and_nothing_else(tmp_path: Path) -> None:
    words = ("reduce", "./check.sh", "in.txt", "-j", "2", "--algorithm", "grouping")
    (tmp_path / "calm").mkdir()
    (tmp_path / "killed").mkdir()
    calm, shop = Workshop(tmp_path / "calm", INPUT, CHECK), Workshop(tmp_path / "killed", INPUT, CHECK)
    assert calm.run(*words) == 0, calm.said
    process = shop.start(*words)
    killed = 0
    while process.is_alive() and killed < 6:
        enough = shop.runs + 5
        until(lambda enough=enough: shop.runs >= enough or not process.is_alive())  # type: ignore[misc]
        for pid in keepers_of(process.pid or 0)[:1]:
            os.kill(pid, signal.SIGKILL)
            killed += 1
    process.join(120)
    assert process.exitcode == 0, shop.said
    assert killed
    assert shop.result == calm.result
    shop.assert_nothing_is_left()


def keepers_of(coordinator: int) -> list[int]:
    """Return the processes that run the checks of a run: the children of its only child."""
    found = []
    for warden in children_of(coordinator):
        found += children_of(warden)
    return found


def children_of(pid: int) -> list[int]:
    try:
        return [int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:
        return []


def test_a_journal_torn_while_it_was_written_loses_only_its_end(tmp_path: Path) -> None:
    words = ("reduce", "./check.sh", "in.txt", "-j", "1", "--algorithm", "grouping")
    (tmp_path / "calm").mkdir()
    (tmp_path / "torn").mkdir()
    calm, shop = Workshop(tmp_path / "calm", INPUT, CHECK), Workshop(tmp_path / "torn", INPUT, CHECK)
    assert calm.run(*words) == 0, calm.said
    assert shop.run(*words, "--max-tests", str(calm.story().tests // 2)) == 0, shop.said
    journal = shop.state / "journal-1"
    rng = random.Random(3)
    for _ in range(3):
        whole = journal.read_bytes()
        journal.write_bytes(whole[: len(whole) - rng.randint(1, 300)])
        known, before = read_story(journal)[0].tests, shop.runs
        assert shop.run(*words, "--resume", "--max-tests", str(known + 5)) == 0, shop.said
        assert shop.runs - before <= 10  # the known ones were not run again; a look at the input may be repeated
    assert shop.run(*words, "--resume") == 0, shop.said
    assert shop.result == calm.result
    shop.assert_nothing_is_left()
