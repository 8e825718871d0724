"""The default reducer beside its rivals on a folder of real failing inputs.

    python -m benchmarks.rivals BENCH CASE... [--limit 300] [--jobs 2] [--tools minrepro,shrinkray] [--keep FOLDER]

BENCH holds `compare.py`, which runs each reducer on a fresh copy of a case and counts the calls of its check; a case is
a folder with an input, a `check.sh` and a `case.toml`. Rivals are found through compare.py's environment variables.
Every run is appended to benchmarks/results/rivals.jsonl; what is there already is not run again, so that a long
comparison can be made in pieces, by cases or by tools. benchmarks/results/rivals.txt is written from it: per case the
tokens, the seconds and the calls until we were as small as the best rival ever got, divided by the rival's.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from dataclasses import dataclass
from math import exp, log
from pathlib import Path

RESULTS = Path(__file__).parent / "results"
LOG = RESULTS / "rivals.jsonl"
TABLE = RESULTS / "rivals.txt"
C_LIKE = {".c", ".h", ".cc", ".cpp", ".cxx", ".ii", ".i"}
OURS = "minrepro"
_NEARLY = 1.05
"""Within this factor of the rival's smallest result counts as being as small."""
_FAR = 0.1
"""Below this share of the best rival's tokens a case says so much that a mean without it is told too."""


@dataclass(frozen=True)
class Row:
    """One reducer on one case, as compare.py reports it."""

    case: str
    tool: str
    calls: int
    seconds: float
    bytes: int
    tokens: int
    holds: bool
    finished: bool
    accepted: list[tuple[float, int, int]]

    def reached(self, dense: float) -> tuple[float, int] | None:
        """Return the seconds and calls after which a candidate of at most so many bytes was accepted."""
        return next(((seconds, calls) for seconds, calls, size in self.accepted if 0 < size <= dense), None)

    @property
    def smallest(self) -> int:
        """The least bytes without white space that were accepted; an empty file is seen while C-Vise moves one."""
        return min((size for *_, size in self.accepted if size), default=sys.maxsize)


def rows() -> list[Row]:
    """Return all runs so far, the last of each case and tool."""
    latest: dict[tuple[str, str], Row] = {}
    if LOG.exists():
        for line in LOG.read_text("utf-8").splitlines():
            known = {key: value for key, value in json.loads(line).items() if key in Row.__annotations__}
            row = Row(**known)
            latest[row.case, row.tool] = row
    return list(latest.values())


def tools_for(case: Path) -> list[str]:
    """Return who takes part: the C reducers where the input is C or C++."""
    inputs = {file.suffix for file in case.iterdir()}
    return [OURS, "shrinkray", "picire", *(("cvise", "creduce") if inputs & C_LIKE else ())]


def run(bench: Path, case: Path, chosen: list[str] | None, options: list[str]) -> None:
    """Run whoever takes part, was chosen and has not run on a case yet."""
    done = {row.tool for row in rows() if row.case == case.name}
    for tool in tools_for(case):
        if tool not in done and (chosen is None or tool in chosen):
            words = [sys.executable, bench / "compare.py", case, "--tools", tool, "--json", LOG]
            subprocess.run([*map(str, words), *options], check=False)


def mean(ratios: list[float]) -> str:
    """Return the geometric mean of ratios."""
    return f"{exp(sum(map(log, ratios)) / len(ratios)):8.2f}" if ratios else "       -"


def table() -> str:
    """Return each case beside its best rival, and the geometric means."""
    by_case: dict[str, dict[str, Row]] = {}
    for row in rows():
        by_case.setdefault(row.case, {})[row.tool] = row
    lines = [f"{'case':28} {'bytes':>8} {'tokens':>7} {'best rival':>20} {'tokens':>8} {'seconds':>8} {'calls':>8}"]
    ratios: dict[str, list[float]] = {"tokens": [], "seconds": [], "calls": []}
    for case, tools in sorted(by_case.items()):
        ours = tools.get(OURS)
        rivals = [row for tool, row in tools.items() if tool != OURS and row.holds and row.accepted]
        if ours is None or not rivals:
            continue
        best = min(rivals, key=lambda row: (row.tokens, row.seconds))
        size = ours.tokens / max(1, best.tokens)
        ratios["tokens"].append(max(size, 1e-3))
        goal = _NEARLY * best.smallest
        mine, theirs = ours.reached(goal), best.reached(goal)
        line = f"{case:28} {ours.bytes:8} {ours.tokens:7} {f'{best.tool} {best.bytes}':>20} {size:8.2f}"
        if mine is None or theirs is None:
            line += "    never    never"
        else:
            seconds, calls = mine[0] / max(theirs[0], 0.01), mine[1] / max(theirs[1], 1)
            ratios["seconds"].append(max(seconds, 1e-3))
            ratios["calls"].append(max(calls, 1e-3))
            line += f" {seconds:8.2f} {calls:8.2f}"
        lines.append(line + ("" if ours.holds else "   OURS DOES NOT FAIL"))
    means = "".join(f" {mean(values)}" for values in ratios.values())
    near = [size for size in ratios["tokens"] if size >= _FAR]
    alone = f"without the {len(ratios['tokens']) - len(near)} whose tokens are below {_FAR}"
    ran = sorted({row.tool for row in rows() if row.tool != OURS})
    scope = [
        f"{len(ratios['tokens'])} cases so far, beside {', '.join(ran)}; ours divided by the best rival's,",
        f"seconds and calls until ours was as small as that one ever got, to {_NEARLY - 1:.0%}",
    ]
    return "\n".join([*scope, "", *lines, f"{'geometric mean':65}{means}", f"{alone:65} {mean(near)}", ""])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bench", type=Path)
    parser.add_argument("cases", nargs="*", type=Path)
    parser.add_argument("--limit", default="300", help="seconds for one run")
    parser.add_argument("--jobs", default="2")
    parser.add_argument("--tools", help="only these, separated by commas")
    parser.add_argument("--keep", help="keep results and logs in this folder")
    args = parser.parse_args()
    options = ["--limit", args.limit, "--jobs", args.jobs, *(("--keep", args.keep) if args.keep else ())]
    for case in args.cases:
        run(args.bench, case, args.tools.split(",") if args.tools else None, options)
        TABLE.write_text(table(), "utf-8")
    print(table())


if __name__ == "__main__":
    main()
