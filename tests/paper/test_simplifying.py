"""The examples and bounds of Hildebrandt & Zeller (2000)."""

from __future__ import annotations

import json
import math
import random
import shutil
import subprocess
import sys
from itertools import combinations
from pathlib import Path

import pytest

from minrepro import reduce, reduce_all
from minrepro.algorithms.lists.ddmin import ddmin
from minrepro.core.events import Tally
from minrepro.core.search import solve
from minrepro.core.verdicts import Outcome
from minrepro.engine.scheduler import Scheduler
from minrepro.testing import SimulatedExecutor, fails_if, needs

GCC_OPTIONS = [
    "-ffloat-store",
    "-fno-default-inline",
    "-fno-defer-pop",
    "-fforce-mem",
    "-fforce-addr",
    "-fomit-frame-pointer",
    "-fno-inline",
    "-finline-functions",
    "-fkeep-inline-functions",
    "-fkeep-static-consts",
    "-fno-function-cse",
    "-ffast-math",
    "-fstrength-reduce",
    "-fthread-jumps",
    "-fcse-follow-jumps",
    "-fcse-skip-blocks",
    "-frerun-cse-after-loop",
    "-frerun-loop-opt",
    "-fgcse",
    "-fexpensive-optimizations",
    "-fschedule-insns",
    "-ffunction-sections",
    "-fdata-sections",
    "-fcaller-saves",
    "-funroll-loops",
    "-funroll-all-loops",
    "-fmove-all-movables",
    "-freduce-all-givs",
    "-fno-peephole",
    "-fstrict-aliasing",
]


def minimized(units: list[str] | range, preventing: set[str] | set[int]) -> tuple[tuple[object, ...], int]:
    tally = Tally()
    executor = SimulatedExecutor(fails_if(lambda case: not preventing.isdisjoint(case)))
    result = Scheduler(executor, notify=tally).run(ddmin(units), lambda candidate, label, verdict: None)
    return result, tally.tests


def test_table_2_takes_19_different_tests_to_find_1_7_8() -> None:
    tally = Tally()
    scheduler = Scheduler(SimulatedExecutor(needs(1, 7, 8)), notify=tally)
    assert scheduler.run(ddmin(range(1, 9)), lambda candidate, label, verdict: None) == (1, 7, 8)
    assert tally.tests == 19


def test_table_1_isolates_one_change_by_halving() -> None:
    asked: list[tuple[int, ...]] = []

    def test(config: tuple[int, ...]) -> Outcome:
        asked.append(config)
        return Outcome.FAIL if 7 in config else Outcome.PASS

    assert solve(ddmin(range(1, 9)), test) == (7,)
    assert asked == [(1, 2, 3, 4), (5, 6, 7, 8), (5, 6), (7, 8), (7,)]


def test_all_legible_options_of_table_3_are_there() -> None:
    assert len(GCC_OPTIONS) == len(set(GCC_OPTIONS)) == 30


@pytest.mark.parametrize("without", [[], ["-ffast-math"]], ids=["all", "without-ffast-math"])
def test_the_option_that_prevents_the_failure_is_found_in_7_tests(without: list[str]) -> None:
    options = [option for option in GCC_OPTIONS if option not in without]
    # The outcome is inverted: an option set "fails" when it prevents the crash.
    assert minimized(GCC_OPTIONS, {"-fforce-addr"}) == (("-fforce-addr",), 7)
    result, tests = minimized(options, {"-fforce-addr", "-ffast-math"} - set(without))
    assert result == ("-fforce-addr",)
    assert tests <= 7


def test_one_cause_takes_at_most_twice_the_binary_logarithm() -> None:
    for size in (2, 3, 10, 100, 1000):
        for cause in random.Random(size).sample(range(size), min(size, 10)):
            result, tests = minimized(range(size), {cause})
            assert result == (cause,)
            assert tests <= 2 * math.ceil(math.log2(size))


def test_definition_6_n_minimality_is_what_is_asked_for() -> None:
    # Any three of the six can go together; no one or two of them can.
    def fails(case: list[int]) -> bool:
        return 0 in case and len([unit for unit in case if unit]) in (3, 6)

    one, three = (reduce(list(range(7)), fails, algorithm="ddmin", minimality=n).reduced for n in (1, 3))
    assert len(one) == 7
    assert len(three) == 4
    for count in (1, 2, 3):
        assert not any(fails([unit for unit in three if unit not in gone]) for gone in combinations(three, count))


def test_section_8_monotony_saves_tests_and_changes_no_result() -> None:
    passed: list[set[int]] = []
    run: set[tuple[int, ...]] = set()

    def test(config: tuple[int, ...]) -> Outcome:
        """Return "pass" whenever a superset has passed, as the paper says."""
        if any(known >= set(config) for known in passed):
            return Outcome.PASS
        run.add(config)
        if {1, 7, 8} <= set(config):
            return Outcome.FAIL
        passed.append(set(config))
        return Outcome.PASS

    result = solve(ddmin(range(1, 9)), test)
    run |= {tuple(unit for unit in result if unit != gone) for gone in result}  # ours has a last look at each unit
    done = reduce(list(range(1, 9)), {1, 7, 8}.issubset, algorithm="ddmin", monotone=True)
    assert tuple(done.reduced) == result == (1, 7, 8)
    assert done.stats.checks - 2 == len(run) < 19  # beside them, the input and the empty configuration


def test_section_9_first_smallest_and_every_failing_subset() -> None:
    text = "a long line with a !\n" + "nothing\n" * 2 + "short!\n"
    check = lambda case: "!" in case  # noqa: E731
    first = reduce(text, check, algorithm="ddmin", units="lines").reduced
    smallest = reduce(text, check, algorithm="ddmin", units="lines", smallest=True).reduced
    assert (first, smallest) == ("a long line with a !\n", "short!\n")
    assert reduce_all(text, check, algorithm="ddmin") == [first, smallest]


@pytest.mark.processes
@pytest.mark.skipif(shutil.which("gcc") is None, reason="needs gcc")
def test_section_5_the_options_of_gcc_that_change_what_a_program_prints(tmp_path: Path) -> None:
    shutil.copytree(Path(__file__).parents[2] / "examples" / "options", tmp_path / "options")
    words = [sys.executable, "-m", "minrepro", "args", "./check.sh", "--all", "--json", "-j", "2"]
    command = ["gcc", "-O1", "-Wall", "@options.txt", "-o", "sum", "sum.c"]
    done = subprocess.run(
        [*words, "--", *command], cwd=tmp_path / "options", capture_output=True, text=True, check=True
    )
    told = json.loads(done.stdout)
    assert told["arguments_before"] > 200
    assert told["result"] == "gcc -O1 -funsafe-math-optimizations -o sum sum.c"
    # The option stands for others: without it, three of those are needed together.
    other = (tmp_path / "options" / "gcc.min.2.sh").read_text()
    assert "gcc -O1 -fassociative-math -fno-signed-zeros -fno-trapping-math -o sum sum.c" in other
    assert not (tmp_path / "options" / "sum").exists()
