"""Hodován & Kiss, *Practical improvements to the minimizing delta debugging algorithm* (2016): tables 2, 3(b) and 4."""

from __future__ import annotations

import pytest
from benchmarks.papers.parallel_loops import LEVELS, REDUCES, WAYS, run
from benchmarks.speedups import EXAMPLES, PAPER

SMALL = ("A", "B", "C")


def test_table_2_every_variant_leaves_the_only_1_minimal_part_at_every_level() -> None:
    for name, left in zip(SMALL, (2, 8, 6), strict=True):
        units, test = EXAMPLES[name]
        for way in WAYS:
            for reduce in REDUCES:
                assert {len(run(units, test, reduce, way, level).result) for level in LEVELS} == {left}


def spread(name: str, way: str) -> tuple[tuple[int, int], tuple[int, int], tuple[int, int]]:
    units, test = EXAMPLES[name]
    done = [run(units, test, "subsets first", way, level) for level in LEVELS]
    counts = [[getattr(each, key) for each in done] for key in ("tests", "cache_hits", "iterations")]
    tests, hits, iterations = ((min(each), max(each)) for each in counts)
    return tests, hits, iterations


def test_table_3b_example_a_in_parallel_has_the_published_tests_cache_hits_and_iterations() -> None:
    assert spread("A", "parallel") == ((22, 35), (22, 23), (8, 8))


def test_table_3b_the_number_of_iterations_does_not_depend_on_the_level() -> None:
    for name, iterations in zip(SMALL, (8, 3, 5), strict=True):
        assert spread(name, "sequential")[2] == spread(name, "parallel")[2] == (iterations, iterations)


def best(name: str, timing: str) -> float:
    units, test = EXAMPLES[name]
    return min(
        run(units, test, reduce, way, level, timing).seconds
        for reduce in REDUCES
        for way in ("parallel", "combined")
        for level in LEVELS
    )


@pytest.mark.parametrize("name", SMALL)
def test_table_4_the_best_variant_takes_the_published_seconds(name: str) -> None:
    units, test = EXAMPLES[name]
    before, after, _ = PAPER[name, "1 s"]
    assert run(units, test, "subsets first", "sequential", 1).seconds == before
    assert best(name, "1 s") == after


def test_table_4_example_d_at_64_workers() -> None:
    units, test = EXAMPLES["D"]
    before, after, _ = PAPER["D", "1 s"]
    assert run(units, test, "subsets first", "sequential", 1).seconds == before
    assert abs(run(units, test, "complements only", "parallel", 64).seconds - after) <= 1
