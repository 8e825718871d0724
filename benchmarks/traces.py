"""Table 2 of *Reduce first, debug later* (2014) redone as a simulation: ddmin, rddmin and the default side by side.

    python benchmarks/traces.py [--flexstore FOLDER] [--samples N] [-o RESULTS]

A session of 44 events ends in its failure; the rules leave 8 of them (R). A fault is a set of events that must occur in
their order (E*). For each relation of R to E* and each distance (events of R that are not needed, and needed ones that
are not in R) the faults are all there are, or N drawn with a fixed seed. Time is virtual, as the paper set it: a second
for each event, four for each restart. All three use the same memory by prefix. With `--flexstore` the session and the
rules are those of the study; without it every event is different, and every event outside R has a rule of its own.
"""

from __future__ import annotations

import argparse
import math
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

from minrepro.core.verdicts import Outcome, Verdict
from minrepro.executors.inline import Inline
from minrepro.traces import trace_formats
from minrepro.traces.rule_syntax import parse_rules
from minrepro.traces.rules import Rule
from minrepro.traces.trace_reduction import Algorithm, TraceReduction, reduce_trace
from minrepro.traces.user_events import Event, Trace, numbered, positions

SIZE = 44
LEFT = (4, 5, 6, 7, 8, 9, 16, 43)
"""What the study's rules leave of its session, with the event that fails."""
ALGORITHMS: tuple[Algorithm, ...] = ("ddmin", "rddmin", "default")
SECONDS_PER_EVENT, SECONDS_PER_RESTART = 1, 4


@dataclass(frozen=True)
class Subject:
    """A session and the rules to rewrite it with."""

    trace: Trace
    rules: tuple[Rule, ...]


def imagined() -> Subject:
    """Return a session of different events, and rules that leave what the study's leave."""
    trace = numbered(Event(f"e{i}") for i in range(SIZE))
    return Subject(trace, parse_rules("\n".join(f"[e{i}] ≡ []" for i in range(SIZE) if i not in LEFT), "rules"))


def flexstore(folder: Path) -> Subject:
    """Return the session and the rules of the study."""
    log, _ = trace_formats.read(folder / "sessions" / "flx5_log_1382708392738_new_modified.xml")
    path = folder / "rules" / "flexstore.conf.0.9.pat"
    return Subject(log.trace, parse_rules(path.read_text(encoding="utf-8"), path.name))


def replayed(trace: Trace, wanted: Sequence[Event]) -> Verdict:
    """Return whether the wanted events occur in a trace in their order, and where the last of them does."""
    met = 0
    for fired, event in enumerate(trace, 1):
        if event == wanted[met]:
            met += 1
            if met == len(wanted):
                return Verdict(Outcome.FAIL, stopped_at=fired)
    return Verdict(Outcome.PASS, stopped_at=len(trace))


def seconds(subject: Subject, fault: Sequence[int], algorithm: Algorithm) -> int:
    """Return the virtual time that a reduction takes, its first replay included; it must find the fault."""
    wanted = [subject.trace[i] for i in fault]
    reduction = TraceReduction(subject.rules, algorithm, arguments=False)
    result = reduce_trace(subject.trace, Inline(lambda trace: replayed(trace, wanted)), reduction)
    found = [subject.trace[i] for i in positions(result.trace)]
    assert found == wanted, f"{algorithm} found {positions(result.trace)} for {fault}"
    return result.events_fired * SECONDS_PER_EVENT + result.run.tally.tests * SECONDS_PER_RESTART


def faults(case: int, distance: int, samples: int, rng: random.Random) -> Iterator[tuple[int, ...]]:
    """Yield faults that end with the session, in a relation to R and at a distance from it."""
    *kept, last = LEFT
    others = [i for i in range(SIZE) if i not in LEFT]
    if case == 1:
        yield from ((*some, last) for some in combinations(kept, len(kept) - distance))
        return
    for _ in range(samples):
        missing = 0 if case == 2 else rng.randint(1, distance - 1)
        some = [*rng.sample(kept, len(kept) - missing), *rng.sample(others, distance - missing)]
        yield (*sorted(some), last)


def geometric_mean(numbers: Sequence[float]) -> float:
    """Return the mean that treats twice as fast and twice as slow alike."""
    return math.exp(sum(map(math.log, numbers)) / len(numbers))


@dataclass
class Times:
    """The virtual times of the three algorithms on the same faults."""

    rows: list[tuple[int, ...]]

    def line(self, label: str) -> str:
        """Return the means, the ratios of the means, and the worst ratio to ddmin."""
        ddmin, rddmin, guided = (geometric_mean([row[i] for row in self.rows]) for i in range(3))
        worst = max(row[2] / row[0] for row in self.rows)
        return (
            f"{label:<28} {len(self.rows):>6} {ddmin:>8.0f} {rddmin:>8.0f} {guided:>8.0f}"
            f" {ddmin / guided:>13.2f} {rddmin / guided:>14.2f} {worst:>13.2f}"
        )


def measured(subject: Subject, some: Iterator[tuple[int, ...]]) -> Times:
    """Return the times on these faults."""
    return Times([tuple(seconds(subject, fault, algorithm) for algorithm in ALGORITHMS) for fault in some])


def table(subject: Subject, samples: int) -> list[str]:
    """Return the lines of the table."""
    rng = random.Random(2014)
    titles = ("faults", "ddmin", "rddmin", "ours", "ddmin/ours", "rddmin/ours", "worst/ddmin")
    widths = (6, 8, 8, 8, 13, 14, 13)
    lines = [" ".join([" " * 28, *(f"{title:>{width}}" for title, width in zip(titles, widths, strict=True))])]
    relations = {1: "E* within R", 2: "R within E*", 3: "E* and R overlap"}
    for case, relation in relations.items():
        every = Times([])
        for distance in range(2 if case == 3 else 1, 8):
            times = measured(subject, faults(case, distance, samples, rng))
            every.rows.extend(times.rows)
            lines.append(times.line(f"{relation}, distance {distance}"))
        lines.append(every.line(f"{relation}, all"))
    *kept, _ = LEFT
    early = (some for size in range(1, 8) for some in combinations(kept, size))
    lines.append(measured(subject, early).line("fails before the last event"))
    return lines


def main() -> None:
    """Print the table, and keep it where asked."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--flexstore", type=Path, metavar="FOLDER", help="the folder with the study's data")
    options.add_argument("--samples", type=int, default=40, metavar="N", help="faults for each line (default: 40)")
    options.add_argument("-o", "--output", type=Path, metavar="RESULTS", help="also write the table here")
    args = options.parse_args()
    subject = flexstore(args.flexstore) if args.flexstore else imagined()
    named = "the session and rules of the study" if args.flexstore else "an imagined session"
    head = [f"Seconds of virtual time (geometric means) on {named}; {args.samples} faults drawn per line.", ""]
    text = "\n".join([*head, *table(subject, args.samples), ""])
    print(text, end="")
    if args.output:
        args.output.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
