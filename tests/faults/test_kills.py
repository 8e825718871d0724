"""kill -9 at random moments: the end is that of the undisturbed run, and nothing that is known is run again."""

from __future__ import annotations

import os
import random
import signal
from pathlib import Path

import pytest

from minrepro.story import read_story
from tests.faults.killing import Workshop, until

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
    killed = 0
    for _ in range(kills):
        killed += shop.kill_at_a_random_moment(process, rng)
        if (shop.folder / "in.min.txt").exists():
            assert b"line 33 " in shop.result  # the best so far is whole, and fails
        process = shop.start(*words, "--resume")
    process.join(120)
    assert process.exitcode == 0, shop.said
    assert killed >= 0.8 * kills
    assert shop.result == calm.result
    if jobs == 1:
        assert calm.runs <= shop.runs <= calm.runs + killed * jobs
    else:
        # What is begun ahead and given up again differs from run to run; what was recorded is exact.
        assert shop.runs <= calm.runs + (killed + calm.story().tests // 4) * jobs
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
