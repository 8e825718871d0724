"""How much faster the default reducer's engine is with many workers, on a virtual clock, beside two other schemes.

    python -m benchmarks.merging [--seeds N]      writes benchmarks/results/merging.txt

2,000 units of which 5 or 100 are needed, tests that only take time (all the same, or spread as real ones). *merging* is
the engine of the default reducer with its certificate at the end; *cancel* is ddmin that ends all other tests at a
success; *wait* is ddmin that waits for all other tests at a success and forgets them, as Picire does.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean
from typing import Any

from minrepro.algorithms.lists.ddmin import ddmin
from minrepro.core.edits import Cut
from minrepro.core.protocols import Job
from minrepro.core.units import Unit
from minrepro.core.verdicts import Outcome
from minrepro.engine.merger import Merger
from minrepro.engine.plan import Plan
from minrepro.engine.scheduler import Scheduler
from minrepro.engine.tester import Tester
from minrepro.testing import SimulatedExecutor

RESULTS = Path(__file__).parent / "results" / "merging.txt"
WORKERS = (1, 2, 4, 8, 16, 32, 64)
WIDTH = 7
UNITS = 2000

Duration = Callable[[Any], float]


@dataclass(frozen=True)
class Problem:
    """Units of which some are needed, as lines of a text."""

    needed: frozenset[int]
    text: bytes

    def test(self, case: Sequence[int] | bytes) -> Outcome:
        """Tell whether all that is needed is there."""
        kept = {int(line) for line in case.split()} if isinstance(case, bytes) else set(case)
        return Outcome.FAIL if self.needed <= kept else Outcome.PASS


def problem(needed: int, seed: int) -> Problem:
    chosen = frozenset(random.Random(seed).sample(range(UNITS), needed))
    return Problem(chosen, b"".join(b"%0*d\n" % (WIDTH - 1, i) for i in range(UNITS)))


def durations(spread: bool, seed: int) -> Duration:
    rng = random.Random(seed)
    return (lambda case: rng.lognormvariate(0, 0.5)) if spread else (lambda case: 1.0)


def units(text: bytes) -> list[list[Unit]]:
    return [[Unit(((Cut(start, start + WIDTH),),)) for start in range(0, len(text), WIDTH)]]


def merging(given: Problem, workers: int, duration: Duration) -> SimulatedExecutor:
    executor = SimulatedExecutor(given.test, workers, duration)
    merger = Merger(Tester(executor), lambda case, label, verdict: None)
    content = merger.carry_out(Plan(units(given.text)), given.text)
    while (after := merger.carry_out(Plan(units(content), thorough=True), content)) != content:
        content = after
    assert len(content) == WIDTH * len(given.needed)
    return executor


class Waiting(SimulatedExecutor):
    """Lets a cancelled test come to its end, and time pass until then."""

    def cancel(self, job: Job) -> None:
        end = next((end for end, number in self._ends if number == job), self.now)
        self.now = max(self.now, end)
        super().cancel(job)


def ddmin_with(executor: SimulatedExecutor, given: Problem) -> SimulatedExecutor:
    reduction = ddmin(range(UNITS), reduce="complements only", complement_order="backward", loops="separate")
    result = Scheduler(executor, mode="race").run(reduction, lambda candidate, label, verdict: None)
    assert frozenset(result) == given.needed
    return executor


SCHEMES: dict[str, Callable[[Problem, int, Duration], SimulatedExecutor]] = {
    "merging": merging,
    "cancel": lambda given, workers, duration: ddmin_with(SimulatedExecutor(given.test, workers, duration), given),
    "wait": lambda given, workers, duration: ddmin_with(Waiting(given.test, workers, duration), given),
}


def table(needed: int, spread: bool, seeds: int) -> list[str]:
    kind = "spread as real ones" if spread else "all the same"
    rows = [f"{needed} of {UNITS} needed, durations {kind}, mean of {seeds} seeds: speed-up (tests)"]
    rows.append(f"{'workers':>8}" + "".join(f"{name:>18}" for name in SCHEMES))
    base: dict[str, float] = {}
    for workers in WORKERS:
        row = f"{workers:>8}"
        for name, scheme in SCHEMES.items():
            runs = [scheme(problem(needed, seed), workers, durations(spread, seed)) for seed in range(seeds)]
            seconds = mean(run.now for run in runs)
            base.setdefault(name, seconds)
            row += f"{f'{base[name] / seconds:.1f} ({mean(run.started for run in runs):.0f})':>18}"
        rows.append(row)
    return [*rows, ""]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=5)
    seeds = parser.parse_args().seeds
    rows = [row for needed in (5, 100) for spread in (False, True) for row in table(needed, spread, seeds)]
    RESULTS.write_text("\n".join(rows))
    print("\n".join(rows))


if __name__ == "__main__":
    main()
