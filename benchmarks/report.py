"""Prints a result and keeps it as text beside the benchmarks."""

from __future__ import annotations

import platform
from collections.abc import Iterable, Sequence
from pathlib import Path

RESULTS = Path(__file__).parent / "results"


def keep(name: str, parts: Iterable[str]) -> None:
    """Print the parts of a report and write them to results/NAME.txt."""
    text = "\n\n".join(part.rstrip() for part in parts) + "\n"
    print(text)
    (RESULTS / f"{name}.txt").write_text(text, encoding="utf-8")


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return rows as columns, the first one to the left and the others to the right."""
    all_rows = [list(head), *map(list, rows)]
    widths = [max(len(row[column]) for row in all_rows) for column in range(len(head))]
    lines = []
    for row in all_rows:
        first, *rest = (
            cell.ljust(width) if n == 0 else cell.rjust(width)
            for n, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        lines.append("  ".join([first, *rest]).rstrip())
    return "\n".join(lines)


def machine() -> str:
    """Return a line about where this was measured."""
    return f"Python {platform.python_version()}, {platform.system()} {platform.machine()}"
