"""How much more workers help on real inputs: real checks, a virtual clock.

    python -m benchmarks.speedup_real CASE... [--verdicts FOLDER] [--workers 1,2,4,8,16,64] [--name NAME]

A case is a folder with an input, a `check.sh` (exit 0 = the failure is there) and a `case.toml`. Whole reductions by
the default reducer run on imagined workers on which every check takes one second (or, `--clock real`, as long as it
took); the verdicts are those of the real check, kept by content in FOLDER, so that a run can be repeated in seconds.
Per case and number of workers: seconds on the virtual clock, checks, the share of time in which workers had nothing to
do, and during which passes they waited. Every run is kept in benchmarks/results/speedup_real.jsonl under NAME; the
table compares with those under `before` on one worker: the default of the time when it still shortened names and words,
which `--golf` brings back.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import sqlite3
import subprocess
import sys
import tempfile
import time
import tomllib
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass
from math import exp, log
from pathlib import Path
from typing import Any

from minrepro.core.events import RunEvent, Tested
from minrepro.core.protocols import Job
from minrepro.core.verdicts import Outcome, Verdict
from minrepro.engine.default_reducer import default_reducer
from minrepro.engine.run import Run
from minrepro.testing import SimulatedExecutor

RESULTS = Path(__file__).parent / "results"
LOG = RESULTS / "speedup_real.jsonl"
TABLE = RESULTS / "speedup_real.txt"
BEFORE = "before"
_LIMIT = 30
_RAM = Path("/dev/shm")


class KnownVerdicts:
    """A case's check, whose answers are kept on disk by content."""

    def __init__(self, case: Path, folder: Path) -> None:
        facts = tomllib.loads((case / "case.toml").read_text("utf-8"))
        self.input = case / facts["input"]
        self._check = (case / "check.sh").resolve()
        self._scratch = tempfile.TemporaryDirectory(dir=_RAM if _RAM.is_dir() else None)
        folder.mkdir(parents=True, exist_ok=True)
        self._store = sqlite3.connect(folder / f"{case.name}.sqlite", timeout=60, isolation_level=None)
        self._store.execute("PRAGMA synchronous = OFF")  # what a crash of the machine loses is asked again
        self._store.execute("CREATE TABLE IF NOT EXISTS verdict (key BLOB PRIMARY KEY, fails INTEGER, seconds REAL)")

    def __call__(self, content: bytes) -> tuple[bool, float]:
        """Tell whether a content fails, and how long its check took."""
        key = hashlib.sha256(content).digest()
        known = self._store.execute("SELECT fails, seconds FROM verdict WHERE key = ?", (key,)).fetchone()
        if known is None:
            known = self._run(content)
            self._store.execute("INSERT OR REPLACE INTO verdict VALUES (?, ?, ?)", (key, *known))
        return bool(known[0]), known[1]

    def _run(self, content: bytes) -> tuple[bool, float]:
        with tempfile.TemporaryDirectory(dir=self._scratch.name) as folder:
            (Path(folder) / self.input.name).write_bytes(content)
            began = time.perf_counter()
            try:
                status = subprocess.run(
                    [self._check, self.input.name],
                    cwd=folder,
                    timeout=_LIMIT,
                    check=False,
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                ).returncode
            except subprocess.TimeoutExpired:
                status = 1
            return status == 0, time.perf_counter() - began


class WatchedExecutor(SimulatedExecutor):
    """Imagined workers of which is known when they had nothing to do, and during which pass."""

    def __init__(self, test: Callable[[Any], Outcome], workers: int, duration: Callable[[Any], float]) -> None:
        super().__init__(test, workers, duration)
        self.idle = 0.0
        self.waited: defaultdict[str, float] = defaultdict(float)
        self._unassigned = 0.0

    def wait(self, jobs: Iterable[Job], timeout: float | None = None) -> Mapping[Job, Verdict]:
        """Let time pass, and note how many workers were idle meanwhile."""
        before, busy = self.now, len(self.running)
        done = super().wait(jobs, timeout)
        idle = (self.capacity - busy) * (self.now - before)
        self.idle += idle
        self._unassigned += idle
        return done

    def listen(self, event: RunEvent) -> None:
        """Learn to which pass the tests that have just ended belong."""
        if isinstance(event, Tested) and not event.remembered:
            self.waited[event.label] += self._unassigned
            self._unassigned = 0.0


@dataclass(frozen=True)
class Row:
    """One reduction on imagined workers."""

    name: str
    case: str
    workers: int
    clock: str
    deterministic: bool
    seconds: float
    checks: int
    started: int
    bytes: int
    tokens: int
    idle: float
    waited: dict[str, float]


def measured(
    name: str, case: Path, folder: Path, workers: int, clock: str, deterministic: bool = False, golf: bool = False
) -> Row:
    """Reduce a case's input and return what it cost."""
    verdict = KnownVerdicts(case, folder)
    content = verdict.input.read_bytes()
    executor = WatchedExecutor(
        lambda case: Outcome.FAIL if verdict(case)[0] else Outcome.PASS,
        workers,
        (lambda case: 1.0) if clock == "even" else (lambda case: verdict(case)[1]),
    )
    reducer = default_reducer(Path(verdict.input.name), content, deterministic=deterministic, golf=golf)
    run: Run[bytes] = Run(executor, notify=executor.listen)
    result = run.reduce_by_edits(content, reducer, empty=b"")
    return Row(
        name,
        case.name,
        workers,
        clock,
        deterministic,
        round(executor.now, 3),
        run.tally.tests,
        executor.started,
        len(result.case),
        len(re.findall(rb"\w+|[^\w\s]", result.case)),
        round(executor.idle / max(1e-9, executor.now * workers), 3),
        dict(sorted(((label, round(idle, 1)) for label, idle in executor.waited.items()), key=_most)[:5]),
    )


def _most(waited: tuple[str, float]) -> float:
    return -waited[1]


def rows() -> list[Row]:
    """Return all runs so far, the last of each kind."""
    latest: dict[tuple[Any, ...], Row] = {}
    for line in LOG.read_text("utf-8").splitlines() if LOG.exists() else ():
        row = Row(**json.loads(line))
        latest[row.name, row.case, row.workers, row.clock, row.deterministic] = row
    return list(latest.values())


def mean(numbers: Iterable[float]) -> float:
    """Return the geometric mean."""
    known = [log(max(number, 1e-9)) for number in numbers]
    return exp(sum(known) / len(known)) if known else float("nan")


def table(name: str) -> str:
    """Return what the runs under a name took, beside those before on one worker."""
    known = rows()
    lines: list[str] = []
    for clock, deterministic in (("even", False), ("even", True), ("real", False)):
        base = {
            row.case: row
            for row in known
            if (row.name, row.workers, row.clock, row.deterministic) == (BEFORE, 1, clock, False)
        }
        chosen = [
            row
            for row in known
            if row.name == name and (row.clock, row.deterministic) == (clock, deterministic) and row.case in base
        ]
        if not chosen:
            continue
        title = "each check takes one second" if clock == "even" else "each check takes as long as it took"
        lines += ["", f"{title}{', --deterministic' if deterministic else ''}", ""]
        lines.append(f"{'case':26}{'workers':>8}{'seconds':>9}{'of 1 before':>12}{'checks':>8}{'of 1':>6}{'idle':>6}"
                     f"{'bytes':>8}{'tokens':>8}{'before':>8}  waited during")  # fmt: skip
        alone = {row.case: row for row in chosen if row.workers == 1}
        for row in sorted(chosen, key=lambda row: (row.case, row.workers)):
            first = alone.get(row.case, base[row.case])
            waits = ", ".join(f"{label} {idle:g}" for label, idle in list(row.waited.items())[:3])
            lines.append(
                f"{row.case:26}{row.workers:8}{row.seconds:9.1f}{row.seconds / base[row.case].seconds:12.2f}"
                f"{row.checks:8}{row.checks / first.checks:6.2f}{row.idle:6.2f}{row.bytes:8}{row.tokens:8}"
                f"{base[row.case].tokens:8}  {waits}"
            )
        lines.append("")
        for workers in sorted({row.workers for row in chosen}):
            here = [row for row in chosen if row.workers == workers]
            share = mean(row.seconds / base[row.case].seconds for row in here)
            checks = mean(row.checks / alone.get(row.case, base[row.case]).checks for row in here)
            tokens = mean(max(1, row.tokens) / max(1, base[row.case].tokens) for row in here)
            idle = sum(row.idle for row in here) / len(here)
            lines.append(
                f"geometric mean of {len(here):2} cases, {workers:2} workers: {share:.3f} of the seconds of one worker "
                f"before, {checks:.2f} of the checks of one worker now, {tokens:.3f} of the tokens, idle {idle:.2f}"
            )
    return "\n".join(lines).lstrip("\n") + "\n"


def main() -> None:
    """Run what was asked for, in as many processes as asked for, and write the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cases", nargs="*", type=Path)
    parser.add_argument("--verdicts", type=Path, default=Path(tempfile.gettempdir()) / "minrepro-verdicts")
    parser.add_argument("--workers", default="1,2,4,8,16,64")
    parser.add_argument("--clock", choices=("even", "real"), default="even")
    parser.add_argument("--deterministic", action="store_true")
    parser.add_argument("--golf", action="store_true")
    parser.add_argument("--name", default="now", help="what the runs are kept under")
    parser.add_argument("--jobs", type=int, default=2, help="how many cases at a time")
    options = parser.parse_args()
    waiting = [case for case in options.cases if (case / "check.sh").exists()]
    if options.jobs > 1 and len(waiting) > 1:
        _share_out(waiting, options)
    else:
        for case in waiting:
            for workers in map(int, options.workers.split(",")):
                row = measured(
                    options.name,
                    case,
                    options.verdicts,
                    workers,
                    options.clock,
                    options.deterministic,
                    options.golf,
                )
                with LOG.open("a", encoding="utf-8") as log_file:
                    log_file.write(json.dumps(asdict(row)) + "\n")
                print(
                    f"{row.case} {row.workers}: {row.seconds:g} s, {row.checks} checks, {row.bytes} bytes", flush=True
                )
    if options.jobs > 1 or not waiting:
        text = table(options.name)
        TABLE.write_text(text, "utf-8")
        print(text)


def _share_out(cases: list[Path], options: argparse.Namespace) -> None:
    """Run each case in a process of its own, so many at a time."""
    running: list[subprocess.Popen[bytes]] = []
    words = [sys.executable, "-m", "benchmarks.speedup_real", "--jobs", "1", "--name", options.name]
    words += ["--verdicts", str(options.verdicts), "--workers", options.workers, "--clock", options.clock]
    words += ["--deterministic"] if options.deterministic else []
    words += ["--golf"] if options.golf else []
    for case in cases:
        while sum(process.poll() is None for process in running) >= options.jobs:
            time.sleep(0.1)
        running.append(subprocess.Popen([*words, str(case)]))
    for process in running:
        process.wait()


if __name__ == "__main__":
    main()
