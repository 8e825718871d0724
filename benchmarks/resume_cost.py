"""What a journal costs: for each test while it is written, and for 100,000 tests when they are replayed.

    python -m benchmarks.resume_cost [TESTS]

The same search, which tries to remove every pair of 500 lines, is run three times up to the same number of tests:
without a journal, with one, and resumed from it. The check is a function that costs next to nothing, so what is seen
is the cost of the scheduler, and on top of it that of the journal. Times are those of the processor, because a busy
machine would make anything else.
"""

from __future__ import annotations

import sys
import tempfile
import time
from itertools import combinations
from pathlib import Path

from benchmarks.report import keep, machine, table
from minrepro.core.events import Listener, ignore
from minrepro.core.protocols import Executor
from minrepro.core.search import Candidate, Reduction, first
from minrepro.core.verdicts import Outcome
from minrepro.engine.run import Run
from minrepro.executors.inline import Inline
from minrepro.oracles.function import FunctionOracle
from minrepro.runs.history.journal import Journal
from minrepro.runs.history.recorded_run import RunQuestion
from minrepro.runs.history.replaying import ReplayingExecutor
from minrepro.settings import Budget

INPUT = b"".join(b"line %d of many\n" % number for number in range(500))
ASKED = RunQuestion([], "", "0", {}, {}, {})


def reduced(executor: Executor, tests: int, notify: Listener = ignore) -> float:
    """Return the seconds of the processor that a search takes up to a number of tests."""
    began = time.process_time()
    run: Run[bytes] = Run(executor, budget=Budget(tests=tests), notify=notify)
    run.reduce(INPUT, by_pairs)
    took = time.process_time() - began
    if run.tally.tests < tests - 1:
        raise SystemExit(f"the reduction ended after {run.tally.tests} tests")
    return took


def by_pairs(case: bytes) -> Reduction[bytes]:
    """Try to remove every pair of lines."""
    lines = case.splitlines(keepends=True)
    pairs = combinations(range(len(lines)), 2)
    without = (
        b"".join(lines[:one]) + b"".join(lines[one + 1 : other]) + b"".join(lines[other + 1 :]) for one, other in pairs
    )
    found = yield from first(map(Candidate, without))
    return case if found is None else found.config


def check() -> Executor:
    """Return what runs the check: only the whole input fails."""
    return Inline(FunctionOracle(lambda case: len(case) == len(INPUT)))


def main() -> None:
    """Measure, and keep the table."""
    tests = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "state"
        plain = reduced(check(), tests)
        journal = Journal.begin(folder, ASKED, {Outcome.FAIL: INPUT}, 1)
        recorded = reduced(ReplayingExecutor(check(), journal), tests, journal)
        journal.close()
        size = journal.story.path.stat().st_size
        began = time.process_time()
        again = Journal.resume(journal.story.path, ASKED, {Outcome.FAIL: INPUT}, 1)
        read = time.process_time() - began
        executor = ReplayingExecutor(check(), again)
        replayed = reduced(executor, tests, again)
        again.close()
    rows = [
        ["without a journal", f"{plain:.2f}", f"{1e6 * plain / tests:.1f}"],
        ["with a journal", f"{recorded:.2f}", f"{1e6 * recorded / tests:.1f}"],
        ["the journal's share", f"{recorded - plain:.2f}", f"{1e6 * (recorded - plain) / tests:.1f}"],
        ["reading the journal", f"{read:.2f}", f"{1e6 * read / tests:.1f}"],
        ["replaying it", f"{replayed:.2f}", f"{1e6 * replayed / tests:.1f}"],
        ["resuming, in all", f"{read + replayed:.2f}", f"{1e6 * (read + replayed) / tests:.1f}"],
    ]
    told = f"{tests:,} tests, {executor.replayed:,} of them replayed; the journal has {size / 1e6:.1f} MB."
    keep("resume_cost", [__doc__ or "", machine(), told, table(["", "seconds", "µs a test"], rows)])


if __name__ == "__main__":
    main()
