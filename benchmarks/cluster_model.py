"""The merging scheduler with 100, 1,000 and 10,000 workers, on a virtual clock.

    python -m benchmarks.cluster_model [--units 20000] [--needed 1000]

What is real: the scheduler, and the time that it computes. What is imagined, with the figures in `Cluster`: how long a
check takes (scattered around 10 s), how long cases and verdicts travel, workers that die in the middle of a test, which
is then noticed and run again elsewhere, and a coordinator that sends one case after the other: the time for that is
what `benchmarks.cluster cost` measures for coordinator and Dask scheduler together.
"""

from __future__ import annotations

import argparse
import math
import random
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from benchmarks.cluster import by_lines
from benchmarks.report import keep, machine, table
from minrepro.core.protocols import Job
from minrepro.core.verdicts import Outcome, Verdict
from minrepro.engine.run import Run
from minrepro.testing import SimulatedExecutor

WORKERS = (1, 10, 100, 1000, 10_000)


@dataclass(frozen=True)
class Imagined:
    """A cluster that is only imagined: all times in seconds."""

    check: float = 10.0
    spread: float = 0.3
    """The standard deviation of the logarithm of a check's time."""
    travel: float = 0.05
    """From coordinator to worker and back, beside the check."""
    deaths: float = 0.0
    """The share of tests whose worker dies."""
    noticed: float = 2.0
    """How long it takes to notice that a worker has died."""
    sending: float = 0.0
    """What the coordinator needs to send a test; it sends one after the other."""


PERFECT = Imagined(travel=0.0)
LIKELY = Imagined(sending=0.006, deaths=0.001)
FRAIL = Imagined(sending=0.006, deaths=0.02, noticed=15.0)


class ImaginedExecutor(SimulatedExecutor):
    """Runs a function as oracle on an imagined cluster."""

    def __init__(self, test: Callable[[Any], Outcome], workers: int, imagined: Imagined, seed: int = 0) -> None:
        super().__init__(test, workers, lambda case: self._times[case])
        self._imagined = imagined
        self._rng = random.Random(seed)
        self._times: dict[Any, float] = {}
        self.died = 0

    def _drawn(self) -> float:
        """Return how long the verdict of a case takes, with all that is run again."""
        it = self._imagined
        total = it.travel
        while True:
            check = it.check * math.exp(self._rng.gauss(0.0, it.spread))
            if self._rng.random() >= it.deaths:
                return total + check
            self.died += 1
            total += self._rng.random() * check + it.noticed + it.travel

    def start(self, case: Any) -> Job:
        """Begin a test, after the time that it takes to send it."""
        self.now += self._imagined.sending
        self._times[case] = self._drawn()
        return super().start(case)

    def wait(self, jobs: Iterable[Job], timeout: float | None = None) -> Mapping[Job, Verdict]:
        """Let time pass until a test ends; what has ended while others were sent is noticed now."""
        sent_until = self.now
        done = super().wait(jobs, timeout)
        self.now = max(self.now, sent_until)
        return done


def problem(units: int, needed: int) -> tuple[bytes, Callable[[bytes], Outcome]]:
    """Return lines of which some are needed, and the oracle that says so."""
    wanted = set(random.Random(0).sample(range(units), needed))

    def test(case: bytes) -> Outcome:
        return Outcome.FAIL if case.count(b"!") == needed else Outcome.PASS

    return b"".join(b"%06d%s\n" % (number, b"!" if number in wanted else b"") for number in range(units)), test


def study(name: str, imagined: Imagined, units: int, needed: int) -> str:
    """Return a table of how a reduction scales."""
    data, test = problem(units, needed)
    rows = []
    alone = fewest = 0.0
    for workers in WORKERS:
        oracle_seconds = 0.0

        def timed(case: bytes) -> Outcome:
            nonlocal oracle_seconds
            began = time.process_time()
            outcome = test(case)
            oracle_seconds += time.process_time() - began
            return outcome

        executor = ImaginedExecutor(timed, workers, imagined)
        began = time.process_time()
        result = Run[bytes](executor).reduce_by_edits(data, by_lines, empty=b"")
        own = time.process_time() - began - oracle_seconds
        assert result.case.count(b"\n") == needed
        alone, fewest = alone or executor.now, fewest or executor.started
        rows.append(
            [
                f"{workers:,}",
                f"{executor.now:,.0f} s",
                f"{alone / executor.now:.1f}",
                f"{alone / executor.now / workers:.3f}",
                f"{executor.started:,}",
                f"{100 * (1 - fewest / executor.started):.0f} %",
                f"{executor.died:,}",
                f"{executor.started / executor.now:.1f}",
                f"{1000 * own / executor.started:.2f} ms",
                f"{100 * own / executor.now:.2f} %",
            ]
        )
        print(name, rows[-1], flush=True)
    head = ["workers", "takes", "speed-up", "per worker", "tests", "wasted", "died", "tests/s", "own", "own share"]
    return f"{name}: {imagined}\n{table(head, rows)}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--units", type=int, default=20_000)
    parser.add_argument("--needed", type=int, default=1_000)
    args = parser.parse_args()
    intro = (
        f"{args.units:,} lines, {args.needed:,} needed, on a virtual clock; {machine()}\n"
        "wasted: tests beyond those of one worker. own: processor time of the merging scheduler for a test, really "
        "measured;\nown share: of the time that the run takes. A speed-up is against one worker of the same cluster."
    )
    studies = {"no latency, no failures": PERFECT, "likely": LIKELY, "frail": FRAIL}
    keep("cluster_model", [intro, *(study(name, it, args.units, args.needed) for name, it in studies.items())])


if __name__ == "__main__":
    main()
