"""Hodován & Kiss, *Practical improvements to the minimizing delta debugging algorithm* (2016): tables 2, 3 and 4.

Every example and every text of our own, with every variant at every level of parallelism, on a virtual clock: a test
takes no time, 1 s, or between 1 and 3 s by its content. The browsers of the study are not to be had any more; in their
place are JSON documents that are reduced line by line.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import Any

from benchmarks.papers.plots import plot
from benchmarks.picireny import json_inputs
from benchmarks.report import table
from benchmarks.speedups import DURATIONS, EXAMPLES, PAPER
from minrepro.algorithms.lists.ddmin import DdminStep, ddmin
from minrepro.core.events import Tally
from minrepro.core.search import Candidate, Reduction, Search
from minrepro.core.verdicts import Outcome
from minrepro.documents.text import lines
from minrepro.engine.scheduler import Scheduler
from minrepro.settings import Loops, Mode, Reduce
from minrepro.testing import SimulatedExecutor

LEVELS = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64)
REDUCES: tuple[Reduce, ...] = ("subsets first", "complements first", "complements only")
WAYS: dict[str, tuple[Mode, Loops]] = {
    "sequential": ("in order", "ahead"),
    "parallel": ("race", "separate"),
    "combined": ("race", "combined"),
    "in order": ("in order", "ahead"),
}
"""The paper's three, and ours, which gives the same result at every level."""


_MOST_LINES = 400
"""Longer documents would take hours with every variant at every level."""

Test = Callable[[Sequence[int]], Outcome]


@dataclass(frozen=True)
class Done:
    """What one reduction did."""

    result: tuple[int, ...]
    tests: int
    cache_hits: int
    iterations: int
    seconds: float


class _Iterations:
    """Counts the paper's iterations: the granularities at which a reduction was asked for candidates."""

    def __init__(self) -> None:
        self.count = 0

    def of(self, reduction: Reduction[Any]) -> Reduction[Any]:
        try:
            search = next(reduction)
            rounds: set[int] = set()
            while True:
                answer = yield Search(self._counted(search.candidates, rounds), search.label)
                if answer is not None:
                    rounds = set()
                search = reduction.send(answer)
        except StopIteration as end:
            return end.value

    def _counted(self, candidates: Any, rounds: set[int]) -> Any:
        for candidate in candidates:
            assert isinstance(candidate, DdminStep)
            if candidate.round not in rounds:
                rounds.add(candidate.round)
                self.count += 1
            yield candidate


def run(units: range, test: Test, reduce: Reduce, way: str, level: int, timing: str = "1 s") -> Done:
    """Reduce on so many imagined workers."""
    mode, loops = WAYS[way]
    tally, iterations = Tally(), _Iterations()
    executor = SimulatedExecutor(test, 1 if way == "sequential" else level, DURATIONS[timing])
    scheduler = Scheduler(executor, notify=tally, mode=mode)
    reduction = iterations.of(ddmin(units, reduce=reduce, loops=loops))
    result: tuple[int, ...] = scheduler.run(reduction, _ignore)
    return Done(result, tally.tests, tally.remembered, iterations.count, executor.now)


def _ignore(candidate: Candidate[Any], label: str, verdict: object) -> None:
    pass


def documents() -> dict[str, tuple[range, Test]]:
    """Return the study's inputs of today: JSON documents of which lines are removed."""
    found: dict[str, tuple[range, Test]] = {}
    for name, text, check in json_inputs():
        if text.count("\n") > _MOST_LINES:
            continue
        condition = check.split("sys.exit(0 if ")[1].split(" else 1)")[0]
        document = lines(text.encode())
        found[name] = range(len(document)), partial(_fails, cache(_asked(document.render, condition)))
    return found


def _fails(asked: Callable[[tuple[int, ...]], bool], config: Sequence[int]) -> Outcome:
    return Outcome.FAIL if asked(tuple(config)) else Outcome.PASS


def _asked(render: Callable[[Sequence[int]], bytes], condition: str) -> Callable[[tuple[int, ...]], bool]:
    code = compile(condition, "condition", "eval")

    def asked(config: tuple[int, ...]) -> bool:
        text = render(config).decode()
        try:
            value = json.loads(text)
            return bool(eval(code, {"text": text, "value": value}))
        except (ValueError, KeyError, TypeError, IndexError, AttributeError):
            return False

    return asked


def interval(numbers: Sequence[int]) -> str:
    """Return the least and the most of some numbers."""
    return str(min(numbers)) if min(numbers) == max(numbers) else f"{min(numbers)}-{max(numbers)}"


def table_3b(subjects: dict[str, tuple[range, Test]]) -> str:
    """Return tests, cache hits and iterations over all levels, subsets first."""
    rows = []
    for name, (units, test) in subjects.items():
        cells = []
        for way in ("sequential", "parallel", "combined"):
            done = [run(units, test, "subsets first", way, level) for level in LEVELS]
            tests, hits, rounds = (
                interval([getattr(each, key) for each in done]) for key in ("tests", "cache_hits", "iterations")
            )
            cells.append(f"{tests} (+{hits}) [{rounds}]")
        rows.append([name, *cells])
    return (
        "Hodován & Kiss 2016, table 3(b): tests (+cache hits) [iterations] at 1 to 64 workers, subsets first\n"
        + table(("", "sequential", "parallel", "combined"), rows)
    )


def table_4(subjects: dict[str, tuple[range, Test]]) -> tuple[str, int]:
    """Return the best variant of each input, by time and by level, and how many reductions that took."""
    rows, count = [], 0
    for name, (units, test) in subjects.items():
        for timing in DURATIONS:
            original = run(units, test, "subsets first", "sequential", 1, timing).seconds
            best: tuple[float, int, str] | None = None
            ours = original
            for reduce in REDUCES:
                for way in WAYS:
                    for level in (1,) if way == "sequential" else LEVELS:
                        seconds = run(units, test, reduce, way, level, timing).seconds
                        count += 1
                        if way == "in order":
                            ours = min(ours, seconds)
                        elif best is None or (seconds, level) < best[:2]:
                            best = seconds, level, f"{way} {reduce}"
            assert best is not None
            before, after, which = PAPER.get((name, timing), (0, 0, "-"))
            published = f"{which}, {before} s to {after} s" if before else "-"
            cells = f"{best[2]} ({best[1]})", f"{original:.0f}", f"{best[0]:.0f}", f"{1 - best[0] / original:.0%}"
            rows.append([f"{name}, {timing}", *cells, f"{ours:.0f}", published])
    head = ("", "the paper's best way (level)", "original s", "best s", "saved", "ours in order s", "published")
    return "Hodován & Kiss 2016, table 4: the quickest way for each input\n" + table(head, rows), count


def table_2(subjects: dict[str, tuple[range, Test]]) -> str:
    """Return how much is left in each way, over all levels and steps."""
    rows = []
    for name, (units, test) in subjects.items():
        sizes = {
            way: interval([len(run(units, test, reduce, way, level).result) for reduce in REDUCES for level in LEVELS])
            for way in ("sequential", "parallel", "combined")
        }
        rows.append([name, str(len(units)), *sizes.values()])
    return "Hodován & Kiss 2016, table 2: units left\n" + table(
        ("", "units", *("sequential", "parallel", "combined")), rows
    )


def report() -> list[str]:
    """Return the tables, and write the plot."""
    examples: dict[str, tuple[range, Test]] = dict(EXAMPLES)
    units, test = examples["D"]
    original = run(units, test, "subsets first", "sequential", 1).seconds
    plot(
        "parallel_loops",
        "Hodován & Kiss 2016, example D: times as fast as the original",
        "workers",
        "times as fast",
        [str(level) for level in LEVELS],
        {
            f"{way}, {reduce}": [original / run(units, test, reduce, way, level).seconds for level in LEVELS]
            for way in ("parallel", "combined", "in order")
            for reduce in REDUCES
        },
    )
    of_examples, first = table_4(examples)
    of_documents, second = table_4(documents())
    study = f"{first + second:,} reductions in all; the study had 1,098."
    return [
        table_2({**examples, **documents()}),
        table_3b(examples),
        of_examples,
        of_documents,
        study,
    ]
