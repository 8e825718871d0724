"""What a check costs beside the check itself when all happens in one process: minrepro, Picire and Lithium on lists.

python -m benchmarks.in_process --rivals PYTHON      PYTHON is an interpreter that has picire and lithium-reducer

The check is a function that looks for the needed units. What each reducer spends outside of it, divided by how often it
calls it, is its own time per check; what it spends in all is that times the number of checks it needs. Picire's and
Lithium's loops are called as their own command lines do, without files and processes; Picire with its cache of
configurations and without any. Each run is stopped after some seconds of its own: then its figures are of what was done
until then. All times are those of the processor, which other programs on the machine hardly change.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

RESULTS = Path(__file__).parent / "results" / "in_process.txt"
SIZES = (1_000, 10_000, 100_000)
NEEDED: dict[str, Callable[[int], int]] = {
    "2 units": lambda size: 2,
    "1 in 1000": lambda size: max(3, size // 1000),
    "1 in 100": lambda size: size // 100,
    "1 in 10": lambda size: size // 10,
}
TOOLS = ("minrepro", "minrepro ddmin", "Picire", "Picire, no cache", "Lithium")
SECONDS = 1.5
REPEATS = 2


class Enough(Exception):
    """The time is up."""


class Checked:
    """The check: counts its calls and the time spent in it."""

    def __init__(self, needed: frozenset[Any], seconds: float) -> None:
        self._needed = needed
        self._seconds = seconds
        self._begun = time.process_time()
        self.calls = 0
        self.units = 0
        self.inside = 0.0

    def __call__(self, units: Any) -> bool:
        begin = time.process_time()
        if begin - self._begun - self.inside > self._seconds:
            raise Enough
        self.calls += 1
        self.units += len(units)
        found = self._needed.issubset(units)
        self.inside += time.process_time() - begin
        return found


def minrepro_run(units: list[bytes], check: Checked, algorithm: str | None = None) -> Any:
    from minrepro import reduce

    return reduce(units, check, algorithm=algorithm, unresolved=()).reduced


def picire_run(units: list[bytes], check: Checked, cached: bool = True) -> Any:
    import picire  # type: ignore[import-not-found]

    def test(config: list[bytes], config_id: Any) -> Any:
        return picire.Outcome.FAIL if check(config) else picire.Outcome.PASS

    cache = picire.ConfigCache() if cached else picire.outcome_cache.OutcomeCache()
    return picire.DD(test, cache=cache)(units)


def lithium_run(units: list[bytes], check: Checked) -> Any:
    from lithium.strategies import Minimize  # type: ignore[import-not-found]
    from lithium.testcases import TestcaseLine  # type: ignore[import-not-found]

    testcase = TestcaseLine()
    testcase.parts, testcase.reducible = list(units), [True] * len(units)
    reduction = Minimize().reduce(testcase)
    for attempt in reduction:
        reduction.feedback(check(attempt.parts))
    return reduction.testcase.parts


RUNS: dict[str, Callable[[list[bytes], Checked], Any]] = {
    "minrepro": minrepro_run,
    "minrepro ddmin": lambda units, check: minrepro_run(units, check, "ddmin"),
    "Picire": picire_run,
    "Picire, no cache": lambda units, check: picire_run(units, check, cached=False),
    "Lithium": lithium_run,
}


def measured(tool: str, size: int, density: str, seconds: float) -> dict[str, Any]:
    """Return what a tool spends on one problem: its own seconds, calls, mean size of a candidate, whether it ended."""
    units = [b"unit %d\n" % number for number in range(size)]
    needed = frozenset(random.Random(size).sample(units, NEEDED[density](size)))
    RUNS[tool](units[:8], Checked(frozenset(units[2:5:2]), seconds))  # so that all is imported
    check = Checked(needed, seconds)
    begin = time.process_time()
    try:
        result = RUNS[tool](units, check)
        ended = True
    except Exception as error:
        if not isinstance(error, Enough) and not isinstance(error.__cause__, Enough):
            raise
        ended = False
    whole = time.process_time() - begin
    assert not ended or frozenset(result) == needed
    own = whole - check.inside
    return {"own": own, "calls": check.calls, "units": check.units / check.calls, "ended": ended}


def asked(python: str, tool: str, size: int, density: str, seconds: float) -> dict[str, Any]:
    """Return the same, measured by another interpreter; of several runs, the one with the least time per check."""
    words = [python, __file__, "--one", tool, str(size), density, str(seconds)]
    runs = []
    for _ in range(REPEATS):
        printed = subprocess.run(words, check=True, capture_output=True, text=True).stdout
        runs.append(json.loads(printed))
        if not runs[-1]["ended"]:
            break
    return min(runs, key=lambda run: float(run["own"]) / run["calls"])


def table(rivals: str, seconds: float) -> str:
    """Return all figures as text."""
    lines = [
        "Own time per check, in microseconds, on lists of units with a trivial check in the same process; in brackets",
        "the number of checks, the mean number of units of a candidate, and the own time of the whole reduction in",
        "milliseconds; * stopped before its end. Picire without a cache asks again and again for single units: its",
        "checks are many and small. The last lines compare the time per check, and the time per check and unit of a",
        "candidate.",
        "",
        f"{'units':>8}  {'needed':<10}" + "".join(f"  {tool:>30}" for tool in TOOLS),
    ]
    shares: dict[str, list[float]] = {tool: [] for tool in TOOLS}
    per_unit: dict[str, list[float]] = {tool: [] for tool in TOOLS}
    for size in SIZES:
        for density in NEEDED:
            cells = []
            costs, units = {}, {}
            for tool in TOOLS:
                python = sys.executable if tool.startswith("minrepro") else rivals
                run = asked(python, tool, size, density, seconds)
                costs[tool] = 1e6 * run["own"] / run["calls"]
                units[tool] = run["units"]
                whole = f"{1000 * run['own']:,.0f}" if run["ended"] else "*"
                cells.append(f"{costs[tool]:,.0f} ({run['calls']:,}, {run['units']:,.0f}, {whole})")
            for tool in TOOLS:
                shares[tool].append(costs[tool] / costs["minrepro"])
                per_unit[tool].append(shares[tool][-1] * units["minrepro"] / units[tool])
            lines.append(f"{size:>8,}  {density:<10}" + "".join(f"  {cell:>30}" for cell in cells))
            print(lines[-1], file=sys.stderr, flush=True)
    lines.append("")
    for name, values in (("per check", shares), ("and unit", per_unit)):
        means = [f"{statistics.geometric_mean(values[tool]):.2f} times" for tool in TOOLS]
        lines.append(f"{name:>20}" + "".join(f"  {mean:>30}" for mean in means))
    return "\n".join(lines) + "\n"


def main() -> None:
    """Measure one run, or all of them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rivals", metavar="PYTHON")
    parser.add_argument("--seconds", type=float, default=SECONDS)
    parser.add_argument("--one", nargs=4, metavar=("TOOL", "SIZE", "DENSITY", "SECONDS"))
    args = parser.parse_args()
    if args.one:
        tool, size, density, seconds = args.one
        print(json.dumps(measured(tool, int(size), density, float(seconds))))
    elif args.rivals:
        RESULTS.write_text(table(args.rivals, args.seconds), encoding="utf-8")
    else:
        parser.error("say --rivals PYTHON")


if __name__ == "__main__":
    main()
