"""The recorder: what a user does in a real page comes back as steps, and shows the same when it is replayed."""

from __future__ import annotations

from pathlib import Path

from minrepro.browser.chromium import Chromium
from minrepro.browser.live_recorder import Recorder
from minrepro.browser.recording import parse
from minrepro.browser.session_replay import Replayer
from minrepro.browser.static_server import served
from minrepro.traces import trace_formats

EDITOR = """<!doctype html><link rel=icon href=data:,><div id=e contenteditable style="height:60px"></div>
<button id=b ondblclick="throw Error(e.textContent)">b</button><select id=s><option>x<option>y</select>
<script>e.addEventListener('keydown', () => { window.keys = (window.keys || 0) + 1 })</script>"""


async def recorded(chromium: Chromium, url: str) -> Recorder:
    """Return the recorder after a user has typed in an editor and double-clicked."""
    recorder = Recorder(url, state="{keys: window.keys || 0}")
    page = await recorder.open(chromium)
    await page.click("#e")
    await page.keyboard.press("h")
    await page.keyboard.press("Shift+I")
    await page.keyboard.press("Backspace")
    await page.dblclick("#b")
    await page.evaluate("__minrepro.settle(500, 100, true)")
    await page.context.close()
    return recorder


def test_keys_in_an_editor_are_recorded_one_by_one_and_replayed(chromium: Chromium, tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text(EDITOR, encoding="utf-8")
    with served(tmp_path) as origin:
        recorder = chromium.run(recorded(chromium, f"{origin}/"))
        recording = parse(recorder.recording("editor").text(), "recorded")
        names = [event.name for event in recording.trace]
        assert names == ["click #e", "press h", "press Shift+I", "press Backspace", "doubleClick #b"]
        replayer = Replayer(chromium, recording)
        assert replayer.choose().text == "Error: h"
        replayer.close()
    log, _ = trace_formats.parse(recorder.log(), "log")
    assert [event.name for event in log.trace] == names
    assert log.entries[0].state == {"keys": 0}
    assert log.entries[-1].state == {"keys": 4}
