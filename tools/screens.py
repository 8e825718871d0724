"""Takes pictures of the display, the report and the site, to be looked at.

    python tools/screens.py FOLDER

The site is that of `make site`. The display is what tmux shows of a reduction of examples/settings, as text.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

PROJECT = Path(__file__).parents[1]
SITE = PROJECT / "build" / "site"
PAGES = ("index.html", "quickstart.html", "what-broke.html", "reference/commands.html", "comparison.html")
SIZES = {"wide": (1000, 900), "narrow": (390, 844)}
COMMAND = "reduce shop.conf -j 1 --report report.html -- python3 settings.py shop.conf"


def take_display(work: Path, folder: Path) -> None:
    """Reduce the example in a terminal and keep each of a few screens, and the report."""
    environment = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES", "TMUX")}

    def terminal(*words: str) -> str:
        socket = work / "terminal"
        asked = ["tmux", "-S", str(socket), *words]
        return subprocess.run(asked, capture_output=True, text=True, check=False, env=environment).stdout

    start = f"cd {work} && {sys.executable} -m minrepro {COMMAND}; touch {work}/over; sleep 60"
    terminal("new-session", "-d", "-x", "80", "-y", "24", start)
    number, last = 0, ""
    while not (work / "over").exists():
        seen = terminal("capture-pane", "-p")
        if seen != last and seen.strip():
            number, last = number + 1, seen
            (folder / f"display-{number:02}.txt").write_text(seen, encoding="utf-8")
        time.sleep(2)
    terminal("kill-server")


def take_pages(work: Path, folder: Path) -> None:
    """Open the report and the site in Chromium, light and dark, wide and narrow."""
    from playwright.sync_api import sync_playwright

    pages = {"report": work / "report.html"} | {f"site-{Path(name).stem}": SITE / name for name in PAGES}
    program = next(filter(None, map(shutil.which, ("chromium", "chromium-headless-shell", "google-chrome"))))
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-gpu"])
        for scheme in ("light", "dark"):
            for size, (width, height) in SIZES.items():
                context = browser.new_context(
                    color_scheme=scheme, viewport={"width": width, "height": height}, offline=True
                )
                page = context.new_page()
                for name, path in pages.items():
                    page.goto(path.as_uri())
                    page.screenshot(path=folder / f"{name}-{scheme}-{size}.png", full_page=name == "report")
                context.close()
        browser.close()


def main() -> None:
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as name:
        work = Path(name)
        for path in (PROJECT / "examples" / "settings").iterdir():
            shutil.copy(path, work)
        take_display(work, folder)
        take_pages(work, folder)
    print(f"{len(list(folder.iterdir()))} screens are in {folder}")


if __name__ == "__main__":
    main()
