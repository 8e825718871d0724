"""What a reducer itself costs for each test: wall time minus the time inside checks, over the first 1,000 checks.

    PICIRE=… LITHIUM=… SHRINKRAY=… python -m benchmarks.own_cost [ROUNDS]

Every tool gets the same input, 1,000 short lines of which 500 are needed, the same check, and one worker. The check is
compiled, linked statically so that it begins as soon as its process does (finding shared libraries would be time in the
check that its log does not show), and does next to nothing; it logs when it began and ended. A tool is watched until
its 1,000th check ended and is then stopped, so all are measured over the same number of checks, whatever else they
would do. Its own cost is the time from its start to that moment, without the time inside the checks, divided by 1,000:
it holds the start of the tool, the search for candidates, writing them, and starting and ending processes. The line
"bare loop" is the least that can be had from Python: a loop that writes the same file and starts and awaits the check;
"above bare" is what a tool costs more than that, which is the tool itself without what the system takes to start and
end a process. On a busy machine the times hold waiting for a processor, also that of the bare loop; the processor's
time of the tool and of all that it started tells more there.

Tools are named by environment variables and left out when they are not set. Rounds are interleaved, because machines
have moods; the median is shown.
"""

from __future__ import annotations

import contextlib
import os
import random
import resource
import shlex
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from benchmarks.report import keep, machine, table

CHECKS = 1_000
LINES = 1_000
NEEDED = 500
LIMIT = 300.0

BARE_LOOP = """
import os, sys
check, path = sys.argv[1:]
data = open(path, "rb").read()
for number in range(1_000):
    with open(path, "wb") as file:
        file.write(data)
    os.waitpid(os.posix_spawn(check, [check, path], os.environ), 0)
"""

CONDITION = """
import subprocess
def interesting(args, prefix):
    return subprocess.run(args, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL).returncode == 0
"""


def _minrepro(*more: str) -> Callable[[Path, Path, Path], list[str]]:
    words = [sys.executable, "-m", "minrepro", "reduce"]
    return lambda folder, check, path: [*words, str(check), str(path), "-j", "1", "-q", *more]


def _picire(folder: Path, check: Path, path: Path) -> list[str]:
    return [
        *shlex.split(os.environ["PICIRE"]),
        *("--input", str(path), "--test", str(check), "--atom", "line", "--cache", "content", "--quiet"),
        *("--subset-iterator", "skip", "--complement-iterator", "backward", "--out", str(folder / "out")),
    ]


def _lithium(folder: Path, check: Path, path: Path) -> list[str]:
    (folder / "condition.py").write_text(CONDITION)
    return [*shlex.split(os.environ["LITHIUM"]), str(folder / "condition.py"), str(check), str(path)]


def _shrinkray(folder: Path, check: Path, path: Path) -> list[str]:
    options = shlex.split(os.environ.get("SHRINKRAY_ARGS", ""))
    words = [*shlex.split(os.environ["SHRINKRAY"]), "--ui", "basic", "--parallelism", "1", *options]
    return [*words, str(check), str(path)]


def _bare_loop(folder: Path, check: Path, path: Path) -> list[str]:
    return [sys.executable, "-c", BARE_LOOP, str(check), str(path)]


TOOLS: dict[str, Callable[[Path, Path, Path], list[str]]] = {
    "minrepro --units lines": _minrepro("--units", "lines"),
    "minrepro --units lines --algorithm ddmin": _minrepro("--units", "lines", "--algorithm", "ddmin"),
    "minrepro": _minrepro(),
}
TOOLS |= {
    name: words
    for name, words in {"picire": _picire, "lithium": _lithium, "shrinkray": _shrinkray}.items()
    if name.upper() in os.environ
}
TOOLS["bare loop"] = _bare_loop


def measured(words_of: Callable[[Path, Path, Path], list[str]]) -> tuple[float, float, float]:
    """Return the milliseconds for each check that the tool cost, those inside the check, and those of the processor."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        check, log, path = folder / "check", folder / "log", folder / "input.txt"
        defined = [f"-DNEEDED={NEEDED}", f'-DLOG="{log}"']
        source = Path(__file__).with_name("check.c")
        subprocess.run(["cc", "-O1", "-static", *defined, "-o", str(check), str(source)], check=True)
        needed = set(random.Random(1).sample(range(LINES), NEEDED))
        path.write_text("".join(f"{'!' if number in needed else 'x'} {number}\n" for number in range(LINES)))
        words = words_of(folder, check, path)
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        began = time.monotonic_ns()
        with (folder / "said").open("wb") as said:
            process = subprocess.Popen(
                words, cwd=folder, stdin=subprocess.DEVNULL, stdout=said, stderr=said, start_new_session=True
            )
        try:
            deadline = time.monotonic() + LIMIT
            while process.poll() is None and time.monotonic() < deadline:
                if log.exists() and log.stat().st_size > CHECKS * 24 and len(log.read_bytes().splitlines()) >= CHECKS:
                    break
                time.sleep(0.05)
        finally:
            for number in (signal.SIGINT, signal.SIGKILL):
                with contextlib.suppress(ProcessLookupError, subprocess.TimeoutExpired):
                    os.killpg(process.pid, number)
                    process.wait(20)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        processor = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        all_times = [tuple(map(int, line.split())) for line in log.read_text().splitlines()]
        times = all_times[:CHECKS]
        if len(times) < CHECKS:
            raise SystemExit(f"only {len(times)} checks: {(folder / 'said').read_text()[-500:]}")
        inside = sum(end - start for start, end in times)
        own = (times[-1][1] - began - inside) / CHECKS / 1e6
        return own, inside / CHECKS / 1e6, 1000 * processor / len(all_times)


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    costs: dict[str, list[tuple[float, float, float]]] = {name: [] for name in TOOLS}
    for _ in range(rounds):
        for name, words_of in TOOLS.items():
            costs[name].append(measured(words_of))
            print(name, costs[name][-1], file=sys.stderr)
    rows = []
    bare = statistics.median(pair[0] for pair in costs["bare loop"])
    for name, pairs in costs.items():
        own = [pair[0] for pair in pairs]
        middle = statistics.median(own)
        inside, processor = (statistics.median(pair[n] for pair in pairs) for n in (1, 2))
        shown = (middle, min(own), max(own), middle - bare, inside, processor)
        rows.append([name, *(f"{ms:.2f}" for ms in shown)])
    title = f"Own cost of a test in milliseconds, over the first {CHECKS:,} checks, {rounds} rounds, one worker."
    load = f"Load of the machine: {os.getloadavg()[1]:.1f} on {os.cpu_count()} cores."
    head = ["", "median", "least", "most", "above bare", "in the check", "processor"]
    keep("own_cost", [f"{title}\n{machine()}. {load}", table(head, rows)])


if __name__ == "__main__":
    main()
