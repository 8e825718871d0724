"""Kiss, *Generalizing the split factor of the minimizing delta debugging algorithm* (2020): table 2 for `bug.c`.

The program is our own, line for line built like the one of the literature: a function with a loop over an array, a copy
loop jumped into by a switch, and a main function. The check is the document's: a compiler of today accepts the lines,
and the two statements that crashed an old one are still there.
"""

from __future__ import annotations

import math
import random
import subprocess
from collections.abc import Callable, Sequence
from functools import cache, partial

from benchmarks.papers.plots import plot
from benchmarks.problems import Problem, clustered, scattered
from benchmarks.report import table
from minrepro.algorithms.lists.ddmin import ddmin
from minrepro.core.search import solve
from minrepro.core.verdicts import Outcome
from minrepro.documents.text import lines, reduce_text
from minrepro.settings import Factor

LIKE_BUG_C = b"""double blend( double v[], int size )
{
    int k;
    int m;
    for (m = 1; m < size; m++) {
        k = k + m + 2;
        v[k]=v[k]/(v[1]-0);
    }
    return v[size];
}

int move(double into[], double out[], int length)
{
    int rounds = (length + 7) / 8;
    switch (length % 8) do {
        case 0: *into++ = *out++;
        case 7: *into++ = *out++;
        case 6: *into++ = *out++;
        case 5: *into++ = *out++;
        case 4: *into++ = *out++;
        case 3: *into++ = *out++;
        case 2: *into++ = *out++;
        case 1: *into++ = *out++;
    } while (--rounds > 0);
    return (int)blend(into, 3);
}

int main( int count, char *words[] )
{
    double first[30], second[30];
    double *at = first;

    while (at < first + 30)
        *at++ = (at - first) * (30 + 1.5);

    return move(second, first, 30);
}
"""
CRASHES = b"k=k+m+2;v[k]=v[k]/(v[1]-0);"

TABLE_2 = {
    2: (122, 15, 74, 15),
    3: (144, 18, 95, 18),
    4: (99, 15, 55, 15),
    5: (142, 18, 66, 18),
    8: (120, 18, 78, 18),
    13: (121, 18, 63, 18),
    16: (129, 18, 66, 18),
    21: (131, 18, 68, 18),
    32: (139, 18, 64, 18),
    34: (140, 18, 66, 18),
    55: (123, 18, 59, 18),
}
"""Steps and lines left for each factor, with subset tests and without."""


@cache
def _compiles(text: bytes) -> bool:
    words = ["gcc", "-std=gnu11", "-w", "-fsyntax-only", "-xc", "-"]
    return subprocess.run(words, input=text, capture_output=True, check=False).returncode == 0


def crashes(case: bytes) -> Outcome:
    """Tell whether a text is valid C and still has what crashed the compiler."""
    if CRASHES not in b"".join(case.split()) or case.count(b"{") != case.count(b"}"):
        return Outcome.PASS  # no compiler need be asked about braces without a partner
    # Empty lines change nothing for a compiler: what is left of them need not be compiled again.
    return Outcome.FAIL if _compiles(b"\n".join(line for line in case.splitlines() if line.strip())) else Outcome.PASS


def row(factor: Factor) -> tuple[int, int, int, int]:
    """Return steps and lines left for a factor, with subset tests and without."""
    without = {"reduce": "complements only", "complement_order": "backward"}
    found: list[int] = []
    for options in ({}, without):
        seen: dict[bytes, Outcome] = {}

        def test(case: bytes, seen: dict[bytes, Outcome] = seen) -> Outcome:
            if case not in seen:
                seen[case] = crashes(case)
            return seen[case]

        minimize: Callable[..., object] = partial(ddmin, factor=factor, **options)  # type: ignore[arg-type]
        result = solve(reduce_text(LIKE_BUG_C, minimize, [lines]), test)  # type: ignore[arg-type]
        found += (len(seen), result.count(b"\n"))
    return found[0], found[1], found[2], found[3]


PROBLEMS: dict[str, Problem] = {
    "10 units, 3 scattered": scattered(10, 3),
    "12 units, 6 scattered": scattered(12, 6),
    "100 units, 5 scattered": scattered(100, 5),
    "100 units, 30 scattered": scattered(100, 30),
    "400 units, 20 clustered": clustered(400, 20),
    "1000 units, 10 scattered": scattered(1000, 10),
}
FACTORS: Sequence[Factor] = (2, 3, 4, 8, 16, math.inf, "auto")


def mean_tests(problem: Problem, factor: Factor, seeds: int = 6) -> float:
    """Return how many different configurations ddmin tests with a factor, in the mean."""
    total = 0
    for seed in range(seeds):
        size, oracle = problem(random.Random(seed))
        seen: set[tuple[int, ...]] = set()

        def test(config: tuple[int, ...], seen: set[tuple[int, ...]] = seen, oracle=oracle) -> Outcome:  # type: ignore[no-untyped-def]
            seen.add(config)
            return oracle(config)  # type: ignore[no-any-return]

        solve(ddmin(range(size), factor=factor), test)
        total += len(seen)
    return total / seeds


def report() -> list[str]:
    """Return the tables, and write the plot."""
    ours = {factor: row(factor) for factor in TABLE_2}
    plot(
        "split_factor",
        "Kiss 2020, table 2, bug.c: steps by split factor",
        "split factor",
        "steps",
        [str(factor) for factor in TABLE_2],
        {
            "with subset tests": [each[0] for each in ours.values()],
            "without subset tests": [each[2] for each in ours.values()],
        },
    )
    head = ("factor", "steps", "published", "lines", "published", "steps without", "published", "lines", "published")
    rows = [
        [str(factor), *(str(number) for both in zip(got, TABLE_2[factor], strict=True) for number in both)]
        for factor, got in ours.items()
    ]
    rows.append(["auto", *(cell for number in row("auto") for cell in (str(number), "-"))])
    means = [
        [name, *(f"{mean_tests(problem, factor):.0f}" for factor in FACTORS)] for name, problem in PROBLEMS.items()
    ]
    return [
        "Kiss 2020, table 2, bug.c: lines, with subset tests and without\n" + table(head, rows),
        "The factor that --ddmin-factor auto chooses, tests in the mean of six seeds\n"
        + table(("", *map(str, FACTORS)), means),
    ]
