"""The debugger behind the page: stopped with the best so far, and resumed by another process in the same workspace."""

from __future__ import annotations

import queue
from pathlib import Path
from typing import Any

import pytest

from minrepro.errors import UsageError
from minrepro.ui.web.debugger import Debugger
from minrepro.ui.web.news import Item
from minrepro.web.serving import served
from tests.web.conftest import SHOP
from tests.web.shop_session import session

PATIENCE = 240.0


def wait_for(mine: queue.Queue[Item | None], kind: str) -> Item:
    """Return the next news of a kind."""
    while (item := mine.get(timeout=PATIENCE)) is not None:
        if item["kind"] == kind:
            return item
        assert item["kind"] != "failed", item
    raise AssertionError(f"the news ended before {kind!r}")


def observed(debugger: Debugger, mine: queue.Queue[Item | None]) -> str:
    debugger.observe()
    wait_for(mine, "ended")
    seen: dict[str, Any] = debugger.view()["observed"]
    return str(seen["failures"][0]["signature"])


def test_a_reduction_is_stopped_with_the_best_so_far_and_resumed_after_a_crash(tmp_path: Path) -> None:
    with served(SHOP) as origin:
        debugger = Debugger(tmp_path)
        with debugger.news.listening() as mine:
            debugger.open(session(f"{origin}/").text())
            with pytest.raises(UsageError, match="replay the session once first"):
                debugger.reduce("x")
            failure = observed(debugger, mine)
            debugger.reduce(failure)
            wait_for(mine, "accepted")
            wait_for(mine, "accepted")
            debugger.pause(True)
            assert debugger.view()["paused"]
            debugger.stop()
            wait_for(mine, "ended")
        stopped = debugger.view()["result"]
        assert stopped["why"] == "stopped"
        assert 2 <= len(stopped["trace"]) < 44
        debugger.close()

        again = Debugger(tmp_path)
        with again.news.listening() as mine:
            assert again.view()["resumable"]
            failure = observed(again, mine)
            again.reduce(failure)
            wait_for(mine, "ended")
        result = again.view()["result"]
        assert result["restored"] > 0
        assert [event["text"] for event in result["trace"]] == ["click #open", "click #empty"]
        assert not again.view()["resumable"]
        again.close()
