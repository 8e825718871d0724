"""Whether the sandbox changes any result: cases reduced inside and outside, with the same search, one check at a time.

    python -m benchmarks.sandbox_cases CASES [NAME…] [--checks N]

CASES is a folder with one folder for each case: a check `check.sh`, and `case.toml` with the name of the input. A case
whose check does not reproduce here, most often because its program is not installed, is left out and said to be. The
search is deterministic, so the results of both must be the same bytes after the same number of checks.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

from benchmarks.report import keep, machine, table

PATIENCE = 600.0


def _reduced(case: Path, name: str, mode: str, checks: int) -> tuple[int, bytes] | str:
    """Return how many checks it took and the result, or why there is none."""
    with tempfile.TemporaryDirectory(prefix="minrepro-case-") as folder:
        shutil.copy(case / name, folder)
        output = Path(folder) / "result"
        words = ["reduce", str(case / "check.sh"), name, "-o", str(output), "--json", "--sandbox", mode, "-q"]
        words += ["-j", "1", "--deterministic", "--initial-runs", "1", "--max-tests", str(checks), "--timeout", "60"]
        try:
            done = subprocess.run(
                [sys.executable, "-m", "minrepro", *words],
                cwd=folder,
                capture_output=True,
                text=True,
                timeout=PATIENCE,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return f"not done after {PATIENCE:g} s"
        if done.returncode:
            return done.stderr.strip().splitlines()[0].removeprefix("minrepro: error: ")
        return json.loads(done.stdout)["checks"], output.read_bytes()


def main() -> None:
    """Reduce each case twice, and keep the table."""
    words = argparse.ArgumentParser()
    words.add_argument("cases", type=Path)
    words.add_argument("names", nargs="*")
    words.add_argument("--checks", type=int, default=60)
    asked = words.parse_args()
    rows, left_out, different = [], [], 0
    for case in sorted(asked.cases.resolve().iterdir()):
        if not (case / "case.toml").is_file() or (asked.names and case.name not in asked.names):
            continue
        name = _input(case)
        outside = _reduced(case, name, "off", asked.checks)
        inside = _reduced(case, name, "on", asked.checks)
        if isinstance(outside, str):
            if isinstance(inside, str):
                left_out.append(f"left out: {case.name}: {outside.replace(str(asked.cases.resolve()), 'CASES')}")
                continue
            outside = (0, outside.encode())
        elif isinstance(inside, str):
            inside = (0, inside.encode())
        same = inside == outside
        different += not same
        counts = [f"{outside[0]}", f"{inside[0]}", f"{len(outside[1]):,}", f"{len(inside[1]):,}"]
        rows.append([case.name, *counts, "yes" if same else "NO"])
        print(*rows[-1], file=sys.stderr)
    head = ["case", "checks outside", "inside", "bytes outside", "inside", "same result"]
    first = f"{machine()}; at most {asked.checks} checks each; {different} of {len(rows)} differ"
    keep("sandbox_cases", [first, table(head, rows), "\n".join(left_out)])
    sys.exit(bool(different))


def _input(case: Path) -> str:
    """Return the name of a case's input: what it says, or its only other file."""
    told = tomllib.loads((case / "case.toml").read_text(encoding="utf-8"))
    known = {"case.toml", "check.sh", "setup.sh"}
    return str(told.get("input") or next(path.name for path in sorted(case.iterdir()) if path.name not in known))


if __name__ == "__main__":
    main()
