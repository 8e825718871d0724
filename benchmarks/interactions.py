"""A table of what people do in pages: recorded in a window with real input, replayed, exported to each tool and run.

    python -m benchmarks.interactions [NAME ...] [--piece N] [--kept FILE] [-o RESULTS]

Each interaction is done with one widget of `tests/browser/interactions/page.html`, on a display that nobody sees. A
recording is right if its replay ends in the very error that the person saw, in which all is that the page saw. To
export, several are recorded in a row, so that one test has them all: it is right if it fails with that error, and
passes where the page is fixed. Where it is not, each of them is exported alone. With `--kept`, what was found is in a
file, and the next run goes on after it; `--piece` is how many more interactions this one does.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from tests.browser.display import virtual_display
from tests.browser.interactions.hands import INTERACTIONS
from tests.browser.interactions.table import TOOLS, exported, pages, recorded, replayed
from tests.browser.node_tools import NODE

from minrepro.browser.chromium import Chromium
from minrepro.browser.recording import Recording

_PATIENCE = 600
_TOGETHER = 11
"""How many interactions are exported as one test."""


def main() -> int:
    """Go through the interactions and write the table; return 1 if anything is wrong in it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help="interactions [default: all]")
    parser.add_argument("--piece", type=int, metavar="N", help="do so many more of them [default: all]")
    parser.add_argument("--kept", type=Path, metavar="FILE", help="go on after what is in FILE, and keep more in it")
    parser.add_argument("-o", "--output", type=Path)
    args = parser.parse_args()
    names = args.names or list(INTERACTIONS)
    found: dict[str, dict[str, str]] = {}
    if args.kept is not None and args.kept.exists():
        lines = args.kept.read_text(encoding="utf-8").splitlines()
        found = {name: cells for line in lines for name, cells in json.loads(line).items()}
    left = [name for name in names if name not in found][: args.piece]
    for more in _found(left):
        found |= more
        if args.kept is not None:
            with args.kept.open("a", encoding="utf-8") as file:
                file.write(json.dumps(more) + "\n")
    text = "\n".join(table({name: found[name] for name in names if name in found})) + "\n"
    print(text, end="")
    if args.output is not None:
        args.output.write_text(text, encoding="utf-8")
    return 1 if any(found[name][column] for name in left for column in ("replay", *TOOLS)) else 0


def _found(names: Sequence[str]) -> Iterator[dict[str, dict[str, str]]]:
    """Give what is wrong with each interaction, some at a time, and how many seconds those took."""
    with virtual_display() as display, tempfile.TemporaryDirectory() as folder, pages(Path(folder)) as (broken, fixed):
        os.environ["DISPLAY"] = display["DISPLAY"]
        with Chromium(hosts=[], headed=True) as window, Chromium(hosts=[]) as chromium:

            def of(group: Sequence[str]) -> tuple[Recording, str]:
                return window.run(asyncio.wait_for(recorded(window, broken, group), _PATIENCE))

            for group in (names[i : i + _TOGETHER] for i in range(0, len(names), _TOGETHER)):
                begin, found = time.monotonic(), {}
                for name in group:
                    recording, failed = of([name])
                    again = replayed(chromium, recording)
                    found[name] = {"replay": "" if again == failed and failed != "Error: saw " else again}
                    found[name]["saw"] = failed.removeprefix("Error: saw ")
                told = exported(chromium, of(group)[0], fixed, NODE.parent, TOOLS)
                wrong = [tool for tool in TOOLS if told[tool]]
                for name in group:
                    alone = exported(chromium, of([name])[0], fixed, NODE.parent, wrong) if wrong else {}
                    found[name] |= dict.fromkeys(TOOLS, "") | alone
                seconds = f"{(time.monotonic() - begin) / len(group):.0f}"
                for name in group:
                    found[name]["seconds"] = seconds
                    print(f"{name}: {found[name]}", flush=True)
                yield found


def table(found: Mapping[str, Mapping[str, str]]) -> list[str]:
    """Return the lines of the table."""
    columns = ("replay", *TOOLS)
    lines = [f"{'interaction':14}" + "".join(f"{column:>12}" for column in columns) + "  what the page saw"]
    for name, cells in found.items():
        row = "".join(f"{'wrong' if cells[column] else 'right':>12}" for column in columns)
        lines.append(f"{name:14}{row}  {cells['saw'][:60]}")
    right = [f"{sum(not cells[column] for cells in found.values())} of {len(found)}" for column in columns]
    lines += [f"{'right':14}" + "".join(f"{cell:>12}" for cell in right), ""]
    lines += [
        f"{name}, {column}: {cells[column]}" for name, cells in found.items() for column in columns if cells[column]
    ]
    seconds = sum(int(cells["seconds"]) for cells in found.values())
    return [*lines, f"about {seconds} s in all, each test run with the bug and without it"]


if __name__ == "__main__":
    sys.exit(main())
