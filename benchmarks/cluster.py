"""Reductions on a real cluster: a scheduler and worker processes on this machine, with checks that sleep.

    python -m benchmarks.cluster speedup [--seconds 1] [--slots 1 4 16 64] [--plain-seconds 300]
    python -m benchmarks.cluster cost

2,000 lines of which 100 are needed, removed by the merging scheduler. A sleeping check takes no core, so that slots,
not cores, are what is measured; all that coordinator, scheduler, workers and the checks' own processes compute is done
by the cores of this one machine. With few slots the cluster and the local executor are measured at the same time.
"""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import psutil  # type: ignore[import-untyped]
from distributed import Client, as_completed
from tests.cli.command_line import until
from tests.executors.cluster.clusters import RealCluster, Wire, capacity_reaches

from benchmarks.report import keep, machine, table
from minrepro.core.protocols import Executor
from minrepro.core.verdicts import Verdict
from minrepro.documents.snapshot import Snapshot
from minrepro.engine.merger import Merger
from minrepro.engine.plan import Plan
from minrepro.engine.run import Result, Run
from minrepro.engine.tester import Tester
from minrepro.executors.cluster.cluster_executor import Cluster
from minrepro.executors.local.process_pool import Processes
from minrepro.oracles.command import CommandOracle
from minrepro.passes.plain_text import lines

UNITS, NEEDED = 2000, 100


def problem() -> bytes:
    """Return lines of which some are needed."""
    needed = set(random.Random(0).sample(range(UNITS), NEEDED))
    return b"".join(b"unit %d%s\n" % (number, b" !" if number in needed else b"") for number in range(UNITS))


CHECK = r"""
#include <stdio.h>
#include <time.h>
int main(int argc, char **argv) {
    struct timespec pause = {(long)SECONDS, (long)((SECONDS - (long)SECONDS) * 1e9)};
    FILE *file = fopen(argv[argc - 1], "r");
    int c, count = 0;
    while ((c = getc(file)) != EOF) count += c == '!';
    nanosleep(&pause, NULL);
    return count != NEEDED;
}
"""
"""Compiled, because a check in a shell takes more of this machine's cores than all that is measured."""


def sleeping_check(folder: Path, seconds: float) -> Path:
    """Return a check that takes so many seconds."""
    (folder / "check.c").write_text(CHECK)
    words = ["cc", "-O2", f"-DSECONDS={seconds:f}", f"-DNEEDED={NEEDED}", "check.c", "-o", "check"]
    subprocess.run(words, cwd=folder, check=True)
    return folder / "check"


def by_lines(content: bytes, tester: Tester, committed: Callable[[bytes, str, Verdict], None]) -> bytes:
    """Remove lines by the merging scheduler until each that is left has been tried alone."""
    merger = Merger(tester, committed)
    thorough = False
    while True:
        before = content
        content = merger.carry_out(Plan(lines(Snapshot(content)), thorough=thorough), content)
        if thorough and content == before:
            return content
        thorough = True


def reduced(executor: Executor) -> tuple[Result[bytes], float]:
    """Return the result of a reduction, and how long it took."""
    began = time.monotonic()
    result = Run[bytes](executor).reduce_by_edits(problem(), by_lines, empty=b"")
    assert result.case.count(b"\n") == result.case.count(b"!") == NEEDED
    return result, time.monotonic() - began


@contextmanager
def cluster_of(slots: int) -> Iterator[RealCluster]:
    """Yield a cluster with so many slots, in four worker processes or fewer."""
    workers = max(number for number in (1, 2, 4) if slots % number == 0)
    with tempfile.TemporaryDirectory() as folder:
        real = RealCluster(Path(folder), environment={"DASK_DISTRIBUTED__WORKER__PROFILE__ENABLED": "False"})
        for number in range(workers):
            real.worker(f"worker{number}", slots // workers)
        real.wait_for_workers(workers)
        try:
            yield real
        finally:
            real.close()


def on_cluster(slots: int, seconds: float) -> tuple[Result[bytes], float]:
    with cluster_of(slots) as real, tempfile.TemporaryDirectory() as folder:
        oracle = CommandOracle([str(sleeping_check(Path(folder), seconds))], "input")
        with Cluster(real.address, oracle, problem()) as executor:
            until(capacity_reaches(executor, slots))
            return reduced(executor)


def here(slots: int, seconds: float) -> tuple[Result[bytes], float]:
    with tempfile.TemporaryDirectory() as folder:
        oracle = CommandOracle([str(sleeping_check(Path(folder), seconds))], "input")
        with Processes(oracle, slots) as executor:
            return reduced(executor)


EXECUTORS = {"cluster": on_cluster, "local": here}


def fails(check: str, case: bytes) -> bool:
    """Run a check as one would without this package."""
    with tempfile.NamedTemporaryFile() as file:
        file.write(case)
        file.flush()
        return subprocess.run([check, file.name], check=False).returncode == 0


def plain_map(slots: int, seconds: float, most: float) -> tuple[int, int, float]:
    """Return tests, lines left and seconds of ddmin whose loop is a `client.map`, ended after a while."""
    began = time.monotonic()
    tests = 0
    with cluster_of(slots) as real, tempfile.TemporaryDirectory() as folder:
        check = str(sleeping_check(Path(folder), seconds))
        with Client(real.address) as client:  # type: ignore[no-untyped-call]
            config, parts = problem().splitlines(keepends=True), 2
            while parts <= len(config) and time.monotonic() - began < most:
                size = len(config) / parts
                cuts = [round(number * size) for number in range(parts + 1)]
                subsets = [config[cuts[n] : cuts[n + 1]] for n in range(parts)]
                complements = [config[: cuts[n]] + config[cuts[n + 1] :] for n in range(parts)]
                candidates = subsets + complements
                futures = client.map(fails, [check] * len(candidates), list(map(b"".join, candidates)), pure=False)
                numbers = {future.key: number for number, future in enumerate(futures)}
                for future in as_completed(futures):  # type: ignore[no-untyped-call]
                    tests += 1
                    if future.result() or time.monotonic() - began > most:
                        break
                if future.result():
                    config = candidates[numbers[future.key]]
                    parts = 2 if numbers[future.key] < parts else max(parts - 1, 2)
                elif parts == len(config):
                    break
                else:
                    parts = min(2 * parts, len(config))
                client.cancel(futures)
    return tests, len(config), time.monotonic() - began


def speedup(seconds: float, slots: list[int], plain_seconds: float) -> None:
    """Measure how much faster more slots are."""
    rows = []
    alone: dict[str, float] = {}
    for number in slots:
        load = f"{os.getloadavg()[0]:.1f}"
        with ThreadPoolExecutor(2 if number <= 4 else 1) as threads:
            measured = [(name, threads.submit(measure, number, seconds)) for name, measure in EXECUTORS.items()]
        for name, measurement in measured:
            result, took = measurement.result()
            times = alone.setdefault(name, took) / took * slots[0]
            per_slot = times / number
            run = str(result.tally.tests)
            rows.append([name, str(number), f"{took:.1f}", run, f"{times:.1f}", f"{per_slot:.2f}", load])
            print(rows[-1], flush=True)
    parts = [
        f"{UNITS:,} lines, {NEEDED} needed, checks that sleep {seconds:g} s; {machine()}, {os.cpu_count()} cores",
        table(["executor", "slots", "seconds", "tests", "speed-up", "per slot", "load of the machine before"], rows),
    ]
    if plain_seconds:
        tests, left, took = plain_map(slots[-1], seconds, plain_seconds)
        parts.append(
            f"ddmin with a plain client.map as its loop, {slots[-1]} slots, ended after {plain_seconds:g} s: {tests:,} "
            f"tests, {left:,} of {UNITS:,} lines left after {took:.0f} s"
        )
    keep("cluster", parts)


def cost(slots: int = 8) -> None:
    """Measure what a test costs beside the check itself, and what it sends."""
    rows = []
    load = os.getloadavg()[0]
    with cluster_of(slots) as real, Wire(real.address) as wire, tempfile.TemporaryDirectory() as folder:
        check = sleeping_check(Path(folder), 0.01)
        with Cluster(wire.address, CommandOracle([str(check)], "input"), problem()) as executor:
            until(capacity_reaches(executor, slots))
            parts = {
                "coordinator": [psutil.Process()],
                "scheduler": [psutil.Process(real.scheduler.pid)],
                "workers": [psutil.Process(process.pid) for process in real.processes.values()],
            }
            before = {name: _cpu(processes) for name, processes in parts.items()}
            sent, received = wire.sent, wire.received
            result, took = reduced(executor)
            tests = result.tally.tests
            for name, processes in parts.items():
                rows.append([f"{name}, processor", f"{1000 * (_cpu(processes) - before[name]) / tests:.2f} ms"])
            in_checks = result.tally.seconds_in_tests / tests
            rows += [
                ["check with its processes, wall", f"{1000 * in_checks:.1f} ms"],
                ["from slot to slot beside the check, wall", f"{1000 * (took * slots / tests - in_checks):.1f} ms"],
                ["sent by the coordinator", f"{(wire.sent - sent) / tests:.0f} bytes"],
                ["received by the coordinator", f"{(wire.received - received) / tests:.0f} bytes"],
            ]
    head = (
        f"Own cost of a test: checks that sleep 10 ms, {slots} slots, {tests} tests in {took:.1f} s; {machine()}, "
        f"{os.cpu_count()} cores, load of the machine before: {load:.1f}\nThe input has {len(problem()):,} bytes."
    )
    keep("cluster_cost", [head, table(["a test takes", ""], rows)])


def _cpu(processes: list[psutil.Process]) -> float:
    return sum(sum(process.cpu_times()[:2]) for process in processes)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("speedup", "cost"))
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("--slots", type=int, nargs="+", default=[1, 4, 16, 64])
    parser.add_argument("--plain-seconds", type=float, default=300.0)
    args = parser.parse_args()
    if args.what == "cost":
        cost()
    else:
        speedup(args.seconds, args.slots, args.plain_seconds)


if __name__ == "__main__":
    main()
