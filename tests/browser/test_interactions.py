"""What people do in a window comes back as they did it: in our replay, in the Recorder's own, and in an exported test.

The whole table, with every tool, is `python -m benchmarks.interactions`.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from minrepro.browser.chromium import Chromium, find_browser
from tests.browser.display import display
from tests.browser.interactions.hands import INTERACTIONS
from tests.browser.interactions.table import PAGES, exported, pages, recorded, replayed
from tests.browser.node_tools import NODE

__all__ = ["display"]

SOME = [name for name in INTERACTIONS if name not in ("newtab", "long", "late", "multiple", "text")][:14]
"""What is done in one window, one after another; the table has all of them."""
PLAIN = ("button", "label", "select", "enter", "double", "right", "place", "shadow", "frame", "late")
"""What the Recorder has steps for."""


@pytest.fixture
def window(display: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> Iterator[Chromium]:
    """A browser with windows, on a display that nobody sees."""
    monkeypatch.setenv("DISPLAY", display["DISPLAY"])
    with Chromium(hosts=[], headed=True) as browser:
        yield browser


@pytest.fixture
def origins(tmp_path: Path) -> Iterator[tuple[str, str]]:
    """Where the widgets are served with the bug, and without it."""
    with pages(tmp_path) as both:
        yield both


def test_what_is_done_in_a_window_comes_back(window: Chromium, chromium: Chromium, origins: tuple[str, str]) -> None:
    assert len(INTERACTIONS) >= 40
    recording, failed = window.run(recorded(window, origins[0], SOME))
    assert failed.startswith("Error: saw ")
    assert replayed(chromium, recording) == failed


def test_the_recorders_own_replay_agrees_and_so_does_an_exported_test(
    window: Chromium, chromium: Chromium, origins: tuple[str, str], tmp_path: Path
) -> None:
    recording, failed = window.run(recorded(window, origins[0], PLAIN))
    assert replayed(chromium, recording) == failed
    file = tmp_path / "recording.json"
    file.write_text(recording.text(), encoding="utf-8")
    (tmp_path / "replay.js").write_text((PAGES / "replay.js").read_text(encoding="utf-8"), encoding="utf-8")
    (tmp_path / "node_modules").symlink_to(NODE)
    environment = {**os.environ, "CHROMIUM": find_browser()}
    done = subprocess.run(
        ["node", "replay.js", str(file)], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == [failed]
    assert exported(chromium, recording, origins[1], NODE.parent, ["puppeteer"]) == {"puppeteer": ""}


def test_passwords_are_masked_unless_they_are_wanted(chromium: Chromium, origins: tuple[str, str]) -> None:
    for wanted, typed in ((False, "********"), (True, "")):
        recording, _ = chromium.run(recorded(chromium, origins[0], ["password"], passwords=wanted))
        values = [step.get("value", "") for step in recording.steps() if step["type"] == "change"]
        assert values == ([typed] if typed else [])
        keys = [step["key"] for step in recording.steps() if step["type"] == "keyDown"]
        assert ("g" in keys) is wanted


def test_what_is_recorded_can_be_waited_for(chromium: Chromium, origins: tuple[str, str]) -> None:
    recording, failed = chromium.run(asyncio.wait_for(recorded(chromium, origins[0], ["late"]), 60))
    assert "hover" not in {step["type"] for step in recording.steps()}
    assert replayed(chromium, recording) == failed == "Error: saw late button"
