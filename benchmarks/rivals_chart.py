"""How often each reducer's result is as small as the smallest one, or nearly: docs/images/rivals.svg.

    python -m benchmarks.rivals_chart

It is drawn from the recorded runs in benchmarks/results/rivals.jsonl; see benchmarks/rivals.py.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from benchmarks.papers.plots import plot
from benchmarks.rivals import OURS, Row, rows

PICTURE = Path(__file__).parents[1] / "docs" / "images" / "rivals"
FACTORS = (1, 1.1, 1.25, 1.5, 2, 3, 5, 10)
TOOLS = (OURS, "shrinkray", "picire", "cvise", "creduce")


def shares(found: Sequence[Row]) -> dict[str, list[float]]:
    """Return for each tool the percentage of its cases in which it left at most so many times the fewest tokens."""
    by_case: dict[str, list[Row]] = {}
    for row in found:
        if row.holds:
            by_case.setdefault(row.case, []).append(row)
    ratios: dict[str, list[float]] = {tool: [] for tool in TOOLS}
    for row in found:
        fewest = max(1, min((other.tokens for other in by_case.get(row.case, [])), default=row.tokens))
        ratios[row.tool].append(max(1, row.tokens) / fewest if row.holds else float("inf"))
    return {
        f"{tool} ({len(values)} cases)": [
            100 * sum(value <= factor for value in values) / len(values) for factor in FACTORS
        ]
        for tool, values in ratios.items()
        if values
    }


def draw(lines: Mapping[str, Sequence[float]]) -> None:
    """Write the picture."""
    title = "Cases in which a reducer leaves at most N times the fewest tokens of all"
    ticks = [f"{factor:g}×" for factor in FACTORS]
    PICTURE.parent.mkdir(exist_ok=True)
    plot(str(PICTURE), title, "tokens, divided by the fewest", "% of its cases", ticks, lines)


if __name__ == "__main__":
    draw(shares(rows()))
