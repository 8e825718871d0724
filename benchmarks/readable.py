"""What a readable result costs: the default against `--minify` or another version, on a folder of failing inputs.

    python -m benchmarks.readable CASES [NAME...] [--beside SOURCES] [--seconds 90] [--keep FOLDER]

A case is a folder with a `check.sh` and a `case.toml` that names its input; without names all of them take part, behind
the bundled example. SOURCES is the `src` folder of another version. Checks run one at a time. A `+` marks a reduction
that the budget of seconds has ended: it says little about sizes, because machines have moods.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

from benchmarks.report import keep, machine, table

PROJECT = Path(__file__).parents[1]
EXAMPLE = PROJECT / "examples" / "settings"


def reduced(check: Path, given: Path, result: Path, sources: Path, options: list[str]) -> list[str]:
    """Return the tokens and bytes that a reduction leaves, and how many checks it takes."""
    with tempfile.TemporaryDirectory() as folder:
        copy = shutil.copy(given, folder)
        words = ["-m", "minrepro", "reduce", check.resolve(), copy, "-o", result, "-j", "1", "--json", *options]
        run = subprocess.run(
            [sys.executable, *map(str, words), "--state-dir", f"{folder}/state"],
            env=os.environ | {"PYTHONPATH": str(sources)},
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            check=True,
        )
    told, left = json.loads(run.stdout), result.read_bytes()
    tokens = len(re.findall(rb"\w+|[^\w\s]", left))
    return [f"{tokens}{'' if told['finished'] else '+'}", str(len(left)), str(told["checks"])]


def main() -> None:
    """Reduce each case in both ways and keep the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cases", type=Path)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--beside", type=Path)
    parser.add_argument("--seconds", default="90")
    parser.add_argument("--keep", type=Path, default=Path(tempfile.gettempdir()) / "readable")
    args = parser.parse_args()
    budget = ["--max-time", args.seconds]
    ways = {"default": (PROJECT / "src", budget), "golf": (PROJECT / "src", [*budget, "--minify"])}
    if args.beside is not None:
        ways = {"before": (args.beside.resolve(), budget), "now": ways["default"]}
    inputs = {"settings": (EXAMPLE / "check.sh", EXAMPLE / "shop.conf")}
    for name in args.names or sorted(each.parent.name for each in args.cases.glob("*/case.toml")):
        case = args.cases / name
        inputs[name] = (case / "check.sh", case / tomllib.loads((case / "case.toml").read_text("utf-8"))["input"])
    rows = []
    for name, (check, given) in inputs.items():
        row = [name]
        for way, (sources, options) in ways.items():
            (args.keep / way).mkdir(parents=True, exist_ok=True)
            row += reduced(check, given, args.keep / way / f"{name}{given.suffix}", sources, options)
        rows.append(row)
        print(*row, flush=True)
    head = ["case", *(f"{of} {way}" for way in ways for of in ("tokens", "bytes", "checks"))]
    keep("readable", [machine(), table(head, rows)])


if __name__ == "__main__":
    main()
