"""What is promised, which command tries it, and how often it was tried, survived and lost.

    python -m benchmarks.faults

The figures are those that the commands have kept when they were run last; this one puts them together.
"""

from __future__ import annotations

import re
from pathlib import Path

from benchmarks.report import keep, table

RESULTS = Path(__file__).parents[1] / "results"
PROMISES = {
    "hostile_checks": "hostile",
    "signals": "signals",
    "outages": "outages",
}
"""The table of each command, which has columns `tried`, `survived` and `lost`."""
WORDS = {
    "signals": "a signal at any moment ends a command in good order, with the best so far",
    "outages": "a check that cannot work for a while costs time and nothing else",
}
_GAP = re.compile(r"\s{2,}")


def rows_of(name: str) -> list[list[str]]:
    """Return the promises that a table tells of, each with the command and its counts."""
    text = (RESULTS / f"{name}.txt").read_text().splitlines()
    at = next(number for number, line in enumerate(text) if {"tried", "survived", "lost"} <= set(line.split()))
    places = {word: text[at].index(word) + len(word) for word in ("tried", "survived", "lost")}
    found = []
    for line in text[at + 1 :]:
        if not line.strip() or line.startswith("all "):
            continue
        counts = [line[:end].split()[-1] for end in places.values()]
        promise = _GAP.split(line)[0]
        case = f"{WORDS[name]}: {promise}" if name in WORDS else f"{promise} (sandbox {_GAP.split(line)[1].split()[0]})"
        found.append([case, f"benchmarks.faults.{PROMISES[name]}", *counts])
    return found


def main() -> None:
    """Put the tables together, and keep them."""
    rows = [row for name in PROMISES for row in rows_of(name)]
    head = ["promise", "python -m", "tried", "survived", "lost"]
    keep("promises", [__doc__ or "", table(head, rows)])


if __name__ == "__main__":
    main()
