"""What is loaded, and for how long, until a command does what it is asked for.

    python -m benchmarks.loading [OLD_SOURCE]

Each line is a process of its own. Counted are the modules that it has loaded in the end, beyond those of an interpreter
that does nothing: ours, those of other packages, those of the standard library. Times are what `-X importtime` tells
of all imports, the median of several processes, as a multiple of what an interpreter that does nothing takes for its
own: a busy machine slows both. With the `src` of another version each figure is shown as it was there and is here.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from benchmarks.report import keep, machine, table

SOURCE = Path(__file__).parents[1] / "src"
PROCESSES = 5

COMMAND = """\
import sys
before = set(sys.modules)
def tell():
    with open("loaded", "w") as file:
        file.write("\\n".join(sorted(set(sys.modules) - before)))
"""
"""Writes down at the end of a process what it has loaded."""

LIBRARY = f"{COMMAND}import minrepro\ntell()\n"
MAIN = f"{COMMAND}from minrepro.cli.main import main\ntry:\n    main(sys.argv[1:])\nfinally:\n    tell()\n"

LINES = "".join(f"line {number}\n" for number in range(20))
WORDS = {
    "--version": ["--version"],
    "-h": ["-h"],
    "--help": ["--help"],
    "an unknown command": ["redcue"],
    "languages": ["languages", "python"],
    "list": ["list"],
    "reduce -h": ["reduce", "-h"],
    "reduce --help": ["reduce", "--help"],
    "reduce --units lines": ["reduce", "-q", "--units", "lines", "./check.sh", "notes.txt"],
    "reduce a text": ["reduce", "-q", "./check.sh", "notes.txt"],
    "reduce a program": ["reduce", "-q", "./check.sh", "program.py"],
}


@dataclass(frozen=True)
class Loaded:
    """What a process has loaded, and what that took as a multiple of what an idle interpreter loads."""

    modules: list[str]
    times: float

    def of_others(self) -> list[str]:
        """Return the modules that are neither ours nor of the standard library."""
        return [name for name in self.modules if root(name) not in {"minrepro", *sys.stdlib_module_names}]

    def ours(self) -> list[str]:
        """Return our modules."""
        return [name for name in self.modules if root(name) == "minrepro"]

    def figures(self) -> list[str]:
        """Return what is shown of it."""
        ours, others = len(self.ours()), len(self.of_others())
        return [str(ours), str(others), str(len(self.modules) - ours - others), f"{self.times:.1f}"]


def root(name: str) -> str:
    """Return the package in which a module is."""
    return name.split(".")[0]


def prepare(folder: Path) -> None:
    """Make inputs, and a check that wants one line of them."""
    (folder / "notes.txt").write_text(LINES)
    (folder / "program.py").write_text("".join(f"x{number} = {number}\n" for number in range(20)))
    (folder / "check.sh").write_text('#!/bin/sh\ngrep -q 7 "$1"\n')
    (folder / "check.sh").chmod(0o755)


def microseconds(source: Path, folder: Path, program: str, words: Iterable[str] = ()) -> int:
    """Return what all imports of a process have taken."""
    environment = {**os.environ, "PYTHONPATH": str(source)}
    command = [sys.executable, "-X", "importtime", "-c", program, *words]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    lines = [line for line in done.stderr.splitlines() if line.startswith("import time:") and "self [us]" not in line]
    return sum(int(line.removeprefix("import time:").split("|")[0]) for line in lines)


def loaded(source: Path, folder: Path, program: str, words: list[str]) -> Loaded:
    """Return what a program loads."""
    ratios = []
    for _ in range(PROCESSES):
        idle = microseconds(source, folder, "pass")
        ratios.append(microseconds(source, folder, program, words) / idle)
    return Loaded((folder / "loaded").read_text().split(), statistics.median(ratios))


def measured(source: Path) -> dict[str, Loaded]:
    """Return what is loaded for each kind of use."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        prepare(folder)
        uses = {"import minrepro": loaded(source, folder, LIBRARY, [])}
        return uses | {use: loaded(source, folder, MAIN, words) for use, words in WORDS.items()}


def main() -> None:
    """Measure, show and keep."""
    now = measured(SOURCE)
    before = measured(Path(sys.argv[1])) if sys.argv[1:] else now
    rows = []
    for use, here in now.items():
        pairs = zip(before[use].figures(), here.figures(), strict=True)
        rows.append([use, *(new if old == new else f"{old} → {new}" for old, new in pairs)])
    heads = ["", "our modules", "of other packages", "standard library", "times idle"]
    others = {use: sorted({root(name) for name in here.of_others()}) for use, here in now.items()}
    told = [f"{use}: {', '.join(names)}" for use, names in others.items() if names]
    keep("loading", [__doc__ or "", machine(), table(heads, rows), "Other packages\n" + "\n".join(told)])


if __name__ == "__main__":
    main()
