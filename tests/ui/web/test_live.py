"""The page's record button: a window opens, what is done in it is told, and becomes the session."""

from __future__ import annotations

from pathlib import Path

import pytest

from minrepro.ui.web.debugger import Debugger
from minrepro.web.serving import served
from tests.ui.web.test_debugger import wait_for
from tests.web.conftest import SHOP
from tests.web.display import display, needs_display, tool, until_there

__all__ = ["display"]

pytestmark = needs_display


def test_a_session_is_recorded_from_the_page_and_opened_when_it_is_stopped(
    display: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DISPLAY", display["DISPLAY"])
    with served(SHOP) as origin:
        debugger = Debugger(tmp_path)
        with debugger.news.listening() as mine:
            debugger.record(f"{origin}/")
            wait_for(mine, "recording")
            tool(display, "windowfocus", "--sync", until_there(display, "A small shop"))
            for key, name in (("Tab", "Tab"), ("Return", "Enter")):
                tool(display, "key", key)
                assert wait_for(mine, "recorded")["text"] == f"press {name}"
            debugger.stop()
            wait_for(mine, "opened")
        view = debugger.view()
        assert [event["text"] for event in view["events"]] == ["press Tab", "press Enter"]
        assert view["url"] == f"{origin}/"
        debugger.close()
