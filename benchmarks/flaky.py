"""Reducers on checks that do not always answer alike: is the result true, how large is it, what did it cost?

    PICIRE=… SHRINKRAY=… SHRINKRAY_ARGS=… python -m benchmarks.flaky [SEEDS] [SEEDS_OF_OTHERS]

The input has 60 lines of which 6 are needed. Four checks lie: by not showing the failure in 10, 30 or 60 % of the runs
on a case that has it, and by showing one in 2 % of the runs on a case that does not. A result is true if it has all
needed lines, whatever the check says; a tool that ends with an error, or not within five minutes, has no result. Sizes
are compared with what the same tool makes of the same input with a check that always tells the truth, and so is the
number of checks. minrepro is told `--flaky 0.3` where the failure shows now and then; "untold" is without, so
that it must find out by itself, as it must where failures are invented. The interval is the one that it states for the
rate of its result. Other tools are named by environment variables and left out when they are not set.
"""

from __future__ import annotations

import json
import os
import random
import shlex
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from statistics import mean

from benchmarks.report import keep, machine, table

LINES = 60
NEEDED = 6
LIMIT = 300.0
AT_A_TIME = 4
"""How many runs of a tool go on at once: checks are counted, not seconds."""


@dataclass(frozen=True)
class Lie:
    """How often a check is wrong, in thousandths."""

    name: str
    missed: int = 0
    invented: int = 0


TRUTH = Lie("always true")
LIES = [
    Lie("10 % missed", missed=100),
    Lie("30 % missed", missed=300),
    Lie("60 % missed", missed=600),
    Lie("2 % invented", invented=20),
]


@dataclass(frozen=True)
class Outcome:
    """What a tool made of the input."""

    size: int
    true: bool
    checks: int
    stated: tuple[float, float] | None
    ended: bool


Words = Callable[[Path, Path, Lie], list[str]]


def _minrepro(check: Path, path: Path, lie: Lie) -> list[str]:
    return [*_untold(check, path, lie), *(["--flaky", "0.3"] if lie.missed else [])]


def _untold(check: Path, path: Path, lie: Lie) -> list[str]:
    return [sys.executable, "-m", "minrepro", "reduce", str(check), str(path), "-j", "2", "--json"]


def _picire(check: Path, path: Path, lie: Lie) -> list[str]:
    options = ["--atom", "line", "--cache", "content", "--quiet", "--parallel", "--jobs", "2"]
    return [*shlex.split(os.environ["PICIRE"]), "--input", str(path), "--test", str(check), *options, "--out", "out"]


def _shrinkray(check: Path, path: Path, lie: Lie) -> list[str]:
    options = shlex.split(os.environ.get("SHRINKRAY_ARGS", ""))
    words = [*shlex.split(os.environ["SHRINKRAY"]), "--ui", "basic", "--parallelism", "2", *options]
    return [*words, str(check), str(path)]


TOOLS: dict[str, tuple[Words, str]] = {
    "minrepro": (_minrepro, "input.min.txt"),
    "minrepro untold": (_untold, "input.min.txt"),
}
if "PICIRE" in os.environ:
    TOOLS["picire"] = (_picire, "out/input.txt")
if "SHRINKRAY" in os.environ:
    TOOLS["shrinkray"] = (_shrinkray, "input.txt")


def outcome(tool: str, lie: Lie, seed: int) -> Outcome:
    """Run a tool once."""
    words_of, result = TOOLS[tool]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        check, log, path = folder / "check", folder / "log", folder / "input.txt"
        numbers = {"SEED": seed, "NEEDED": NEEDED, "MISSED": lie.missed, "INVENTED": lie.invented}
        defined = [f"-D{key}={value}" for key, value in numbers.items()]
        source = Path(__file__).with_name("flaky_check.c")
        subprocess.run(["cc", "-O1", *defined, f'-DLOG="{log}"', "-o", str(check), str(source)], check=True)
        needed = set(random.Random(1).sample(range(LINES), NEEDED))
        path.write_text("".join(f"{'!' if number in needed else 'x'} {number}\n" for number in range(LINES)))
        process = subprocess.Popen(
            words_of(check, path, lie),
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        try:
            said, _ = process.communicate(timeout=LIMIT)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            said, _ = process.communicate()
        written = folder / result
        content = written.read_bytes() if written.exists() else path.read_bytes()
        stated = None
        if tool.startswith("minrepro") and process.returncode == 0:
            rate = json.loads(said).get("reproduction")
            stated = (rate["low"], rate["high"]) if rate else None
        checks = log.stat().st_size if log.exists() else 0
        return Outcome(len(content), content.count(b"!") == NEEDED, checks, stated, process.returncode == 0)


def row(tool: str, lie: Lie, seeds: int, calm: Outcome) -> list[str]:
    """Return a line of the table."""
    with ThreadPoolExecutor(AT_A_TIME) as pool:
        outcomes = list(pool.map(lambda seed: outcome(tool, lie, seed), range(seeds)))
    ended = [each for each in outcomes if each.ended]
    true = [each for each in ended if each.true]
    rate = 1 - lie.missed / 1000
    held = sum(each.stated is not None and each.stated[0] <= rate <= each.stated[1] for each in outcomes)
    return [
        f"{lie.name}, {tool}",
        f"{len(ended)} of {seeds}",
        str(len(true)),
        str(sum(each.size <= 1.2 * calm.size for each in true)),
        f"{mean(each.size for each in true):.1f}" if true else "-",
        str(held) if tool.startswith("minrepro") else "-",
        f"{mean(each.checks for each in outcomes):,.0f}",
        f"{mean(each.checks for each in outcomes) / calm.checks:.1f}",
    ]


def main() -> None:
    """Run every tool on every check and keep the table."""
    seeds = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    others = int(sys.argv[2]) if len(sys.argv) > 2 else seeds
    calm = {tool: outcome(tool, TRUTH, 0) for tool in TOOLS}
    rows = [
        [f"always true, {tool}", "1 of 1", str(int(each.true)), "1", f"{each.size:.1f}", "-", f"{each.checks:,}", "1.0"]
        for tool, each in calm.items()
        if tool != "minrepro untold"
    ]
    for lie in LIES:
        for tool in TOOLS:
            if tool != "minrepro untold" or lie.missed:  # of what is invented nothing is told anyway
                rows.append(row(tool, lie, seeds if tool.startswith("minrepro") else others, calm[tool]))
                print(*rows[-1], sep="  ", file=sys.stderr, flush=True)
    head = ["check, tool", "ended well", "true", "and within 20 %", "mean bytes", "rate within", "checks", "× calm"]
    keep("flaky", [__doc__ or "", machine(), table(head, rows)])


if __name__ == "__main__":
    main()
