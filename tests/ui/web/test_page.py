"""The debugger page, driven through its whole story by a browser; pictures of it are kept as artefacts."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from minrepro.ui.web.debugger import Debugger
from minrepro.ui.web.server import Site
from minrepro.web.browser import Chromium, Page
from minrepro.web.serving import served
from tests.web.conftest import SHOP
from tests.web.shop_session import session

PATIENCE = 240_000
"""Milliseconds after which something that should have happened is given up."""


@pytest.fixture
def site(tmp_path: Path) -> Iterator[str]:
    """The address of a debugger with an empty workspace."""
    debugger = Debugger(tmp_path / "workspace")
    running = Site(debugger)
    thread = threading.Thread(target=running.run, daemon=True)
    thread.start()
    yield running.url
    running.stop()
    debugger.close()
    thread.join()


async def story(chromium: Chromium, url: str, recording: Path, log: Path, pictures: Path) -> dict[str, str]:
    """Go through all that the page offers, and return what it said."""
    context = await chromium.context(viewport={"width": 1200, "height": 1000}, color_scheme="light")
    page = await context.new_page()
    page.set_default_timeout(PATIENCE)
    problems: list[str] = []
    page.on("pageerror", lambda error: problems.append(error.message))
    await page.goto(url)
    await page.set_input_files("#file", recording)
    await page.locator("#events > li").nth(40).wait_for()
    await page.screenshot(path=pictures / "1-opened.png")
    await page.click("#observe")
    await page.locator("input[name=failure]").first.wait_for()
    await page.locator("#reduce:enabled").wait_for()
    await page.screenshot(path=pictures / "2-failure.png")
    await page.set_input_files("#logs", log)
    await page.locator("#preview:not(:empty)").wait_for()
    said = {"preview": await page.inner_text("#preview")}
    await page.focus("#reduce")
    await page.keyboard.press("Enter")
    await page.locator("#progress:not(:empty)").wait_for()
    await page.screenshot(path=pictures / "3-minimising.png")
    await page.locator("#result:not([hidden])").wait_for()
    await page.locator("#next:enabled").wait_for()
    said["summary"] = await page.inner_text("#summary")
    said["kept"] = await page.inner_text("#kept")
    await page.click("#run")
    await page.locator("#shot:not([hidden])").wait_for()
    said["where"] = await page.inner_text("#where")
    await page.click("#export")
    await page.locator("#exported:not([hidden])").wait_for()
    said["exported"] = await page.inner_text("#exported")
    await page.screenshot(path=pictures / "4-result.png", full_page=True)
    await _small_and_dark(page, pictures)
    said["problems"] = "; ".join(problems)
    await context.close()
    return said


async def _small_and_dark(page: Page, pictures: Path) -> None:
    await page.emulate_media(color_scheme="dark")
    await page.set_viewport_size({"width": 390, "height": 844})
    await page.screenshot(path=pictures / "5-small-dark.png")
    assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_session_is_opened_observed_minimised_replayed_and_exported_in_the_page(site: str, tmp_path: Path) -> None:
    pictures = Path(os.environ.get("MINREPRO_PICTURES", tmp_path / "pictures"))
    pictures.mkdir(parents=True, exist_ok=True)
    with served(SHOP) as origin, Chromium(hosts=[]) as chromium:
        recording = session(f"{origin}/")
        file, log = tmp_path / "session.json", tmp_path / "log.jsonl"
        file.write_text(recording.text(), encoding="utf-8")
        states = [{"state": {"n": 0}}] + [{"event": "click #empty", "state": {"n": 0}}] * 6
        log.write_text("".join(json.dumps(line) + "\n" for line in states), encoding="utf-8")
        said = chromium.run(story(chromium, site, file, log, pictures))
    assert said["problems"] == ""
    assert said["preview"].startswith(f"{len(recording.trace)} → ")
    assert said["summary"].startswith(f"{len(recording.trace)} → 2 events")
    assert said["kept"].splitlines()[0] == "click #open"
    assert "click #empty" in said["kept"]
    assert "reading 'length'" in said["where"]
    assert "def test_the_failure_does_not_show" in said["exported"]
    assert len(list(pictures.glob("*.png"))) == 5
