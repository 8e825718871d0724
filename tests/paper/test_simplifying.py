"""The examples and bounds of Hildebrandt & Zeller (2000)."""

from __future__ import annotations

import math
import random

import pytest

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
