"""Real bugs of released component libraries, from a recording in a window to an exported test that is red.

    python -m benchmarks.library_bugs FOLDER [NAME ...] [-o RESULTS]

The libraries are installed from npm into FOLDER, in the version with the bug and in one without it, and each page of
`benchmarks/libraries` is built with both. Mouse and keyboard act on the page in a window of an invisible display until
the bug shows; what is recorded is replayed, reduced, and exported as a pytest and a Playwright test, which must fail
with the bug, for its reason, and pass without it.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import subprocess
import sys
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.browser.display import virtual_display
from tests.browser.node_tools import NODE

from minrepro.browser import export_check
from minrepro.browser.chromium import Chromium, Page
from minrepro.browser.exports import export
from minrepro.browser.live_recorder import Recorder
from minrepro.browser.recording import Recording, of_steps
from minrepro.browser.session_reduction import WebResult, reduce_session
from minrepro.browser.session_replay import Replayer
from minrepro.browser.static_server import served
from minrepro.browser.step_descriptions import described
from minrepro.errors import MinreproError

_SOURCES = Path(__file__).parent / "libraries"
_TOOLS = ("pytest", "playwright")
_PAGE = """<!doctype html><meta charset=utf-8><title>{}</title><link rel=icon href=data:,>
<div id=app></div><script src=app.js></script>
"""


async def _table(page: Page, chance: random.Random) -> None:
    """Sell, add, edit and delete products, until all of a short table are deleted."""
    for turn in range(14):
        await (
            page.locator("#add" if turn == 3 else "[role=menuitem]", has_text="" if turn == 3 else "sell")
            .nth(0 if turn == 3 else chance.randrange(3))
            .click()
        )
    await page.locator("[data-field=name][role=gridcell]").first.dblclick()
    await page.keyboard.type(" green")
    await page.keyboard.press("Enter")
    for _ in range(4):
        await page.locator("[role=menuitem]", has_text="delete").first.click()


async def _title(page: Page, chance: random.Random) -> None:
    """Write a title, and make some of it bold and italic and plain again, and then all of it."""
    await page.click("#title .ProseMirror")
    await page.keyboard.press("End")
    await page.keyboard.type(" for a short story")
    for _ in range(6):
        for _ in range(chance.randrange(1, 4)):
            await page.keyboard.press("Shift+ArrowLeft")
        await page.click(chance.choice(("#bold", "#italic")))
        await page.keyboard.press("ArrowLeft")
    await page.keyboard.press("Control+a")
    await page.click("#bold")
    await page.click("#bold")


async def _cities(page: Page, chance: random.Random) -> None:
    """Choose cities, with a filter and without, and write a note."""
    for city in ("Rome", "Oslo", "Bern"):
        await page.click("#cities")
        await page.locator("[role=option]", has_text=city).click()
        await page.keyboard.press("Escape")
        await page.locator("[role=listbox]").wait_for(state="detached")
    await page.click("#note")
    await page.keyboard.type(f"trip {chance.randrange(10, 99)}")
    await page.click("#filter")
    await page.click("#cities")


@dataclass(frozen=True)
class Case:
    """A bug: the page that shows it, the packages with it and without it, and what a person does."""

    page: str
    bug: str
    buggy: tuple[str, ...]
    fixed: tuple[str, ...]
    does: Callable[[Page, random.Random], Awaitable[None]]


_REACT = ("@mui/material@6.1.6", "@emotion/react@11", "@emotion/styled@11", "react@18", "react-dom@18")
_TIPTAP = ("core", "pm", "extension-text", "extension-bold", "extension-italic")
CASES = {
    "MUI X data grid (React)": Case(
        "datagrid",
        "mui/mui-x#15193",
        ("@mui/x-data-grid@7.22.0", *_REACT),
        ("@mui/x-data-grid@7.22.2", *_REACT),
        _table,
    ),
    "tiptap (editor)": Case(
        "editor",
        "ueberdosis/tiptap#7661",
        tuple(f"@tiptap/{name}@3.20.4" for name in _TIPTAP),
        tuple(f"@tiptap/{name}@3.29.2" for name in _TIPTAP),
        _title,
    ),
    "PrimeVue multiple select (Vue)": Case(
        "select",
        "primefaces/primevue#6909",
        ("primevue@4.2.5", "vue@3.5.13"),
        ("primevue@4.3.1", "vue@3.5.13"),
        _cities,
    ),
}


def built(case: Case, packages: Sequence[str], folder: Path) -> Path:
    """Return the folder of a case's page, made with these packages."""
    site = folder / "site"
    if not (site / "app.js").exists():
        site.mkdir(parents=True, exist_ok=True)
        install = ["npm", "install", "--silent", "--no-audit", "--no-fund", "--prefix", str(folder)]
        subprocess.run([*install, "esbuild@0.24", *packages], check=True)
        bundle = [str(folder / "node_modules" / ".bin" / "esbuild"), str(_SOURCES / f"{case.page}.js"), "--bundle"]
        options = [f"--outfile={site / 'app.js'}", '--define:process.env.NODE_ENV="production"', "--log-level=error"]
        environment = {**os.environ, "NODE_PATH": str(folder / "node_modules")}
        subprocess.run([*bundle, *options], check=True, env=environment)
        (site / "index.html").write_text(_PAGE.format(case.page), encoding="utf-8")
    return site


async def recorded(chromium: Chromium, origin: str, case: Case) -> Recording:
    """Return what our recorder makes of a person's hands in a window."""
    recorder = Recorder(f"{origin}/index.html")
    page = await recorder.open(chromium)
    page.set_default_timeout(120_000)
    await case.does(page, random.Random(1))
    await asyncio.sleep(0.5)
    await page.context.close()
    return of_steps(recorder.recording(case.page).steps(), {"title": case.page}, case.page)


def exported(replayer: Replayer, fixed: str) -> list[str]:
    """Return for each tool whether its test is red with the bug, for its reason, and green without it."""
    told = []
    right, shown = export_check.replayed(replayer)
    for to in _TOOLS:
        text, check = export(right, to, shown), export_check.check_for(to, NODE.parent)
        assert not isinstance(check, str), check
        for base in ("", fixed):
            try:
                ran = export_check.run(text, to, check, NODE.parent, base)
                export_check.refuse_unless_right(ran, to, fixed=bool(base))
                told.append(f"{to} {'green' if base else 'red'}")
            except MinreproError as error:
                told.append(f"{to} wrong: {str(error).splitlines()[0]}")
    return told


def gone_through(case: Case, window: Chromium, chromium: Chromium, folder: Path) -> list[str]:
    """Return the lines that are told of a case."""
    bad, good = (built(case, ones, folder / f"{case.page}-{name}") for name, ones in
                 (("buggy", case.buggy), ("fixed", case.fixed)))  # fmt: skip
    with served(bad) as origin, served(good) as fixed:
        recording = window.run(asyncio.wait_for(recorded(window, origin, case), 600))
        (folder / f"{case.page}.json").write_text(recording.text(), encoding="utf-8")
        replayer = Replayer(chromium, recording)
        failure = replayer.choose()
        found: WebResult = reduce_session(replayer)
        small = of_steps(recording.steps(found.result.trace), {"title": case.page}, case.page)
        (folder / f"{case.page}.min.json").write_text(small.text(), encoding="utf-8")
        replayer.close()
        again = Replayer(chromium, small)
        try:
            told = exported(again, fixed)
        finally:
            again.close()
    spent = f"{found.all_replays} replays of {found.result.events_fired} events"
    return [
        f"  {case.bug}: {case.buggy[0]} has it, {case.fixed[0]} does not",
        f"  {failure.signature}",
        f"  recorded: {len(recording.trace)} events; left: {len(small.trace)}, in {spent}",
        *(f"    {i}. {described(event)}" for i, event in enumerate(small.trace, 1)),
        f"  exported: {'; '.join(told)}",
    ]


def main() -> int:
    """Go through the cases and write what was found; return 1 if an exported test is not right."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("names", nargs="*", metavar="NAME", help="pages: datagrid, editor, select [default: all]")
    parser.add_argument("-o", "--output", type=Path)
    args = parser.parse_args()
    lines = []
    with virtual_display() as display:
        os.environ["DISPLAY"] = display["DISPLAY"]
        with Chromium(hosts=[], headed=True) as window, Chromium(hosts=[]) as chromium:
            for name, case in CASES.items():
                if not args.names or case.page in args.names:
                    lines += [name, *gone_through(case, window, chromium, args.folder.resolve()), ""]
                    print("\n".join(lines[-20:]), flush=True)
    if args.output is not None:
        args.output.write_text("\n".join(lines), encoding="utf-8")
    return 1 if any("wrong" in line for line in lines) else 0


if __name__ == "__main__":
    sys.exit(main())
