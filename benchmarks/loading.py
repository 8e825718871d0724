"""What is loaded, and for how long, until a command does what it is asked for.

    python -m benchmarks.loading [OLD_SOURCE]

Each line is a process of its own. Counted are the modules that it has loaded in the end, beyond those of an interpreter
that does nothing: ours, those of other packages, those of the standard library. Times are what `-X importtime` tells
of all imports, as a multiple of what an interpreter that does nothing takes for its own. That is a clock on the wall:
where others use the machine a single process says little, so versions take turns, and beside the median of all rounds
there is the fastest, which was disturbed least. With the `src` of another version each figure is shown as it was there
and is here; where only times differ, and no modules, that is noise.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.report import keep, machine, table

SOURCE = Path(__file__).parents[1] / "src"
ROUNDS = 9

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


@dataclass
class Loaded:
    """What the processes of one kind have loaded, and the microseconds that each took, and an idle one beside it."""

    modules: list[str] = field(default_factory=list)
    took: list[int] = field(default_factory=list)
    idle: list[int] = field(default_factory=list)

    def of_others(self) -> list[str]:
        """Return the modules that are neither ours nor of the standard library."""
        return [name for name in self.modules if root(name) not in {"minrepro", *sys.stdlib_module_names}]

    def ours(self) -> list[str]:
        """Return our modules."""
        return [name for name in self.modules if root(name) == "minrepro"]

    def figures(self) -> list[str]:
        """Return what is shown of it."""
        ours, others = len(self.ours()), len(self.of_others())
        middle = statistics.median(self.took) / statistics.median(self.idle)
        fastest = min(self.took) / min(self.idle)
        counts = [ours, others, len(self.modules) - ours - others]
        return [*map(str, counts), f"{middle:.1f}", f"{fastest:.1f}"]


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
    environment = {**os.environ, "PYTHONPATH": str(source), "PYTHONPYCACHEPREFIX": str(folder / "compiled")}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # who has installed a package has its modules compiled
    command = [sys.executable, "-X", "importtime", "-c", program, *words]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    lines = [line for line in done.stderr.splitlines() if line.startswith("import time:") and "self [us]" not in line]
    return sum(int(line.removeprefix("import time:").split("|")[0]) for line in lines)


def measured(sources: list[Path]) -> list[dict[str, Loaded]]:
    """Return for each version what is loaded for each use; they take turns, so that all are disturbed alike."""
    uses: dict[str, tuple[str, list[str]]] = {"import minrepro": (LIBRARY, [])}
    uses |= {use: (MAIN, words) for use, words in WORDS.items()}
    found = [{use: Loaded() for use in uses} for _ in sources]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        prepare(folder)
        for turn in range(ROUNDS + 1):
            for use, (program, words) in uses.items():
                for source, loaded in zip(sources, found, strict=True):
                    idle, took = microseconds(source, folder, "pass"), microseconds(source, folder, program, words)
                    if turn:  # the first time modules may have to be compiled
                        loaded[use].idle.append(idle)
                        loaded[use].took.append(took)
                    loaded[use].modules = (folder / "loaded").read_text().split()
    return found


def main() -> None:
    """Measure, show and keep."""
    now, *older = measured([SOURCE, *map(Path, sys.argv[1:2])])
    before = older[0] if older else now
    rows = []
    for use, here in now.items():
        pairs = zip(before[use].figures(), here.figures(), strict=True)
        rows.append([use, *(new if old == new else f"{old} → {new}" for old, new in pairs)])
    heads = ["", "our modules", "of other packages", "standard library", "times idle", "fastest"]
    others = {use: sorted({root(name) for name in here.of_others()}) for use, here in now.items()}
    told = [f"{use}: {', '.join(names)}" for use, names in others.items() if names]
    keep("loading", [__doc__ or "", machine(), table(heads, rows), "Other packages\n" + "\n".join(told)])


if __name__ == "__main__":
    main()
