"""A table of what people do in pages: recorded in a window with real input, replayed, exported to each tool and run.

    python -m benchmarks.interactions [NAME ...] [-o RESULTS]

Each interaction is done with one widget of `tests/browser/interactions/page.html`, on a display that nobody sees. A
recording is right if its replay ends in the very error that the person saw, in which all is that the page saw. To
export, several are recorded in a row, so that one test has them all: it is right if it fails with that error, and
passes where the page is fixed. Where it is not, each of them is exported alone.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path

from tests.browser.display import virtual_display
from tests.browser.interactions.hands import INTERACTIONS
from tests.browser.interactions.table import TOOLS, exported, pages, recorded, replayed
from tests.browser.node_tools import NODE

from minrepro.browser.chromium import Chromium
from minrepro.browser.recording import Recording

_PATIENCE = 600
_TOGETHER = 14
"""How many interactions are exported as one test."""


def main() -> int:
    """Go through all interactions and write the table; return 1 if anything is wrong in it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help="interactions [default: all]")
    parser.add_argument("-o", "--output", type=Path)
    args = parser.parse_args()
    names = args.names or list(INTERACTIONS)
    found: dict[str, dict[str, str]] = {}
    saw: dict[str, str] = {}
    begin = time.monotonic()
    with virtual_display() as display, tempfile.TemporaryDirectory() as folder, pages(Path(folder)) as (broken, fixed):
        os.environ["DISPLAY"] = display["DISPLAY"]
        with Chromium(hosts=[], headed=True) as window, Chromium(hosts=[]) as chromium:

            def of(group: list[str]) -> tuple[Recording, str]:
                return window.run(asyncio.wait_for(recorded(window, broken, group), _PATIENCE))

            for name in names:
                recording, failed = of([name])
                again = replayed(chromium, recording)
                found[name] = {"replay": "" if again == failed and failed != "Error: saw " else again}
                saw[name] = failed.removeprefix("Error: saw ")
                print(f"{name}: {found[name]['replay'] or 'right'}", flush=True)
            for group in (names[i : i + _TOGETHER] for i in range(0, len(names), _TOGETHER)):
                told = exported(chromium, of(group)[0], fixed, NODE.parent, TOOLS)
                print(f"{', '.join(group)}: {told}", flush=True)
                for name in group:
                    wrong = [tool for tool in TOOLS if told[tool]]
                    alone = exported(chromium, of([name])[0], fixed, NODE.parent, wrong) if wrong else {}
                    found[name] |= dict.fromkeys(TOOLS, "") | alone
    lines = table(found, saw)
    lines.append(f"{time.monotonic() - begin:.0f} s in all, each test run with the bug and without it")
    print("\n".join(lines))
    if args.output is not None:
        args.output.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return 1 if any(what for cells in found.values() for what in cells.values()) else 0


def table(found: Mapping[str, Mapping[str, str]], saw: Mapping[str, str]) -> list[str]:
    """Return the lines of the table."""
    columns = ("replay", *TOOLS)
    lines = [f"{'interaction':14}" + "".join(f"{column:>12}" for column in columns) + "  what the page saw"]
    for name, cells in found.items():
        row = "".join(f"{'wrong' if cells[column] else 'right':>12}" for column in columns)
        lines.append(f"{name:14}{row}  {saw[name][:60]}")
    right = [f"{sum(not cells[column] for cells in found.values())} of {len(found)}" for column in columns]
    lines += [f"{'right':14}" + "".join(f"{cell:>12}" for cell in right), ""]
    return lines + [
        f"{name}, {column}: {what}" for name, cells in found.items() for column, what in cells.items() if what
    ]


if __name__ == "__main__":
    sys.exit(main())
