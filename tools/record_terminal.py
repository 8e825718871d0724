"""Draws the first example of the README as a terminal in which it is typed: docs/images/terminal.svg.

    python tools/record_terminal.py

What it shows is what the README shows, and that is run by the tests. The picture moves by CSS alone, and stands still
for whoever prefers that.
"""

from __future__ import annotations

import re
from html import escape
from pathlib import Path

PROJECT = Path(__file__).parents[1]
PICTURE = PROJECT / "docs" / "images" / "terminal.svg"
_BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_LINE, _CHARACTER, _MARGIN, _MOST = 19, 7.8, 16, 112
_STYLE = """
text { font: 13px ui-monospace, Menlo, Consolas, monospace; fill: #dfe3ea; white-space: pre; }
.typed { fill: #7ee787; }
.line { opacity: 0; animation: show 0.01s forwards; }
@keyframes show { to { opacity: 1; } }
@media (prefers-reduced-motion: reduce) { .line { animation-delay: 0s !important; } }
"""


def recording(readme: str) -> str:
    """Return the picture of the first example of a page."""
    block = _BLOCK.search(readme)
    assert block is not None, "the page has no example"
    lines, moment, shown = block[1].splitlines(), 0.3, []
    for number, line in enumerate(lines):
        is_typed = line.startswith("$ ")
        moment += 1.2 if is_typed else 0.35
        kind = "line typed" if is_typed else "line"
        text = line if len(line) <= _MOST else f"{line[: _MOST - 1]}…"
        height = _MARGIN + 34 + _LINE * number
        place = f'style="animation-delay: {moment:.2f}s" x="{_MARGIN}" y="{height}"'
        shown.append(f'<text class="{kind}" {place}>{escape(text)}</text>')
    width = round(2 * _MARGIN + _CHARACTER * min(_MOST, max(map(len, lines))))
    height = 2 * _MARGIN + 30 + _LINE * len(lines)
    dots = (
        f'<circle cx="{20 + 18 * n}" cy="18" r="5" fill="{c}"/>'
        for n, c in enumerate(("#ff5f57", "#febc2e", "#28c840"))
    )
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img"'
            f' aria-label="minrepro reduces a settings file of 202 lines to two">',
            f"<style>{_STYLE}</style>",
            f'<rect width="{width}" height="{height}" rx="10" fill="#14171c"/>',
            *dots,
            *shown,
            "</svg>",
            "",
        ]
    )


if __name__ == "__main__":
    PICTURE.parent.mkdir(exist_ok=True)
    PICTURE.write_text(recording((PROJECT / "README.md").read_text(encoding="utf-8")), encoding="utf-8")
