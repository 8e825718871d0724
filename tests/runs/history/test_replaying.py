"""Replaying a journal that was cut off anywhere gives the undisturbed run, and runs nothing again."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from minrepro.algorithms.algorithm_registry import list_minimizer
from minrepro.core.events import End
from minrepro.core.verdicts import Outcome
from minrepro.documents.text import CUTTERS, reduce_text
from minrepro.engine.default_reducer import DefaultReducer
from minrepro.engine.run import Result, Run
from minrepro.passes.default_passes import PLAIN
from minrepro.runs.history.journal import Journal
from minrepro.runs.history.record_file import RecordFile
from minrepro.runs.history.recorded_run import RunQuestion, beginning, glimpse, read_story
from minrepro.runs.history.replaying import ReplayingExecutor
from minrepro.settings import Budget
from minrepro.testing import SimulatedExecutor, fails_if

INPUT = b"".join(b"line %d of many\n" % number for number in range(60))
ASKED = RunQuestion([], "", "0", {}, {}, {})

Work = Callable[[Run[bytes]], Result[bytes]]


def by_grouping(run: Run[bytes]) -> Result[bytes]:
    cutters = [CUTTERS["lines"], CUTTERS["characters"]]
    return run.reduce(INPUT, lambda case: reduce_text(case, minimize=list_minimizer("grouping"), cutters=cutters))


def by_passes(run: Run[bytes]) -> Result[bytes]:
    return run.reduce_by_edits(INPUT, DefaultReducer(list(PLAIN)))


def truth(case: bytes) -> bool:
    return case.count(b"7 o") >= 2 and b"m" in case and case.count(b"l") * 3 >= len(case) // 20


class Machine:
    """A run with a journal on imagined workers whose speed varies."""

    def __init__(self, folder: Path, seed: int, workers: int) -> None:
        self.folder = folder
        self.seed = seed
        self.workers = workers
        self.executor: SimulatedExecutor | None = None

    def _session(self, journal: Journal, work: Work, budget: Budget | None, **options: Any) -> Result[bytes]:
        speed = random.Random(self.seed)
        self.tested: list[bytes] = []
        test = fails_if(lambda case: self.tested.append(case) or truth(case))  # type: ignore[func-returns-value]
        self.executor = SimulatedExecutor(test, self.workers, lambda case: speed.uniform(1, 3))
        recorded = ReplayingExecutor(self.executor, journal)
        try:
            return work(Run(recorded, budget=budget, notify=journal, **options))
        finally:
            self.replayed = recorded.replayed
            self.diverged = recorded.diverged
            journal.close()

    def begin(self, work: Work, budget: Budget | None = None, **options: Any) -> Result[bytes]:
        journal = Journal.begin(self.folder, ASKED, {Outcome.FAIL: INPUT}, self.workers)
        self.path = journal.story.path
        return self._session(journal, work, budget, **options)

    def resume(self, work: Work, **options: Any) -> Result[bytes]:
        journal = Journal.resume(self.path, ASKED, {Outcome.FAIL: INPUT}, self.workers)
        return self._session(journal, work, None, **options)


def cut_off(path: Path, share: float) -> None:
    content = path.read_bytes()
    beginning = sum(len(line) for line in content.splitlines(keepends=True)[:3])
    path.write_bytes(content[: beginning + int(share * (len(content) - beginning))])


MODES: dict[str, tuple[Work, int, dict[str, Any]]] = {
    "one worker": (by_grouping, 1, {}),
    "in order": (by_grouping, 3, {}),
    "race": (by_grouping, 3, {"mode": "race"}),
    "passes": (by_passes, 1, {}),
    "passes in parallel": (by_passes, 4, {}),
}


@pytest.mark.parametrize(("work", "workers", "options"), MODES.values(), ids=MODES.keys())
def test_a_journal_cut_off_anywhere_leads_to_the_same_end(
    tmp_path: Path, work: Work, workers: int, options: dict[str, Any]
) -> None:
    whole = Machine(tmp_path, 1, workers)
    # A budget that is just enough: a journal that is finished would be shortened.
    tests = Machine(tmp_path, 1, workers).begin(work, **options).tally.tests
    expected = whole.begin(work, Budget(tests=10 * tests), **options)
    assert truth(expected.case)
    assert len(expected.case) < len(INPUT) / 4
    again = Machine(tmp_path, 1, workers)
    interrupted = again.begin(work, Budget(tests=tests // 2), **options)
    assert not interrupted.finished
    recorded = again.path.read_bytes()
    for share in (0.0, 0.1, 0.37, 0.5, 0.81, 0.999, 1.0):
        again.path.write_bytes(recorded)
        cut_off(again.path, share)
        known = read_story(again.path)[0].tests
        result = again.resume(work, **options)
        assert again.replayed == known
        assert not again.diverged
        assert again.executor is not None
        if options.get("mode") != "race" and (workers == 1 or work is by_grouping):
            assert result.case == expected.case  # where the speed of workers makes no difference
        assert truth(result.case)
        if workers == 1:
            assert again.executor.started == expected.tally.tests - known


def test_the_best_so_far_can_be_had_from_the_journal(tmp_path: Path) -> None:
    machine = Machine(tmp_path, 1, 2)
    stopped = machine.begin(by_passes, Budget(tests=40))
    journal = Journal.resume(machine.path, ASKED, {Outcome.FAIL: INPUT}, 2)
    assert journal.story.best(INPUT) == stopped.case
    assert truth(stopped.case)


def test_another_number_of_workers_still_runs_nothing_again(tmp_path: Path) -> None:
    machine = Machine(tmp_path, 1, 2)
    expected = Machine(tmp_path, 1, 1).begin(by_grouping)
    machine.begin(by_grouping, Budget(tests=expected.tally.tests // 2))
    known = set(machine.tested)
    machine.workers = 5
    result = machine.resume(by_grouping)
    assert result.case == expected.case
    assert machine.diverged
    assert known.isdisjoint(machine.tested)


def test_a_finished_journal_keeps_its_story_and_is_small(tmp_path: Path) -> None:
    machine = Machine(tmp_path, 1, 1)
    result = machine.begin(by_grouping)
    story, size = read_story(machine.path)
    assert story.finished
    assert story.tests == result.tally.tests
    assert story.groups == []
    assert story.sizes == (len(INPUT), len(result.case))
    content = INPUT
    for step in story.steps:
        content = step.applied(content)
    assert content == result.case
    assert size < 100 * len(story.steps) + 1000


@pytest.mark.parametrize(
    ("record", "end"),
    [
        (["ended", "finished"], End.FINISHED),
        (["ended", "interrupted"], End.INTERRUPTED),
        (["ended", "stopped by SIGHUP"], End.HUNG_UP),
        (["ended", "stopped by --max-tests 5"], End.TESTS_SPENT),
        (["ended", "stopped by --max-time 5"], End.SECONDS_SPENT),
        (["ended", "the browser keeps exiting"], End.STOPPED),
        (["ended", "no more", "tests spent"], End.TESTS_SPENT),
        (["ended", "finished", "stopped"], End.STOPPED),
    ],
)
def test_why_a_run_ended_is_read_also_where_a_journal_has_only_words(
    tmp_path: Path, record: list[str], end: End
) -> None:
    file = RecordFile(tmp_path / "journal-1")
    file.append(*beginning(ASKED), record)
    file.close()
    story, _ = read_story(tmp_path / "journal-1")
    assert (story.ended, story.end) == (record[1], end)
    assert glimpse(tmp_path / "journal-1").finished is story.finished is (end is End.FINISHED)


def test_only_the_newest_finished_journals_stay(tmp_path: Path) -> None:
    unfinished = Machine(tmp_path, 1, 1)
    unfinished.begin(by_grouping, Budget(tests=5))
    for _ in range(14):
        Machine(tmp_path, 1, 1).begin(by_grouping)
    numbers = sorted(int(path.name.removeprefix("journal-")) for path in tmp_path.iterdir())
    assert numbers == [1, *range(5, 16)]
