"""Small pages of a test's own, served on this machine."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from minrepro.browser.chromium import Chromium
from minrepro.browser.recorder_schema import RecorderStep
from minrepro.browser.recording import Recording, of_steps
from minrepro.browser.session_replay import Observation, Replayer
from minrepro.browser.static_server import served

Open = Callable[..., Recording]


def click(selector: str | list[str], **more: object) -> RecorderStep:
    """Return a click in the middle of an element."""
    return {"type": "click", "selectors": [selector], "anywhere": True, **more}


@pytest.fixture
def page(tmp_path: Path) -> Iterator[Open]:
    """Makes a page of some HTML, with other files beside it, and the recording of steps in it."""
    folder = tmp_path / "site"
    folder.mkdir()
    with served(folder) as origin:

        def make(html: str, *steps: RecorderStep, **files: str) -> Recording:
            for name, text in {"index_html": f"<!doctype html><link rel=icon href=data:,>{html}", **files}.items():
                (folder / name.replace("_", ".")).write_text(text, encoding="utf-8")
            return of_steps([{"type": "navigate", "url": f"{origin}/index.html"}, *steps], {}, "recording")

        yield make


def observed(chromium: Chromium, recording: Recording, hang: float = 20.0) -> Observation:
    """Return what one replay shows."""
    replayer = Replayer(chromium, recording, hang=hang)
    try:
        return replayer.observe(recording.trace)
    finally:
        replayer.close()
