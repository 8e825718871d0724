"""What a private view of the user's folder costs each check, beside an empty folder as for a check script.

    python -m benchmarks.folder_view [CHECKS]

Each row is the median over rounds, all kinds in one round, of the seconds per check of a program that ends at once.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from pathlib import Path

from minrepro.core.invocations import Invocation, ProcessEnd
from minrepro.core.verdicts import Outcome, Verdict
from minrepro.core.view import COPY, View
from minrepro.executors.local.process_pool import Processes

ROUNDS = 5
FILES = 10_000


class Nothing:
    """Runs a program that does nothing, with one file as the candidate."""

    def invocation(self, case: bytes) -> Invocation:
        return Invocation(("/bin/true",), {"in.txt": case})

    def judge(self, ending: ProcessEnd) -> Verdict:
        assert ending.status == 0 and not ending.trouble, ending
        return Verdict(Outcome.PASS)


class Writing(Nothing):
    """The same for a program that leaves something behind, so that its layer must be thrown away."""

    def invocation(self, case: bytes) -> Invocation:
        return Invocation(("/usr/bin/touch", "left"), {"in.txt": case})


def milliseconds(oracle: Nothing, view: View | None, checks: int) -> float:
    """Return what a check takes."""
    with Processes(oracle, place=Path("/dev/shm"), view=view) as executor:
        executor.wait([executor.start(b"first")])
        began = time.perf_counter()
        for number in range(checks):
            executor.wait([executor.start(b"%d" % number)])
        return (time.perf_counter() - began) / checks * 1000


def folder(top: Path, files: int) -> View:
    """Return a view of a new folder with so many files."""
    for number in range(files):
        path = top / str(number % 100) / str(number)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("a neighbour\n")
    (top / "in.txt").write_text("the input\n")
    return View(str(top), (str(top),), ("in.txt",))


def main() -> None:
    """Print the table."""
    checks = int(sys.argv[1]) if len(sys.argv) > 1 else 300
    with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as other:
        small, large = folder(Path(one), 20), folder(Path(other), FILES)
        rows = {
            "an empty folder": (Nothing(), None),
            "an empty folder, something is written": (Writing(), None),
            "a view of 20 files": (Nothing(), small),
            "a view of 20 files, something is written": (Writing(), small),
            f"a view of {FILES:,} files": (Nothing(), large),
            f"a view of {FILES:,} files, something is written": (Writing(), large),
            "a copy of 20 files": (Nothing(), small._replace(kind=COPY)),
        }
        times: dict[str, list[float]] = {name: [] for name in rows}
        for _ in range(ROUNDS):
            for name, (oracle, view) in rows.items():
                times[name].append(milliseconds(oracle, view, checks))
    base = statistics.median(times["an empty folder"])
    print(f"milliseconds per check, medians of {ROUNDS} rounds of {checks} checks; times an empty folder")
    for name, found in times.items():
        median = statistics.median(found)
        print(f"{name:48} {median:6.2f}  {median / base:5.2f}")


if __name__ == "__main__":
    main()
