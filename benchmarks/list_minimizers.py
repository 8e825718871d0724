"""How many tests each list minimiser needs, on problems of several kinds.

    python -m benchmarks.list_minimizers [SEEDS]

Counted are different configurations, those of the final proof that the result is 1-minimal included; the mean over some
seeds is shown. The last column is what any algorithm needs at least for scattered units, and for the proof:
log2 C(n, m) + m.
"""

from __future__ import annotations

import math
import random
import sys
from functools import partial

from benchmarks.problems import Problem, alternatives, clustered, definitions_first, dependent, is_minimal, scattered
from benchmarks.report import keep, table
from minrepro.algorithms.lists.ddmin import ddmin, onemin
from minrepro.algorithms.lists.group_testing import grouping
from minrepro.algorithms.lists.halving import halving
from minrepro.algorithms.lists.probabilistic import cdd, probdd
from minrepro.core.search import ListMinimizer, solve
from minrepro.core.verdicts import Outcome

MINIMIZERS: dict[str, ListMinimizer] = {
    "ddmin": ddmin,
    "compl. only": partial(ddmin, reduce="complements only"),
    "backward": partial(ddmin, reduce="complements only", complement_order="backward"),
    "onemin": partial(onemin, complement_order="backward", resume_behind=True),
    "halving": halving,
    "probdd": probdd,
    "cdd": cdd,
    "grouping": grouping,
}

KINDS: dict[str, tuple[Problem, int, int]] = {
    "2000 units, 5 scattered": (scattered(2000, 5), 2000, 5),
    "2000 units, 100 scattered": (scattered(2000, 100), 2000, 100),
    "2000 units, 20 clustered": (clustered(2000, 20), 0, 0),
    "2000 units, 200 clustered": (clustered(2000, 200), 0, 0),
    "400 units, 20, uses after definitions": (definitions_first(400, 20), 400, 20),
    "400 units, 20, uses anywhere": (dependent(400, 20), 400, 20),
    "1000 units, 20, three causes": (alternatives(1000, 20), 1000, 20),
}


def tests_needed(minimize: ListMinimizer, problem: Problem, seed: int) -> int:
    """Return how many different configurations were tested."""
    size, test = problem(random.Random(seed))
    asked: set[tuple[int, ...]] = set()

    def counted(config: tuple[int, ...]) -> Outcome:
        asked.add(config)
        return test(config)

    assert is_minimal(solve(minimize(range(size)), counted), test)
    return len(asked)


def main() -> None:
    seeds = int(sys.argv[1]) if len(sys.argv) > 1 else 6
    rows = []
    for kind, (problem, size, needed) in KINDS.items():
        counts = [
            round(sum(tests_needed(minimize, problem, seed) for seed in range(seeds)) / seeds)
            for minimize in MINIMIZERS.values()
        ]
        bound = f"{math.log2(math.comb(size, needed)):.0f}+{needed}" if size else "-"
        rows.append([kind, *map(str, counts), bound])
        print(rows[-1], file=sys.stderr)
    keep(
        "list_minimizers",
        [
            f"Different configurations tested, mean of {seeds} seeds; every result was checked to be 1-minimal.",
            table(["", *MINIMIZERS, "bound"], rows),
        ],
    )


if __name__ == "__main__":
    main()
