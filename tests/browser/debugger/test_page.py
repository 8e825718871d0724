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
from minrepro.browser.recording import of_steps
from minrepro.browser.static_server import served
from tests.browser.conftest import SHOP
from tests.browser.node_tools import NODE
from tests.browser.shop_session import click, session

pytestmark = pytest.mark.browser

AXE = NODE / "axe-core" / "axe.min.js"
"""Finds what keeps people from using a page."""
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
    context = await chromium.context(viewport={"width": 1280, "height": 900}, color_scheme="light")
    page = await context.new_page()
    page.set_default_timeout(PATIENCE)
    problems: list[str] = []
    page.on("pageerror", lambda error: problems.append(error.message))
    await page.goto(url)
    said: dict[str, str] = {"axe when empty": await _violations(page)}
    await page.click("#opens")
    await page.fill("#url", "http://127.0.0.1:9/")
    await page.click("#record")
    await page.locator("#message:not(:empty)").wait_for(state="attached")
    said["record"] = await page.inner_text("#message")
    said["axe in a dialog"] = await _violations(page)
    await page.screenshot(path=pictures / "1-empty.png")
    await page.keyboard.press("Escape")
    await _dropped(page, recording)
    await page.locator("#events > li").nth(5).wait_for()
    said["untested"] = await page.locator("#events > li .why").first.inner_text()
    said["typed"] = await page.locator("#events .text", has_text="type 'te'").first.inner_text()
    await page.click("#observe")
    await page.locator("#reduce:enabled").wait_for()
    said["part"] = await page.input_value("#part")
    await _failing_step(page, said)
    await page.screenshot(path=pictures / "2-failure.png")
    await _rules(page, log, said)
    await page.screenshot(path=pictures / "3-rules.png")
    await _marks_by_keyboard(page, said)
    await page.keyboard.press("m")
    await page.locator("#bar:not([hidden])").wait_for()
    await page.screenshot(path=pictures / "4-reducing.png")
    await page.locator("#result:not([hidden])").wait_for()
    await page.locator("#observe:enabled").wait_for()
    said["summary"] = await page.inner_text("#summary")
    said["kept"] = await page.inner_text("#kept")
    said["axe with a result"] = await _violations(page)
    await _result_step_by_step(page, said)
    await page.click("#tab-algorithms")
    said["runs"] = await page.locator("#runs tbody tr").first.inner_text()
    await page.click("#tab-export")
    await page.click("#export")
    await page.locator("#exported:not([hidden])").wait_for()
    said["exported"] = await page.inner_text("#exported")
    await page.screenshot(path=pictures / "5-result.png")
    await page.keyboard.press("v")
    await page.screenshot(path=pictures / "6-enlarged.png")
    await page.keyboard.press("Escape")
    await _small_and_dark(page, pictures, said)
    said["title"] = await page.title()
    said["problems"] = "; ".join(problems)
    await context.close()
    return said


async def _violations(page: Page) -> str:
    """Return what axe finds wrong with the page as it is."""
    await page.evaluate(AXE.read_text(encoding="utf-8"))
    found = await page.evaluate(
        "async () => (await axe.run()).violations.map(({ id, nodes }) => `${id}: ${nodes[0].html}`)"
    )
    return "\n".join(found)


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


async def _failing_step(page: Page, said: dict[str, str]) -> None:
    """Look at the event that fails, which is shown as soon as it was seen to."""
    await page.locator("#errors .hit").first.wait_for()
    await page.locator("#before + .box").wait_for()
    said["where"] = await page.inner_text("#where")
    said["line"] = await page.locator("#errors .hit").first.inner_text()
    await page.click("#tab-dom")
    await page.locator("#dom div").first.wait_for()
    said["axe at a step"] = await _violations(page)


async def _rules(page: Page, log: Path, said: dict[str, str]) -> None:
    await page.click("#tab-rules")
    await page.set_input_files("#logs", log)
    await page.locator("#preview:not(:empty)").wait_for()
    said["preview"] = await page.inner_text("#preview")
    ticks = page.locator("#rules input[type=checkbox]")
    for _ in range(await ticks.count()):
        unused = await page.locator("#rules .unused").count()
        await page.locator("#rules input:checked").first.click()
        await page.locator("#rules .unused").nth(unused).wait_for()
    said["without rules"] = await page.inner_text("#preview")
    await ticks.first.click()
    await page.locator("#rules tbody tr:not(.unused) input").first.wait_for()


async def _marks_by_keyboard(page: Page, said: dict[str, str]) -> None:
    """Go down the list with keys; pin the second event and think better of it, leave out the word after it, observe."""
    await page.click("#first")
    for key in ("j", "j", "p"):
        await page.keyboard.press(key)
    await page.locator("#events > li.pinned").wait_for()
    await page.keyboard.press("j")
    await page.keyboard.press("x")
    await page.locator("#events > li.drop").wait_for()
    marked = page.locator("#events > li.pinned .number, #events > li.drop .number")
    said["marks"] = ",".join(await marked.all_inner_texts())
    for key in ("k", "p"):
        await page.keyboard.press(key)
    await page.locator("#events > li.pinned").wait_for(state="detached")
    await page.keyboard.press("r")
    await page.locator("#reduce:enabled").wait_for()


async def _result_step_by_step(page: Page, said: dict[str, str]) -> None:
    """Go through the result: to a breakpoint, on by a step, back, and by playing to its end."""
    await page.select_option("#which", "result")
    await page.check("#kept-only")
    await page.click("#first")
    await page.locator("#events > li", has_text="click #open").first.locator(".stop").check()
    for name, button in (("stopped", "run"), ("stepped", "next"), ("back", "back")):
        await page.click(f"#{button}")
        said[name] = await page.inner_text("#where")
    await page.select_option("#pace", "250")
    await page.click("#play")
    await page.locator("#where", has_text="click #empty").wait_for()
    await page.locator("#after:not([hidden])").wait_for()


async def _small_and_dark(page: Page, pictures: Path, said: dict[str, str]) -> None:
    await page.emulate_media(color_scheme="dark")
    said["axe in the dark"] = await _violations(page)
    await page.screenshot(path=pictures / "7-dark.png")
    assert await page.evaluate("document.documentElement.scrollHeight <= innerHeight")
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
    assert {name: told for name, told in said.items() if name.startswith("axe") and told} == {}
    assert "no display" in said["record"]
    assert said["untested"] == "not tested"
    assert said["typed"] == "type 'te'"
    assert said["where"] == "42 of 44: click #empty"
    assert "shop.cart[0].length" in said["line"]
    assert said["part"].startswith("error: TypeError")
    assert said["preview"].startswith("44 → ") and said["preview"] != "44 → 44 events"
    assert said["without rules"] == "44 → 44 events"
    assert said["marks"] == "2,3–4"  # the keys of one word are one row
    assert said["title"] == "2 of 42 events: minrepro"
    assert said["summary"].startswith("44 → 2 events")
    assert "Confirmed in a fresh browser context" in said["summary"]
    assert said["kept"].splitlines()[::2] == ["click #open", "click #empty"]
    assert said["stopped"].endswith("click #open")
    assert said["stepped"] == "42 of 44: click #empty"
    assert said["back"] == said["stopped"]
    assert said["runs"].startswith("default")
    assert "def test_the_failure_does_not_occur" in said["exported"]
    assert len(list(pictures.glob("*.png"))) == 9


async def changed_by_hand(chromium: Chromium, url: str, recording: Path) -> tuple[str, list[str]]:
    """Add an event whose element is picked in a picture, move it up, and return what is found at its end."""
    context = await chromium.context(viewport={"width": 1280, "height": 900})
    page = await context.new_page()
    page.set_default_timeout(PATIENCE)
    await page.goto(url)
    await _dropped(page, recording)
    await page.locator("#events > li").nth(1).wait_for()
    await page.click("#observe")
    await page.locator("#reduce:enabled").wait_for()
    await page.click("#first")
    await page.click("#next")
    await page.locator("#after:not([hidden])").wait_for()
    await page.select_option("#kind", "hover")
    await page.click("#add")
    await page.click("#pick")
    await page.locator("#after").evaluate(
        """(image, [x, y]) => {
          const { left, top, width, height } = image.getBoundingClientRect();
          const place = { clientX: left + x / 1000 * width, clientY: top + y / 700 * height, bubbles: true };
          image.dispatchEvent(new MouseEvent('click', place));
        }""",
        await _middle_of_open(chromium, recording),
    )
    await page.locator("#selectors", has_text="#open").wait_for()
    await page.click("#save-edit")
    await page.locator("#where", has_text="2 of 4").wait_for()
    await page.click("#up")
    await page.locator("#where", has_text="1 of 4").wait_for()
    await page.set_input_files("#file", recording)
    await page.locator("#session option").nth(1).wait_for(state="attached")
    await page.locator("#where", has_text="The page").wait_for()
    await page.select_option("#session", "1")
    await page.locator("#events > li").nth(3).wait_for()
    texts = await page.locator("#events .text").all_inner_texts()
    sessions = await page.inner_text("#session")
    await context.close()
    return sessions, texts


async def _middle_of_open(chromium: Chromium, recording: Path) -> list[float]:
    """Return where the button that opens the catalogue is in a window as large as that of the recording."""
    steps = json.loads(recording.read_text(encoding="utf-8"))["steps"]
    context = await chromium.context(viewport={"width": 1000, "height": 700})
    page = await context.new_page()
    await page.goto(next(step["url"] for step in steps if step["type"] == "navigate"))
    box = await page.locator("#open").bounding_box()
    await context.close()
    assert box is not None
    return [box["x"] + box["width"] / 2, box["y"] + box["height"] / 2]


def test_events_are_added_and_moved_by_hand_and_sessions_are_kept_beside_each_other(site: str, tmp_path: Path) -> None:
    with served(SHOP) as origin, Chromium(hosts=[]) as chromium:
        steps = [step for step in session(f"{origin}/").opening if step["type"] == "navigate"]
        steps += [click("#search"), click("#open"), click("#empty")]
        file = tmp_path / "session.json"
        file.write_text(of_steps(steps, {}, "r").text(), encoding="utf-8")
        sessions, texts = chromium.run(changed_by_hand(chromium, site, file))
    assert texts[0].startswith("move the mouse to") and "#open" in texts[0]
    assert texts[1:] == ["click #search", "click #open", "click #empty"]
    assert "(4 events)" in sessions and "(3 events)" in sessions


async def long_session(chromium: Chromium, url: str, recording: Path) -> tuple[int, int, float]:
    """Open a long session and scroll, filter and select in it; return rows, and the events of one strained second."""
    context = await chromium.context(viewport={"width": 1280, "height": 900})
    page = await context.new_page()
    page.set_default_timeout(PATIENCE)
    await page.goto(url)
    await _dropped(page, recording)
    await page.locator("#events > li").first.wait_for()
    before = await page.locator("#events > li").count()
    await page.evaluate("document.getElementById('events-pane').scrollTop = 1e9")
    await page.locator("#events > li", has_text="5000").wait_for()
    after = await page.locator("#events > li").count()
    shown = await page.evaluate(
        "() => { const t = document.getElementById('events'); return t.querySelectorAll('*').length; }"
    )
    await context.close()
    return before, after, shown


def test_of_5000_events_only_those_in_sight_are_in_the_page(site: str, tmp_path: Path) -> None:
    opening = [step for step in session("http://127.0.0.1:9/").opening if step["type"] == "navigate"]
    steps = opening + [click(f"#button-{number}") for number in range(5000)]
    file = tmp_path / "session.json"
    file.write_text(of_steps(steps, {}, "r").text(), encoding="utf-8")
    with Chromium(hosts=[]) as chromium:
        before, after, elements = chromium.run(long_session(chromium, site, file))
    assert 0 < before < 60 and 0 < after < 60
    assert elements < 1000
