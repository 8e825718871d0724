"""The debugger page, driven through its whole story by a browser; pictures of it are kept as artefacts."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from minrepro.browser.chromium import Chromium, Page
from minrepro.browser.debugger.debug_server import DebugServer
from minrepro.browser.debugger.debug_session import Debugger
from minrepro.browser.static_server import served
from tests.browser.conftest import SHOP
from tests.browser.shop_session import session

pytestmark = pytest.mark.browser

PATIENCE = 240_000
"""Milliseconds after which something that should have happened is given up."""


@pytest.fixture
def site(tmp_path: Path) -> Iterator[str]:
    """The address of a debugger with an empty workspace."""
    debugger = Debugger(tmp_path / "workspace")
    running = DebugServer(debugger)
    thread = threading.Thread(target=running.run, daemon=True)
    thread.start()
    yield running.url
    running.stop()
    debugger.close()
    thread.join()


async def story(chromium: Chromium, url: str, recording: Path, log: Path, pictures: Path) -> dict[str, str]:
    """Go through all that the page offers, and return what it said."""
    context = await chromium.context(viewport={"width": 1280, "height": 1000}, color_scheme="light")
    page = await context.new_page()
    page.set_default_timeout(PATIENCE)
    problems: list[str] = []
    page.on("pageerror", lambda error: problems.append(error.message))
    await page.goto(url)
    said: dict[str, str] = {}
    await page.fill("#url", "http://127.0.0.1:9/")
    await page.click("#record")
    await page.locator("#message:not(:empty)").wait_for()
    said["record"] = await page.inner_text("#message")
    await page.screenshot(path=pictures / "1-empty.png")
    await _dropped(page, recording)
    await page.locator("#events > li").nth(40).wait_for()
    said["folded"] = str(await page.locator("#drop[open]").count())
    await page.click("#observe")
    await page.locator("input[name=failure]").first.wait_for()
    await page.locator("#reduce:enabled").wait_for()
    await page.locator("#events .thumb img").first.wait_for()
    said["part"] = await page.input_value("#part")
    await page.screenshot(path=pictures / "2-failure.png")
    await _rules(page, log, said)
    await page.screenshot(path=pictures / "3-rules.png")
    await _marks_by_keyboard(page, said)
    await page.keyboard.press("m")
    await page.locator("#progress:not(:empty)").wait_for()
    await page.locator("#strip .test").first.wait_for()
    await page.screenshot(path=pictures / "4-minimising.png")
    await page.locator("#result:not([hidden])").wait_for()
    await page.locator("#next:enabled").wait_for()
    said["summary"] = await page.inner_text("#summary")
    said["kept"] = await page.inner_text("#kept")
    await _break_point(page, said)
    await page.click("#export")
    await page.locator("#exported:not([hidden])").wait_for()
    said["exported"] = await page.inner_text("#exported")
    await page.screenshot(path=pictures / "5-result.png", full_page=True)
    await page.locator("#events .thumb").first.click()
    await page.screenshot(path=pictures / "6-enlarged.png")
    await page.keyboard.press("Escape")
    await _small_and_dark(page, pictures)
    said["title"] = await page.title()
    said["problems"] = "; ".join(problems)
    await context.close()
    return said


async def _dropped(page: Page, recording: Path) -> None:
    """Drop a file somewhere in the page."""
    await page.evaluate(
        """(text) => {
          const dataTransfer = new DataTransfer();
          dataTransfer.items.add(new File([text], 'session.json'));
          document.getElementById('work').dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true }));
        }""",
        recording.read_text(encoding="utf-8"),
    )


async def _rules(page: Page, log: Path, said: dict[str, str]) -> None:
    await page.set_input_files("#logs", log)
    await page.locator("#preview:not(:empty)").wait_for()
    said["preview"] = await page.inner_text("#preview")
    await page.click("#rules-tab summary")
    ticks = page.locator("#rules input[type=checkbox]")
    for _ in range(await ticks.count()):
        unused = await page.locator("#rules .unused").count()
        await page.locator("#rules input:checked").first.click()
        await page.locator("#rules .unused").nth(unused).wait_for()
    said["without rules"] = await page.inner_text("#preview")
    await ticks.first.click()
    await page.locator("#rules tr:not(.unused) input").first.wait_for()


async def _marks_by_keyboard(page: Page, said: dict[str, str]) -> None:
    """Go down the list with keys; pin the second event, leave out the third, and observe anew."""
    await page.locator("#events > li").first.focus()
    await page.keyboard.press("j")
    await page.keyboard.press("p")
    await page.locator("#events > li.pinned").wait_for()
    await page.keyboard.press("ArrowDown")
    await page.keyboard.press("x")
    await page.locator("#events > li.drop").wait_for()
    marked = page.locator("#events > li.pinned .number, #events > li.drop .number")
    said["marks"] = ",".join(await marked.all_inner_texts())
    await page.keyboard.press("r")
    await page.locator("#reduce:enabled").wait_for()


async def _break_point(page: Page, said: dict[str, str]) -> None:
    """Run the result up to a breakpoint at the event that opens the catalogue, then to its end."""
    await page.locator("#events > li.kept", has_text="click #open").first.locator(".stop").check()
    for name in ("stopped", "where"):
        await page.click("#run")
        await page.locator("#run:enabled").wait_for()
        said[name] = await page.inner_text("#where")
    await page.locator("#shot:not([hidden])").wait_for()


async def _small_and_dark(page: Page, pictures: Path) -> None:
    await page.emulate_media(color_scheme="dark")
    await page.evaluate("scrollTo(0, 0)")
    await page.screenshot(path=pictures / "7-dark.png")
    await page.set_viewport_size({"width": 390, "height": 844})
    await page.screenshot(path=pictures / "8-small-dark.png", full_page=True)
    assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    await page.click("#help")
    await page.locator("#keys kbd").first.wait_for()
    await page.screenshot(path=pictures / "9-keys.png")


def test_a_session_is_opened_observed_minimised_replayed_and_exported_in_the_page(
    site: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
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
    assert "no display" in said["record"]
    assert said["part"].startswith("error: TypeError")
    assert said["preview"].startswith("44 → ") and said["preview"] != "44 → 44 events"
    assert said["without rules"] == "44 → 44 events"
    assert said["folded"] == "0"
    assert said["marks"] == "2,3"
    assert said["title"] == "3 of 43 events: minrepro"
    assert said["summary"].startswith("44 → 3 events")
    assert "Confirmed in a fresh browser context" in said["summary"]
    assert said["kept"].splitlines()[:2] == ["click #search", "pinned"]
    assert "click #open" in said["kept"] and "click #empty" in said["kept"]
    assert said["stopped"] == "after 2 of 3"
    assert said["where"].startswith("after 3 of 3") and "reading 'length'" in said["where"]
    assert "def test_the_failure_does_not_occur" in said["exported"]
    assert len(list(pictures.glob("*.png"))) == 9
