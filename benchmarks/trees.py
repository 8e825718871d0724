"""Tree algorithms side by side on real cases: calls of the check and what is left.

    python -m benchmarks.trees FOLDER [CASE...] [--algorithms a,b,c] [--picireny COMMAND --antlr JAR] [--limit SECONDS]
                               [--calls CALLS]

FOLDER holds cases, each a folder with an input and a `check.sh` that exits with 0 while the failure shows. Every
algorithm runs alone, one check at a time; a content is never checked twice. Picireny runs with its best options (a
cache by content, complements only, backward; HDD and HDDr, the better counts) on the files that a grammar is here for.
"""

from __future__ import annotations

import argparse
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from math import exp, log
from pathlib import Path

from benchmarks.report import machine
from minrepro.algorithms.ddmin import ddmin
from minrepro.algorithms.trees import TREE_ALGORITHMS, reduce_tree
from minrepro.documents.opening import open_tree
from minrepro.documents.text import characters, lines, reduce_text
from minrepro.documents.treesitter import language_of
from minrepro.search import Outcome, Reduction, solve

NOT_INPUT = {"check.sh", "setup.sh", "case.toml"}
FLAT = {"ddmin lines": lines, "ddmin characters": characters}
GRAMMARS = {".json": ("JSON.g4", "json"), ".c": ("C.g4", "compilationUnit")}


class OutOfTime(Exception):
    """The limit of one run is over."""


@dataclass(frozen=True)
class Row:
    """What one algorithm did with one case."""

    calls: int
    bytes: int
    tokens: int
    seconds: float
    finished: bool = True


class Check:
    """Runs the check of a case on contents, each once, and remembers the smallest that failed."""

    def __init__(self, case: Path, name: str, folder: Path, limit: float, calls: int) -> None:
        self._command = [str(case / "check.sh"), name]
        self._file = folder / name
        self._known: dict[bytes, Outcome] = {}
        self._end = time.monotonic() + limit
        self._most = calls
        self.best: bytes | None = None

    @property
    def calls(self) -> int:
        return len(self._known)

    def __call__(self, content: bytes) -> Outcome:
        if content not in self._known:
            if time.monotonic() > self._end or self.calls >= self._most:
                raise OutOfTime
            self._file.write_bytes(content)
            ended = subprocess.run(self._command, cwd=self._file.parent, capture_output=True, check=False)
            self._known[content] = Outcome.PASS if ended.returncode else Outcome.FAIL
            if ended.returncode == 0 and (self.best is None or len(content) < len(self.best)):
                self.best = content
        return self._known[content]


def tokens_of(content: bytes) -> int:
    """Count tokens without any grammar: words and single signs."""
    return len(re.findall(rb"\w+|[^\w\s]", content))


def input_of(case: Path) -> Path:
    """Return the one input file of a case."""
    return next(path for path in sorted(case.iterdir()) if path.is_file() and path.name not in NOT_INPUT)


def measured(case: Path, reduction: Callable[[bytes], Reduction[bytes]], limit: float, calls: int = sys.maxsize) -> Row:
    """Run one of our algorithms on a case."""
    source = input_of(case)
    with tempfile.TemporaryDirectory() as folder:
        check = Check(case, source.name, Path(folder), limit, calls)
        began = time.monotonic()
        try:
            result, finished = solve(reduction(source.read_bytes()), check), True
        except OutOfTime:
            result, finished = check.best or source.read_bytes(), False
        return Row(check.calls, len(result), tokens_of(result), time.monotonic() - began, finished)


def peer(case: Path, command: list[str], antlr: str, hdd: str, limit: float) -> Row | None:
    """Run Picireny on a case whose kind of file has a grammar here."""
    source = input_of(case)
    if source.suffix not in GRAMMARS:
        return None
    grammar, start = GRAMMARS[source.suffix]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        calls, test = folder / "calls", folder / "check.sh"
        test.write_text(f'#!/bin/sh\necho x >>{calls}\nexec {shlex.quote(str(case / "check.sh"))} "$1"\n')
        test.chmod(0o755)
        shutil.copy(source, folder / source.name)
        grammar_path = Path(__file__).parent / "grammars" / grammar
        words = [*command, "--input", source.name, "--test", str(test), "--out", str(folder / "out"), "--hdd", hdd]
        words += ["--grammar", str(grammar_path), "--start", start, "--antlr", antlr, "--build-hidden-tokens"]
        words += ["--cache", "content", "--subset-iterator", "skip", "--complement-iterator", "backward"]
        words += ["--skip-whitespace", "--sys-recursion-limit", "100000", "--quiet"]
        began = time.monotonic()
        try:
            subprocess.run(words, cwd=folder, timeout=limit, capture_output=True, check=False)
        except subprocess.TimeoutExpired:
            return None
        out = folder / "out" / source.name
        if not out.exists():
            return None
        result = out.read_bytes()
        return Row(len(calls.read_text()) // 2, len(result), tokens_of(result), time.monotonic() - began)


def by_tree(data: bytes, language: str, algorithm: str) -> Reduction[bytes]:
    """Reduce a text of a language with a tree algorithm."""
    return reduce_tree(open_tree(data, language), TREE_ALGORITHMS[algorithm])


def rows_of(case: Path, args: argparse.Namespace) -> Iterator[tuple[str, Row]]:
    """Yield what each algorithm does with a case."""
    source = input_of(case)
    language = language_of(source.name, source.read_bytes())
    limits = args.limit, args.calls
    for name in args.algorithms:
        if name in FLAT:
            yield name, measured(case, partial(reduce_text, minimize=ddmin, cutters=[FLAT[name]]), *limits)
        elif language is not None:
            yield name, measured(case, partial(by_tree, language=language, algorithm=name), *limits)
    if args.picireny:
        for hdd in ("hdd", "hddr"):
            row = peer(case, shlex.split(args.picireny), args.antlr, hdd, args.limit)
            if row is not None:
                yield f"picireny {hdd}", row


def main() -> None:
    """Print a table for each case, and how ours and the peer compare in the mean."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("cases", nargs="*")
    parser.add_argument("--algorithms", type=lambda text: text.split(","), default=[*FLAT, *TREE_ALGORITHMS])
    parser.add_argument("--picireny", help="the command of Picireny, with its options")
    parser.add_argument("--antlr", help="a complete ANTLR jar for it")
    parser.add_argument("--limit", type=float, default=300.0, help="seconds for each run")
    parser.add_argument("--calls", type=int, default=sys.maxsize, help="calls of the check for each run")
    args = parser.parse_args()
    ratios: list[float] = []
    print(f"At most {args.limit:g} seconds and {args.calls:,} calls for each run. {machine()}")
    for name in args.cases or sorted(path.name for path in args.folder.iterdir() if (path / "check.sh").exists()):
        case = args.folder / name
        print(f"\n{name}: {input_of(case).stat().st_size:,} bytes")
        rows: dict[str, Row] = {}
        for algorithm, row in rows_of(case, args):
            rows[algorithm] = row
            note = "" if row.finished else "  cut off by the limit"
            figures = f"{row.calls:>7} calls {row.bytes:>9,} bytes {row.tokens:>7,} tokens"
            print(f"  {algorithm:<22}{figures}{note}", flush=True)
        peers = [row.calls for algorithm, row in rows.items() if algorithm.startswith("picireny")]
        if peers and "tree" in rows:
            ratios.append(rows["tree"].calls / min(peers))
    if ratios:
        mean = exp(sum(map(log, ratios)) / len(ratios))
        print(f"\ncalls of tree against the better of Picireny's: {mean:.2f} (geometric mean of {len(ratios)} cases)")


if __name__ == "__main__":
    main()
