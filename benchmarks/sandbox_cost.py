"""What the sandbox costs for each check: the same checks with it and without, in turns.

    python -m benchmarks.sandbox_cost [CHECKS] [ROUNDS]

A check runner enters its sandbox once; what is measured is what each check pays after that: from handing a candidate
to a warm executor with one worker until the answer, and the cleaning between two checks. Checks that write nothing
outside their folder are what most are; the others leave a new file in /tmp, or change one that was there, for which a
layer must be put on anew. The executors take turns in short blocks, because machines have moods; what is shown is the
lower quartile, since a busy machine only ever adds to a time, and the time of processors, of a check with all that runs
it, which waiting for one does not change. The last line is what a worker pays once, when it starts.
"""

from __future__ import annotations

import os
import resource
import statistics
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.report import keep, machine, table
from minrepro.core.containment import OFF, ON, STRICT, Containment
from minrepro.core.invocations import Invocation, ProcessEnd
from minrepro.core.limits import Limits
from minrepro.core.verdicts import Outcome, Verdict
from minrepro.executors.local.process_pool import Processes

BLOCK = 25
"""So many checks run in one executor before it is the other's turn."""
MODES = (OFF, ON, STRICT)


class _Oracle:
    def __init__(self, *words: str) -> None:
        self._words = words

    def invocation(self, case: bytes) -> Invocation:
        return Invocation(self._words, {"in.txt": case})

    def judge(self, ending: ProcessEnd) -> Verdict:
        assert not ending.trouble, ending.trouble
        return Verdict(Outcome.PASS)


def _checks(folder: Path) -> dict[str, tuple[str, ...]]:
    there = folder / "there"
    there.write_text("x")
    return {
        "does nothing": ("/bin/true",),
        "greps in a shell": ("/bin/sh", "-c", "grep -q x in.txt"),
        "writes into its own directory": ("/bin/sh", "-c", "mkdir d && echo x > d/f"),
        "leaves a file in /tmp": ("/bin/sh", "-c", "echo x > $(mktemp /tmp/minrepro-cost-left-XXXXXX)"),
        "changes a file in /tmp": ("/bin/sh", "-c", f"echo x > {there}"),
        "starts Python": (sys.executable, "-I", "-S", "-c", "pass"),
    }


def _processors() -> float:
    """Return the processors' seconds of all processes that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _measured(words: tuple[str, ...], checks: int, place: Path) -> tuple[dict[str, list[float]], dict[str, float]]:
    """Return by mode the seconds that each check took, and the processors' seconds of one of them."""
    executors = {
        mode: Processes(
            _Oracle(*words), place=place, limits=Limits(network=mode != STRICT), containment=Containment(mode)
        )
        for mode in MODES
    }
    seconds: dict[str, list[float]] = {mode: [] for mode in MODES}
    try:
        for executor in executors.values():
            for _ in range(5):
                executor.wait([executor.start(b"x")])
        while min(map(len, seconds.values())) < checks:
            for mode, executor in executors.items():
                for _ in range(BLOCK):
                    began = time.perf_counter()
                    executor.wait([executor.start(b"x")])
                    seconds[mode].append(time.perf_counter() - began)
    finally:
        processors = {}
        for mode, executor in executors.items():
            before = _processors()
            executor.close()
            processors[mode] = (_processors() - before) / len(seconds[mode] or [0.0])
    return seconds, processors


def _columns(seconds: dict[str, float]) -> list[str]:
    """Return the milliseconds without and with a sandbox, and what the sandbox adds."""
    return [f"{1000 * seconds[mode]:.2f}" for mode in MODES] + [f"{1000 * (seconds[ON] - seconds[OFF]):+.2f}"]


def _quarter(times: list[float]) -> float:
    return statistics.quantiles(times, n=4)[0]


def _start(mode: str, place: Path) -> float:
    """Return the seconds from nothing to the first answer."""
    began = time.perf_counter()
    with Processes(_Oracle("/bin/true"), place=place, containment=Containment(mode)) as executor:
        executor.wait([executor.start(b"x")])
        return time.perf_counter() - began


def main() -> None:
    """Measure, and keep the table."""
    given = [int(word) for word in sys.argv[1:3]]
    checks, rounds = [*given, *(400, 15)[len(given) :]]
    folder = Path(tempfile.mkdtemp(prefix="minrepro-cost-", dir="/tmp"))
    place = Path("/dev/shm") if os.access("/dev/shm", os.W_OK) else folder
    rows = []
    for name, words in _checks(folder).items():
        seconds, processors = _measured(words, checks, place)
        middle = {mode: _quarter(times) for mode, times in seconds.items()}
        rows.append([name, *_columns(middle), *_columns(processors)])
    once, used = {}, {}
    for mode in MODES:
        before = _processors()
        once[mode] = _quarter([_start(mode, place) for _ in range(rounds)])
        used[mode] = (_processors() - before) / rounds
    rows.append(["starts a worker, once", *_columns(once), *_columns(used)])
    head = [
        "milliseconds for a check that",
        "none",
        "sandbox",
        "strict",
        "costs",
        "CPU: none",
        "sandbox",
        "strict",
        "costs",
    ]
    keep("sandbox_cost", [f"{machine()}; lower quartile of {checks} checks", table(head, rows)])
    (folder / "there").unlink()
    for left in Path("/tmp").glob("minrepro-cost-left-*"):  # without a sandbox they stay
        left.unlink()
    folder.rmdir()


if __name__ == "__main__":
    main()
