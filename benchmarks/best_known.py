"""The smallest result by tokens that any tool is recorded to have given for each case, beside the default's.

    python -m benchmarks.best_known

Reads benchmarks/results/rivals.jsonl (all tools) and benchmarks/results/speedup_real.jsonl (our own runs on a virtual
clock, whose seconds say nothing), runs nothing, and writes benchmarks/best_known.txt. Tokens are words and signs. Ours
is the last recorded run; where it has more than 1.1 times the tokens of the best, the reason stands below.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from benchmarks.report import RESULTS, table

OURS = "minrepro"
NEAR = 1.1
TABLE = Path(__file__).parent / "best_known.txt"
REASONS = {
    "dot-mincross": "a local minimum: with other workers it ended at 19 to 21 tokens.",
    "libcst-else-lambda": "`0if 0else` counts as fewer tokens than `0 if 0 else`; nobody writes that.",
    "ruff-format-telnetlib": "`0 for` is read as `0for`, too, which counts as fewer tokens; nobody writes that.",
}


@dataclass(frozen=True)
class Known:
    """A result that a tool gave."""

    tokens: int
    bytes: int
    tool: str
    seconds: float | None


def recorded() -> dict[str, list[Known]]:
    """Return all results that are recorded, by case, those of one tool in the order of its runs."""
    found: dict[str, list[Known]] = {}
    for line in (RESULTS / "rivals.jsonl").read_text("utf-8").splitlines():
        run = json.loads(line)
        if run["holds"]:
            known = Known(run["tokens"], run["bytes"], run["tool"], run["seconds"])
            found.setdefault(run["case"], []).append(known)
    for line in (RESULTS / "speedup_real.jsonl").read_text("utf-8").splitlines():
        run = json.loads(line)
        option = " --golf" if run["name"] == "before" else ""
        found.setdefault(run["case"], []).append(Known(run["tokens"], run["bytes"], OURS + option, None))
    return found


def main() -> None:
    """Write the table."""
    rows, reasons = [], []
    for case, runs in sorted(recorded().items()):
        best = min(runs, key=lambda run: (run.tokens, run.seconds is None, run.seconds or 0.0))
        ours = [run for run in runs if run.tool == OURS]
        last = ours[-1].tokens if ours else None
        near = last is not None and last <= NEAR * best.tokens
        seconds = "" if best.seconds is None else f"{best.seconds:.0f}"
        rows.append([case, str(best.tokens), str(best.bytes), best.tool, seconds, str(last or ""), "" if near else "*"])
        if not near:
            reasons.append(f"* {case}: {REASONS.get(case, 'not looked into')}")
    heads = ["case", "tokens", "bytes", "by", "seconds", "our default", ""]
    count = sum(not row[-1] for row in rows)
    title = f"The best known result of {len(rows)} cases; the default is within {NEAR} times its tokens on {count}"
    text = "\n\n".join([title, table(heads, rows), "\n".join(reasons)]).rstrip() + "\n"
    TABLE.write_text(text, "utf-8")
    print(text)


if __name__ == "__main__":
    main()
