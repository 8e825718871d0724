"""How much faster many workers are, on a virtual clock.

    python -m benchmarks.speedups

The examples A to D and the last column of the first tables are those of Hodován & Kiss, *Practical improvements to the
minimizing delta debugging algorithm* (2016), table 4: their best variant against their sequential subsets-first, on a
machine with 24 cores. Here a test takes 1 s, or between 1 and 3 s by its content, and nothing else takes any time.

in order   tests ahead, decides in order: the same result for any number of workers
race       the first that fails wins, the stream goes on over granularities
combined   the paper's: subsets and complements of one granularity in one loop, the first that fails wins
separate   the paper's "parallel": one loop of subsets, one of complements, the first that fails wins
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Sequence
from functools import partial
from hashlib import blake2b

from benchmarks.problems import Oracle, scattered
from benchmarks.report import keep, table
from minrepro.algorithms.lists.ddmin import ddmin
from minrepro.algorithms.lists.group_testing import grouping
from minrepro.core.search import ListMinimizer
from minrepro.engine.scheduler import Scheduler
from minrepro.settings import Loops, Mode, Reduce
from minrepro.testing import SimulatedExecutor, fails_if

WORKERS = (1, 2, 4, 8, 16, 32, 64)
WAYS: dict[str, tuple[Mode, Loops]] = {
    "in order": ("in order", "ahead"),
    "race": ("race", "ahead"),
    "combined": ("race", "combined"),
    "separate": ("race", "separate"),
}
REDUCES: tuple[Reduce, ...] = ("subsets first", "complements only")

EXAMPLES: dict[str, tuple[range, Oracle]] = {
    "A": (range(1, 9), fails_if(lambda c: {5, 8} <= set(c) and (2 in c or 7 not in c))),
    "B": (range(1, 9), fails_if(lambda c: set(range(1, 9)) <= set(c))),
    "C": (range(1, 9), fails_if(lambda c: {1, 2, 3, 4, 6, 8} <= set(c))),
    "D": (range(100), fails_if(lambda c: set(range(0, 100, 2)) <= set(c))),
}
PAPER = {
    ("A", "1 s"): (22, 7, "combined subsets first, 64 workers"),
    ("A", "1 to 3 s"): (45, 11, "combined subsets first, 32 workers"),
    ("B", "1 s"): (26, 3, "parallel complements only, 16 workers"),
    ("B", "1 to 3 s"): (50, 7, "parallel complements only, 16 workers"),
    ("C", "1 s"): (30, 5, "parallel complements only, 24 workers"),
    ("C", "1 to 3 s"): (53, 8, "parallel complements only, 16 workers"),
    ("D", "1 s"): (472, 58, "parallel complements only, 64 workers"),
    ("D", "1 to 3 s"): (939, 79, "parallel complements only, 64 workers"),
}
"""Seconds of the original and of the best variant, and which that was."""

Duration = Callable[[Sequence[int]], float]


def one_second(config: Sequence[int]) -> float:
    return 1.0


def one_to_three_seconds(config: Sequence[int]) -> float:
    """Return a time that looks random but depends on the content alone."""
    return 1 + 2 * int.from_bytes(blake2b(repr(tuple(config)).encode(), digest_size=4).digest()) / 2**32


DURATIONS: dict[str, Duration] = {"1 s": one_second, "1 to 3 s": one_to_three_seconds}


def seconds(minimize: ListMinimizer, units: range, test: Oracle, workers: int, mode: Mode, duration: Duration) -> float:
    """Return how long a reduction takes on so many workers."""
    executor = SimulatedExecutor(test, workers, duration)
    Scheduler(executor, mode=mode).run(minimize(units), lambda candidate, label, verdict: None)
    return executor.now


def example_table(name: str, timing: str) -> str:
    units, test = EXAMPLES[name]
    duration = DURATIONS[timing]
    original = seconds(ddmin, units, test, 1, "in order", duration)
    rows = []
    for reduce in REDUCES:
        for way, (mode, loops) in WAYS.items():
            minimize = partial(ddmin, reduce=reduce, loops=loops)
            times = [seconds(minimize, units, test, workers, mode, duration) for workers in WORKERS]
            rows.append([f"{reduce}, {way}", *(f"{original / time:.1f}" for time in times)])
    before, after, which = PAPER[name, timing]
    return (
        f"Example {name}, a test takes {timing}: times as fast as subsets first on one worker ({original:.0f} s)\n"
        + table(["workers", *map(str, WORKERS)], rows)
        + f"\nthe paper's best: {before / after:.1f} ({before} s to {after} s, {which})"
    )


def large_table(needed: int, seeds: int) -> str:
    problem = scattered(2000, needed)
    minimizers: dict[str, Callable[[Loops], ListMinimizer]] = {
        "ddmin": lambda loops: partial(ddmin, loops=loops),
        "ddmin complements only": lambda loops: partial(ddmin, reduce="complements only", loops=loops),
        "grouping": lambda loops: grouping,
    }
    rows = []
    for name, with_loops in minimizers.items():
        for way, (mode, loops) in WAYS.items():
            if name == "grouping" and mode == "race":
                continue  # each question builds on the answers before it: a race would only confuse it
            totals = [0.0] * len(WORKERS)
            for seed in range(seeds):
                size, test = problem(random.Random(seed))
                for n, workers in enumerate(WORKERS):
                    totals[n] += seconds(with_loops(loops), range(size), test, workers, mode, one_to_three_seconds)
            rows.append([f"{name}, {way}", f"{totals[0] / seeds:.0f} s", *(f"{totals[0] / t:.1f}" for t in totals)])
            print(rows[-1], file=sys.stderr)
    return (
        f"2,000 units, {needed} needed, a test takes 1 to 3 s, mean of {seeds} seeds: "
        "times as fast as itself on one worker\n" + table(["workers", "alone", *map(str, WORKERS)], rows)
    )


def main() -> None:
    examples = [example_table(name, timing) for name in EXAMPLES for timing in DURATIONS]
    keep("speedups", [*examples, large_table(5, 3), large_table(100, 2)])


if __name__ == "__main__":
    main()
