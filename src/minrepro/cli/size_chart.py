"""A curve in a few lines of text: how small the best so far was after how many checks."""

from __future__ import annotations

import math
from collections.abc import Sequence

_BLOCKS = " ▁▂▃▄▅▆▇█"


def size_chart(points: Sequence[tuple[int, int]], now: int, width: int, height: int) -> list[str]:
    """Return the lines of a chart, the highest first; sizes are logarithmic, and the right edge is now.

    A point says from how many checks on the best so far had which size.
    """
    if not points or width < 1 or height < 1:
        return []
    heights = [math.log1p(size) for size in _sampled(points, max(now, 1), width)]
    high = max(heights)
    low = min(heights) - (high - min(heights) or 1.0) / (4 * height)  # even the smallest can be seen
    levels = [round((each - low) / (high - low) * height * 8) for each in heights]
    return ["".join(_BLOCKS[min(max(level - 8 * row, 0), 8)] for level in levels) for row in range(height - 1, -1, -1)]


def _sampled(points: Sequence[tuple[int, int]], now: int, width: int) -> list[int]:
    """Return the size at each column, from the first check to now."""
    sizes, at = [], 0
    for column in range(width):
        checks = now * (column + 1) / width
        while at + 1 < len(points) and points[at + 1][0] <= checks:
            at += 1
        sizes.append(points[at][1])
    return sizes
