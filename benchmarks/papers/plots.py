"""Line plots as SVG, without any library."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path

PLOTS = Path(__file__).parents[1] / "plots"
_COLORS = ("#1b6ca8", "#c8553d", "#3d8b5f", "#8a5fa8", "#b58b00", "#555555", "#2aa5a0", "#d16ba5", "#7a4a21")
_WIDTH, _HEIGHT, _LEFT, _RIGHT, _TOP, _BOTTOM = 720, 380, 60, 230, 40, 50


def plot(
    name: str, title: str, across: str, up: str, ticks: Sequence[str], lines: Mapping[str, Sequence[float | None]]
) -> None:
    """Write plots/NAME.svg: a line for each row, over evenly spaced ticks, from zero up."""
    most = max(value for row in lines.values() for value in row if value is not None)
    step = _round_step(most / 5)
    top = step * math.ceil(most / step)
    wide = _WIDTH - _LEFT - _RIGHT

    def x(place: int) -> float:
        return _LEFT + wide * place / max(1, len(ticks) - 1)

    def y(value: float) -> float:
        return _HEIGHT - _BOTTOM - (_HEIGHT - _TOP - _BOTTOM) * value / top

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH}" height="{_HEIGHT}" font-family="sans-serif"'
        f' font-size="12"><rect width="100%" height="100%" fill="white"/>',
        f'<text x="{_LEFT}" y="20" font-size="14">{escape(title)}</text>',
        f'<text x="{_LEFT + wide / 2:.0f}" y="{_HEIGHT - 10}" text-anchor="middle">{escape(across)}</text>',
        f'<text transform="translate(14 {_HEIGHT / 2:.0f}) rotate(-90)" text-anchor="middle">{escape(up)}</text>',
    ]
    for number in range(round(top / step) + 1):
        height, value = y(number * step), number * step
        parts.append(f'<line x1="{_LEFT}" x2="{_LEFT + wide}" y1="{height:.1f}" y2="{height:.1f}" stroke="#ddd"/>')
        parts.append(f'<text x="{_LEFT - 6}" y="{height + 4:.1f}" text-anchor="end">{value:g}</text>')
    for place, tick in enumerate(ticks):
        parts.append(
            f'<text x="{x(place):.1f}" y="{_HEIGHT - _BOTTOM + 18}" text-anchor="middle">{escape(tick)}</text>'
        )
    for number, (label, row) in enumerate(lines.items()):
        color = _COLORS[number % len(_COLORS)]
        points = " ".join(f"{x(place):.1f},{y(value):.1f}" for place, value in enumerate(row) if value is not None)
        dashes = ' stroke-dasharray="5 3"' if number >= len(_COLORS) else ""
        parts.append(f'<polyline points="{points}" fill="none" stroke="{color}" stroke-width="2"{dashes}/>')
        height = _TOP + 10 + 18 * number
        left = _LEFT + wide + 12
        parts.append(f'<line x1="{left}" x2="{left + 18}" y1="{height}" y2="{height}" stroke="{color}"{dashes}/>')
        parts.append(f'<text x="{left + 24}" y="{height + 4}">{escape(label)}</text>')
    PLOTS.mkdir(exist_ok=True)
    (PLOTS / f"{name}.svg").write_text("\n".join([*parts, "</svg>", ""]), encoding="utf-8")


def _round_step(least: float) -> float:
    scale = 10.0 ** math.floor(math.log10(least))
    return next(scale * factor for factor in (1, 2, 5, 10) if scale * factor >= least)
