"""Tree algorithms side by side on real cases: calls of the check and what is left.

    python -m benchmarks.trees FOLDER CASE... [--algorithms a,b,c] [--again] [--calls CALLS] [--verdicts FOLDER]
                               [--stop SECONDS]

FOLDER holds cases, each a folder with an input and a `check.sh` that exits with 0 while the failure shows. Every
algorithm runs alone, one check at a time; a content is never checked twice. What benchmarks/results/trees.txt has
already is not run again, so that a long comparison can be made in pieces. With --verdicts a content that one algorithm
had checked is not checked again for another; it counts as a call of both.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from hashlib import blake2b
from math import exp, log
from pathlib import Path

from benchmarks.report import RESULTS, keep, machine, table
from minrepro.algorithms.lists.ddmin import ddmin
from minrepro.algorithms.trees.tree_registry import DEFAULT, TREE_ALGORITHMS, reduce_tree
from minrepro.core.search import Reduction, solve
from minrepro.core.verdicts import Outcome
from minrepro.documents.syntax.bundled_grammars import language_of
from minrepro.documents.syntax.open_tree import open_tree
from minrepro.documents.text import characters, lines, reduce_text

NOT_INPUT = {"check.sh", "setup.sh", "case.toml"}
FLAT = {"ddmin lines": lines, "ddmin characters": characters}
ALGORITHMS = [*FLAT, *TREE_ALGORITHMS]


class OutOfTime(Exception):
    """The limit of one run is over."""


@dataclass(frozen=True)
class Row:
    """What one algorithm did with one case."""

    calls: int
    bytes: int
    tokens: int
    finished: bool = True


class Verdicts:
    """What the check of a case said about contents; with a file, from one run to the next."""

    def __init__(self, file: Path | None = None) -> None:
        self._file = file
        lines = file.read_text("ascii").splitlines() if file is not None and file.exists() else []
        self._known = {key: fails == "fails" for key, fails in map(str.split, lines)}

    def known(self, content: bytes) -> bool | None:
        """Tell whether a content is known to fail, or to pass."""
        return self._known.get(_key(content))

    def note(self, content: bytes, fails: bool) -> None:
        """Remember what the check said."""
        self._known[_key(content)] = fails
        if self._file is not None:
            with self._file.open("a", encoding="ascii") as file:
                file.write(f"{_key(content)} {'fails' if fails else 'passes'}\n")


def _key(content: bytes) -> str:
    return blake2b(content, digest_size=16).hexdigest()


class Check:
    """Runs the check of a case on contents, each once, and remembers the smallest that failed."""

    def __init__(self, case: Path, name: str, folder: Path, limit: float, calls: int, verdicts: Verdicts) -> None:
        self._command = [str(case / "check.sh"), name]
        self._file = folder / name
        self._verdicts = verdicts
        self._asked: dict[bytes, Outcome] = {}
        self._end = time.monotonic() + limit
        self._most = calls
        self.best: bytes | None = None

    @property
    def calls(self) -> int:
        return len(self._asked)

    def __call__(self, content: bytes) -> Outcome:
        if content not in self._asked:
            if time.monotonic() > self._end or self.calls >= self._most:
                raise OutOfTime
            fails = self._fails(content)
            self._asked[content] = Outcome.FAIL if fails else Outcome.PASS
            if fails and (self.best is None or len(content) < len(self.best)):
                self.best = content
        return self._asked[content]

    def _fails(self, content: bytes) -> bool:
        known = self._verdicts.known(content)
        if known is None:
            self._file.write_bytes(content)
            ended = subprocess.run(self._command, cwd=self._file.parent, capture_output=True, check=False)
            known = ended.returncode == 0
            self._verdicts.note(content, known)
        return known


def tokens_of(content: bytes) -> int:
    """Count tokens without any grammar: words and single signs."""
    return len(re.findall(rb"\w+|[^\w\s]", content))


def input_of(case: Path) -> Path:
    """Return the one input file of a case."""
    return next(path for path in sorted(case.iterdir()) if path.is_file() and path.name not in NOT_INPUT)


def measured(
    case: Path,
    reduction: Callable[[bytes], Reduction[bytes]],
    *,
    limit: float = float("inf"),
    calls: int = sys.maxsize,
    verdicts: Verdicts | None = None,
) -> Row:
    """Run one of our algorithms on a case."""
    source = input_of(case)
    with tempfile.TemporaryDirectory() as folder:
        check = Check(case, source.name, Path(folder), limit, calls, verdicts or Verdicts())
        try:
            result, finished = solve(reduction(source.read_bytes()), check), True
        except OutOfTime:
            result, finished = check.best or source.read_bytes(), False
        return Row(check.calls, len(result), tokens_of(result), finished)


def by_tree(data: bytes, language: str, algorithm: str) -> Reduction[bytes]:
    """Reduce a text of a language with a tree algorithm."""
    return reduce_tree(open_tree(data, language), TREE_ALGORITHMS[algorithm])


def row_of(case: Path, algorithm: str, calls: int, verdicts: Verdicts) -> Row | None:
    """Return what an algorithm does with a case, or None where it needs a language that nobody knows."""
    source = input_of(case)
    language = language_of(source.name, source.read_bytes())
    if algorithm in FLAT:
        reduction = partial(reduce_text, minimize=ddmin, cutters=[FLAT[algorithm]])
    elif language is not None:
        reduction = partial(by_tree, language=language, algorithm=algorithm)
    else:
        return None
    return measured(case, reduction, calls=calls, verdicts=verdicts)


Rows = dict[str, dict[str, Row]]
"""For each case, with its size, what each algorithm did with it."""

_CASE = re.compile(r"\S+: [\d,]+ bytes")
_ROW = re.compile(r"  (\S.*?) +([\d,]+) calls +([\d,]+) bytes +([\d,]+) tokens(.*)")


def read(text: str) -> Rows:
    """Return the rows of a report."""
    rows: Rows = {}
    here: dict[str, Row] = {}
    for line in text.splitlines():
        if _CASE.fullmatch(line):
            here = rows.setdefault(line, {})
        elif match := _ROW.fullmatch(line):
            calls, size, tokens = (int(match[i].replace(",", "")) for i in (2, 3, 4))
            here[match[1]] = Row(calls, size, tokens, not match[5])
    return rows


def written(rows: Rows) -> list[str]:
    """Return the parts of a report: a table for each case, and what the algorithms did in the mean."""
    parts = []
    for case, of_case in rows.items():
        lines = [case]
        for algorithm in sorted(of_case, key=ALGORITHMS.index):
            row = of_case[algorithm]
            figures = f"{row.calls:>7,} calls {row.bytes:>9,} bytes {row.tokens:>7,} tokens"
            lines.append(f"  {algorithm:<22}{figures}{'' if row.finished else '  cut off by the limit'}")
        parts.append("\n".join(lines))
    return [*parts, table(("against tree", "calls", "tokens", "cases", "cut off"), _means(rows))]


def _means(rows: Rows) -> Iterator[list[str]]:
    """Yield for each algorithm the geometric means of its calls and tokens beside those of our own search."""
    for algorithm in ALGORITHMS:
        both = [of_case for of_case in rows.values() if algorithm in of_case and DEFAULT in of_case]
        pairs = [(of_case[algorithm], of_case[DEFAULT]) for of_case in both]
        if pairs:
            calls = sum(log(row.calls / ours.calls) for row, ours in pairs) / len(pairs)
            tokens = sum(log(max(row.tokens, 1) / max(ours.tokens, 1)) for row, ours in pairs) / len(pairs)
            cut_off = sum(not row.finished for row, _ in pairs)
            yield [algorithm, f"{exp(calls):.2f}", f"{exp(tokens):.2f}", str(len(pairs)), str(cut_off)]


def main() -> None:
    """Run what was not run yet, and keep the report after each run."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("cases", nargs="+")
    parser.add_argument("--algorithms", type=lambda text: text.split(","), default=ALGORITHMS)
    parser.add_argument("--again", action="store_true", help="run also what the report has already")
    parser.add_argument("--calls", type=int, default=1500, help="calls of the check for each run")
    parser.add_argument("--verdicts", type=Path, help="a folder for what the checks said")
    parser.add_argument("--stop", type=float, default=float("inf"), help="seconds after which no further run begins")
    args = parser.parse_args()
    kept = RESULTS / "trees.txt"
    rows = read(kept.read_text("utf-8")) if kept.exists() else {}
    title = f"At most {args.calls:,} calls for each run. {machine()}"
    end = time.monotonic() + args.stop
    for name in args.cases:
        case = args.folder / name
        verdicts = Verdicts(args.verdicts / name if args.verdicts is not None else None)
        of_case = rows.setdefault(f"{name}: {input_of(case).stat().st_size:,} bytes", {})
        for algorithm in args.algorithms:
            if time.monotonic() > end:
                return
            if algorithm not in of_case or args.again:
                row = row_of(case, algorithm, args.calls, verdicts)
                if row is not None:
                    of_case[algorithm] = row
                    keep("trees", [title, *written(rows)])


if __name__ == "__main__":
    main()
