"""One needed character in a million: tests, seconds, peak memory, with a real check.

    python -m benchmarks.million

Each run is the whole command, its start and its processes included; memory is the largest of its processes.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.report import keep, machine, table

SIZE = 1_000_000


def measured(place: int, algorithm: str) -> tuple[int, float, float]:
    """Return the tests, the seconds and the megabytes that it takes to find the character at a place."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "input.txt")
        path.write_bytes(b"x" * place + b"!" + b"x" * (SIZE - place - 1))
        words = ["reduce", "grep -q !", str(path), "--units", "characters", "--algorithm", algorithm, "--json", "-q"]
        began = time.monotonic()
        # A process of its own for each run: the system keeps the memory of the largest child only.
        script = (
            "import resource, subprocess, sys; "
            "words = [sys.executable, '-m', 'minrepro', *sys.argv[1:]]; "
            "done = subprocess.run(words, capture_output=True, check=True); "
            "print(done.stdout.decode(), resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
        )
        run = subprocess.run([sys.executable, "-c", script, *words, "-j", "1"], capture_output=True, check=True)
        seconds = time.monotonic() - began
        summary, kilobytes = run.stdout.decode().splitlines()
        assert Path(folder, "input.min.txt").read_bytes() == b"!"
        return json.loads(summary)["checks"], seconds, int(kilobytes) / 1024


def main() -> None:
    places = [0, SIZE // 2, SIZE - 1, *random.Random(1).sample(range(SIZE), 3)]
    rows = []
    for algorithm in ("grouping", "ddmin", "halving"):
        for place in places if algorithm == "grouping" else places[3:4]:
            tests, seconds, megabytes = measured(place, algorithm)
            rows.append([f"{algorithm}, at {place:,}", str(tests), f"{seconds:.1f}", f"{megabytes:.0f}"])
            print(rows[-1], file=sys.stderr)
    title = f"One needed character in {SIZE:,}; the check is grep; one check at a time. {machine()}"
    keep("million", [title, table(["", "tests", "seconds", "MB"], rows)])


if __name__ == "__main__":
    main()
