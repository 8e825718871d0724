"""The page's record button: a window opens, what is done in it is told, and becomes the session."""

from __future__ import annotations

from pathlib import Path

import pytest

from minrepro.browser.debugger.debug_session import Debugger
from tests.browser.debugger.test_debug_session import wait_for
from tests.browser.display import LISTENING, display, type_keys, until_there
from tests.browser.pages import Open, page

__all__ = ["display", "page"]


def test_a_session_is_recorded_from_the_page_and_opened_when_it_is_stopped(
    display: dict[str, str], page: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DISPLAY", display["DISPLAY"])
    url = page(LISTENING).url
    debugger = Debugger(tmp_path / "workspace")
    with debugger.news.listening() as mine:
        debugger.record(url)
        wait_for(mine, "recording")
        type_keys(display, until_there(display, "no focus|heard"), "Tab", "Return")
        for name in ("Tab", "Enter"):
            assert wait_for(mine, "recorded")["text"] == f"press {name}"
        debugger.stop()
        wait_for(mine, "opened")
    view = debugger.view()
    assert [event["text"] for event in debugger.events()["events"]] == ["press Tab", "press Enter"]
    assert view["url"] == url
    debugger.close()
