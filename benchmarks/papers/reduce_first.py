"""Elyasov, Prasetya, Hage & Nikas, *Reduce first, debug later* (2014): table 2 on a session of 44 events.

A fault is a set of events that must occur in their order. The document names how many events of R each fault lacks and
how many of its own it has, not which; here they are drawn with a fixed seed, and the means of several are shown beside
the published figure of one. Time is virtual: a second for each event, four for each restart.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.papers.plots import plot
from benchmarks.report import table
from benchmarks.traces import (
    ALGORITHMS,
    LEFT,
    SECONDS_PER_EVENT,
    SECONDS_PER_RESTART,
    SIZE,
    Subject,
    imagined,
    replayed,
)
from benchmarks.traces import flexstore as of_the_study
from minrepro.executors.inline import Inline
from minrepro.traces.trace_reduction import Algorithm, TraceReduction, reduce_trace
from minrepro.traces.user_events import positions

PUBLISHED = {
    ("E* within R", 7, 0): (158, 138),
    ("E* within R", 6, 0): (451, 118),
    ("E* within R", 5, 0): (843, 131),
    ("E* within R", 4, 0): (1703, 342),
    ("E* within R", 3, 0): (981, 419),
    ("E* within R", 2, 0): (1377, 239),
    ("E* within R", 1, 0): (1336, 235),
    ("R within E*", 0, 4): (3515, 5944),
    ("R within E*", 0, 3): (3189, 4911),
    ("R within E*", 0, 2): (2167, 1581),
    ("R within E*", 0, 1): (2019, 1003),
    ("overlap", 2, 4): (2290, 1895),
    ("overlap", 1, 4): (2145, 5597),
    ("overlap", 1, 3): (2058, 1894),
    ("overlap", 2, 1): (1988, 1769),
}
"""Seconds of ddmin and of rddmin, by how many events of R the fault lacks and how many it has beside them."""
RELATIONS = (*PUBLISHED, ("equal", 0, 0), ("disjoint", 8, 4))


@dataclass(frozen=True)
class Cost:
    """What a reduction took."""

    seconds: int
    events: int
    tests: int


def fault(lacking: int, added: int, rng: random.Random) -> tuple[int, ...]:
    """Return a fault that ends with the session, unless nothing of R is in it."""
    *kept, last = LEFT
    others = [i for i in range(SIZE) if i not in LEFT]
    if lacking > len(kept):
        return tuple(sorted(rng.sample(others, added)))
    return (*sorted([*rng.sample(kept, len(kept) - lacking), *rng.sample(others, added)]), last)


def cost(subject: Subject, needed: Sequence[int], algorithm: Algorithm) -> Cost:
    """Return what it takes to find a fault."""
    wanted = [subject.trace[i] for i in needed]
    reduction = TraceReduction(subject.rules, algorithm, arguments=False)
    result = reduce_trace(subject.trace, Inline(lambda trace: replayed(trace, wanted)), reduction)
    assert [subject.trace[i] for i in positions(result.trace)] == wanted, (algorithm, needed)
    tests = result.run.tally.tests
    return Cost(result.events_fired * SECONDS_PER_EVENT + tests * SECONDS_PER_RESTART, result.events_fired, tests)


def costs(subject: Subject, lacking: int, added: int, samples: int = 5) -> dict[Algorithm, list[Cost]]:
    """Return what each algorithm takes to find some faults of one relation."""
    rng = random.Random(2014)
    drawn = [fault(lacking, added, rng) for _ in range(samples)]
    return {algorithm: [cost(subject, each, algorithm) for each in drawn] for algorithm in ALGORITHMS}


def report(folder: Path | None = None) -> list[str]:
    """Return the table, and write the plot; the study's session is in the folder, an imagined one else."""
    subject = of_the_study(folder) if folder is not None else imagined()
    rows: list[list[str]] = []
    seconds: dict[Algorithm, list[float]] = {algorithm: [] for algorithm in ALGORITHMS}
    for relation, lacking, added in RELATIONS:
        found = costs(subject, lacking, added)
        cells = []
        for algorithm, done in found.items():
            mean = [sum(getattr(each, key) for each in done) / len(done) for key in ("seconds", "events", "tests")]
            seconds[algorithm].append(mean[0])
            cells.append("/".join(f"{number:.0f}" for number in mean))
        published = PUBLISHED.get((relation, lacking, added))
        rows.append([f"{relation}, -{lacking} +{added}", *cells, "/".join(map(str, published)) if published else "-"])
    plot(
        "reduce_first",
        "Reduce first, debug later, table 2: virtual seconds",
        "events of R that are not needed, and needed ones outside of it",
        "seconds",
        [f"-{lacking}+{added}" for _, lacking, added in RELATIONS],
        {str(algorithm): row for algorithm, row in seconds.items()},
    )
    named = "the session of the study" if folder is not None else "an imagined session of the same shape"
    head = ("", "ddmin", "rddmin", "default", "published seconds, ddmin/rddmin")
    return [
        f"Elyasov et al. 2014, table 2, on {named}: seconds/events/executed tests, means of 5 faults\n"
        + table(head, rows)
    ]
