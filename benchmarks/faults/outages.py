"""Checks that cannot work for a while, once or several times in a run: what becomes of the run?

    python -m benchmarks.faults.outages [RUNS] [SEED]

On a virtual clock, a check takes a tenth of a second and rejects everything while its server is down: for half a second
up to an hour, at random moments, with one to eight workers. An outage is noticed if minrepro says so. A run is survived
if it finishes with a result that has all needed parts; it is as small as without outages if it has nothing else. What
is shorter than the time between two looks at the best so far, which grows with their number, can pass unnoticed; then
a part may remain.
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from collections.abc import Callable

from benchmarks.report import keep, machine, table
from minrepro.core.best import Best
from minrepro.core.events import End
from minrepro.core.verdicts import Outcome
from minrepro.engine.default_reducer import DefaultReducer
from minrepro.engine.run import Run
from minrepro.executors.outage import Outage
from minrepro.executors.repeated import RepeatedRuns
from minrepro.passes.default_passes import PLAIN
from minrepro.testing import SimulatedExecutor

INPUT = b"".join(b"line %d of many\n" % number for number in range(200))
NEEDED = (b"line 33 of", b"line 70 of", b"line 71 of", b"line 150 of")
SHORT, MIDDLE, LONG = "below 2 s", "2 to 60 s", "a minute to an hour"
LENGTHS = {SHORT: (0.5, 2.0), MIDDLE: (2.0, 60.0), LONG: (60.0, 3600.0)}


def truth(case: bytes) -> bool:
    """Return whether a case has all that is needed."""
    return all(part in case for part in NEEDED)


def reduced(down: list[tuple[float, float]], workers: int) -> tuple[bool, bytes, list[str]]:
    """Return whether a run finished, what it made of the input, and what it said."""
    said: list[str] = []

    def test(case: bytes) -> Outcome:
        works = not any(begin <= executor.now < begin + seconds for begin, seconds in down)
        return Outcome.FAIL if works and truth(case) else Outcome.PASS

    def sleep(seconds: float) -> None:
        executor.now += seconds

    def begin(warn: Callable[[str], None]) -> Outage:
        return Outage(warn, lambda: executor.now, sleep)

    executor = SimulatedExecutor(test, workers, lambda case: 0.1)
    best: Best[bytes] = Best()
    repeated = RepeatedRuns(executor, best, warn=said.append, begin_outage=begin)
    run: Run[bytes] = Run(repeated, notify=repeated, best=best, confirm=repeated.confirm)
    result = run.reduce_by_edits(
        INPUT, lambda case, tester, accept: DefaultReducer(list(PLAIN))(case, tester, accept), empty=b""
    )
    return result.end is End.FINISHED, result.case, said


def main() -> None:
    """Have many runs with outages, and keep the table."""
    given = [int(word) for word in sys.argv[1:3]]
    runs, seed = [*given, *(200, 1)[len(given) :]]
    rng = random.Random(seed)
    calm = len(reduced([], 1)[1])
    counts: dict[str, Counter[str]] = {length: Counter() for length in LENGTHS}
    for number in range(runs):
        length = list(LENGTHS)[number % len(LENGTHS)]
        down: list[tuple[float, float]] = []
        moment = 0.15  # the input itself is checked at the beginning
        for _ in range(rng.randint(1, 3)):
            moment += rng.uniform(0, 8)
            down.append((moment, rng.uniform(*LENGTHS[length])))
            moment += down[-1][1]
        finished, case, said = reduced(down, rng.choice((1, 2, 4, 8)))
        seen = counts[length]
        seen["tried"] += 1
        seen["survived"] += finished and truth(case)
        seen["noticed"] += any("reproduce" in text for text in said)
        seen["as small"] += len(case) <= calm
        seen["called flaky"] += any(text.startswith("flaky") for text in said)
    head = ["outages of", "tried", "survived", "lost", "noticed", "as small", "called flaky"]
    rows = [
        [
            length,
            *(
                str(count)
                for count in (
                    seen["tried"],
                    seen["survived"],
                    seen["tried"] - seen["survived"],
                    seen["noticed"],
                    seen["as small"],
                    seen["called flaky"],
                )
            ),
        ]
        for length, seen in counts.items()
    ]
    keep("outages", [__doc__ or "", f"{machine()}; seed {seed}", table(head, rows)])


if __name__ == "__main__":
    main()
