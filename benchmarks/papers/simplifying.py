"""Hildebrandt & Zeller, *Simplifying failure-inducing input* (2000): its tables and its bounds."""

from __future__ import annotations

import math

from tests.paper.test_simplifying import GCC_OPTIONS, minimized

from benchmarks.papers import fuzzing
from benchmarks.report import table


def report() -> list[str]:
    """Return the counts beside the published ones."""
    found, tests = minimized(GCC_OPTIONS, {"-fforce-addr"})
    rows = [["gcc options, the one that prevents the crash", str(tests), "7", str(found[0])]]
    for size in (10, 100, 1000):
        _, tests = minimized(range(size), {size // 3})
        rows.append(
            [f"one cause among {size}", str(tests), f"at most {2 * math.ceil(math.log2(size))}", str(size // 3)]
        )
    counts = "Hildebrandt & Zeller 2000: tests\n" + table(("", "tests", "published", "found"), rows)
    return [counts, *fuzzing.report()]
