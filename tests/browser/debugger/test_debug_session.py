"""The debugger behind the page: stopped with the best so far, and resumed by another process in the same workspace."""

from __future__ import annotations

import json
import queue
import shutil
from pathlib import Path
from typing import Any

import pytest

from minrepro.browser.debugger.broadcast import Item
from minrepro.browser.debugger.debug_session import Debugger
from minrepro.browser.recording import of_steps
from minrepro.browser.static_server import served
from minrepro.errors import InputError, UsageError
from tests.browser.conftest import SHOP
from tests.browser.shop_session import add, click, session

pytestmark = pytest.mark.browser

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


def pause_after(debugger: Debugger, kind: str, times: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have a debugger pause as soon as it has told so many news of a kind, before it does anything else."""
    tell, told = debugger.news.tell, []

    def heard(name: str, **more: Any) -> None:
        tell(name, **more)
        if name == kind:
            told.append(name)
            if len(told) == times:
                debugger.pause(True)

    monkeypatch.setattr(debugger.news, "tell", heard)


def test_a_reduction_is_stopped_with_the_best_so_far_and_resumed_after_a_crash(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with served(SHOP) as origin:
        debugger = Debugger(tmp_path)
        with debugger.news.listening() as mine:
            debugger.open(session(f"{origin}/").text())
            with pytest.raises(UsageError, match="replay the recording first"):
                debugger.reduce("x")
            failure = observed(debugger, mine)
            pause_after(debugger, "accepted", 2, monkeypatch)
            debugger.reduce(failure)
            wait_for(mine, "paused")
            assert debugger.view()["paused"]
            debugger.stop()
            wait_for(mine, "ended")
        stopped = debugger.view()["result"]
        assert stopped["why"] == "stopped"
        assert 2 <= len(stopped["trace"]) < 44
        debugger.close()

        (tmp_path / "session-1" / "result.json").unlink()  # a crash leaves none
        again = Debugger(tmp_path)
        with again.news.listening() as mine:
            assert again.view()["resumable"]
            again.resume()
            wait_for(mine, "ended")
        result = again.view()["result"]
        assert result["restored"] > 0
        assert [event["text"] for event in result["trace"]] == ["click #open", "click #empty"]
        assert not again.view()["resumable"]
        again.close()


def test_what_is_settled_about_a_session_is_there_again_after_a_crash(tmp_path: Path) -> None:
    recording = session("http://127.0.0.1:9/")
    first = Debugger(tmp_path)
    first.open(recording.text())
    first.mark([3], "pin")
    first.mark([5], "drop")
    first.mark([6], "drop")
    first.mark([6], "")
    first.close()
    again = Debugger(tmp_path)
    assert (again.choices.pinned, again.choices.dropped) == ([3], [5])
    again.mark([3], "drop")
    assert (again.choices.pinned, again.choices.dropped) == ([], [5, 3])
    with pytest.raises(UsageError, match="unknown event"):
        again.mark([500], "pin")
    again.open(recording.text())
    assert again.choices.dropped == []
    again.close()


def test_pinned_events_stay_dropped_ones_go_first_and_a_part_of_the_signature_will_do(tmp_path: Path) -> None:
    steps = [*session("http://x/").opening, click("#empty"), click("#search"), click("#open"), click("#open")]
    steps += [click("#search"), click("#empty")]
    with served(SHOP) as origin:
        debugger = Debugger(tmp_path)
        with debugger.news.listening() as mine:
            debugger.open(of_steps(steps, {}, "r").at(origin).text())
            debugger.mark([1], "pin")
            debugger.mark([2], "drop")
            failure = observed(debugger, mine)
            with pytest.raises(UsageError, match="not seen"):
                debugger.reduce(failure, "something else")
            debugger.reduce(failure, "reading 'length'")
            wait_for(mine, "ended")
        result = debugger.view()["result"]
        assert [event["number"] for event in result["trace"]] == [2, 4, 6]
        assert result["reasons"][1]["text"] == "pinned"
        assert result["reasons"][2]["text"] == "excluded by you"
        assert result["failure"] == "reading 'length'"
        debugger.close()


def test_rules_are_ticked_off_one_by_one(tmp_path: Path) -> None:
    debugger = Debugger(tmp_path)
    debugger.open(session("http://127.0.0.1:9/").text())
    lines = [{"state": {"n": 0}}] + [{"event": "click #empty", "state": {"n": 0}}] * 6
    debugger.add_log("".join(json.dumps(line) + "\n" for line in lines))
    all_of_them = debugger.rules(0.9, [])
    assert all_of_them["after"] < all_of_them["before"] == 44
    names = [rule["rule"] for rule in all_of_them["rules"]]
    none = debugger.rules(0.9, names)
    assert none["after"] == none["before"]
    assert not any(rule["used"] for rule in none["rules"])
    debugger.close()


def test_a_predicate_is_observed_and_each_step_can_be_looked_at(tmp_path: Path) -> None:
    steps = [*session("http://x/").opening, click("#search"), click("#open"), add(1), add(2), click("#search")]
    with served(SHOP) as origin:
        debugger = Debugger(tmp_path)
        with debugger.news.listening() as mine:
            debugger.open(of_steps(steps, {}, "r").at(origin).text())
            debugger.observe("shop.cart.length > 1", times=2)
            wait_for(mine, "ended")
            seen = debugger.view()["observed"]["failures"][0]
            assert seen["signature"] == "predicate: shop.cart.length > 1"
            assert (seen["number"], seen["shown"]) == (4, 2)
            assert debugger.step("original", 2)["errors"] == []
            fourth = debugger.step("original", 4)
            assert fourth["replayed"] and fourth["before"] and fourth["after"] and len(fourth["boxes"]) == 1
            assert debugger.picture("original", 4, "before") != debugger.picture("original", 4, "after")
            assert any(line["mark"] == "+" for line in debugger.dom("original", 4)["changes"])
            assert debugger.step("original", 0)["network"][0]["status"] == "200"
            assert not debugger.step("original", 99)["replayed"]
        debugger.close()


def test_recording_without_a_display_or_at_another_kind_of_address_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    debugger = Debugger(tmp_path)
    with pytest.raises(InputError, match="no display"):
        debugger.record("http://127.0.0.1:9/")
    with pytest.raises(InputError, match="only http:// and https://"):
        debugger.record("file:///etc/passwd")
    debugger.close()


def test_sessions_are_kept_beside_each_other_and_one_can_be_removed(tmp_path: Path) -> None:
    debugger = Debugger(tmp_path)
    debugger.open(of_steps([*session("http://127.0.0.1:9/").opening, click("#a")], {"title": "one"}, "r").text())
    debugger.open(of_steps([*session("http://127.0.0.1:9/").opening, click("#b")], {"title": "two"}, "r").text())
    assert [(one["id"], one["title"]) for one in debugger.view()["sessions"]] == [(2, "two"), (1, "one")]
    debugger.choose(1)
    assert debugger.view()["title"] == "one"
    debugger.close()
    again = Debugger(tmp_path)
    assert again.view()["title"] == "one"
    again.discard(1)
    assert again.view()["title"] == "two"
    with pytest.raises(UsageError, match="no such session"):
        again.choose(1)
    again.close()


def test_events_are_changed_added_moved_and_removed_and_marks_go_with_them(tmp_path: Path) -> None:
    debugger = Debugger(tmp_path)
    debugger.open(of_steps([*session("http://127.0.0.1:9/").opening, click("#a"), click("#b")], {}, "r").text())
    debugger.mark([1], "pin")
    debugger.edit({"do": "add", "number": 0, "steps": [{"type": "hover", "selectors": ["#menu"]}]})
    debugger.edit({"do": "change", "number": 1, "steps": [click("#c")]})
    debugger.edit({"do": "move", "number": 2, "to": 0})
    texts = [event["text"] for event in debugger.events()["events"]]
    assert texts == ["click #b", "move the mouse to #menu", "click #c"]
    assert debugger.choices.pinned == [0]
    debugger.edit({"do": "remove", "number": 1})
    assert [event["text"] for event in debugger.events()["events"]] == ["click #b", "click #c"]
    for wrong in (
        {"do": "remove", "number": 7},
        {"do": "fly", "number": 0},
        {"do": "change", "number": 0, "steps": [{"type": "navigate", "url": "file:///etc/passwd"}]},
        {"do": "change", "number": 0, "steps": [{"type": "hover", "selectors": [""]}]},
        {"do": "change", "number": 0, "steps": []},
    ):
        with pytest.raises((UsageError, InputError)):
            debugger.edit(wrong)
    debugger.close()


def test_algorithms_are_compared_and_the_test_is_run_before_it_is_handed_over(tmp_path: Path) -> None:
    steps = [*session("http://x/").opening, click("#search"), click("#open"), click("#search"), click("#empty")]
    fixed = tmp_path / "fixed"
    shutil.copytree(SHOP, fixed)
    program = (fixed / "shop.js").read_text(encoding="utf-8").replace("shop.cart[0].length", "shop.cart.length")
    (fixed / "shop.js").write_text(program, encoding="utf-8")
    with served(SHOP) as origin, served(fixed) as green:
        debugger = Debugger(tmp_path / "workspace")
        with debugger.news.listening() as mine:
            debugger.open(of_steps(steps, {}, "r").text())
            debugger.settle(origin, 500, 0)
            failure = observed(debugger, mine)
            debugger.compare(failure)
            wait_for(mine, "ended")
            runs = debugger.view()["runs"]
            assert [(run["algorithm"], run["left"]) for run in runs] == [("ddmin", 2), ("rddmin", 2), ("default", 2)]
            assert all(run["replays"] > 0 and run["events"] > 0 for run in runs)
            debugger.reduce(failure)
            wait_for(mine, "ended")
            assert debugger.step("result", debugger.view()["result"]["trace"][-1]["number"])["errors"]
            with pytest.raises(InputError, match="only http"):
                debugger.run_test("pytest", "file:///tmp")
            debugger.run_test("pytest", green)
            wait_for(mine, "ended")
        told = debugger.view()["exported"]["told"]
        assert told[0].startswith("the pytest test fails with the bug") and told[1].startswith("the pytest test passes")
        assert debugger.export("pytest") == debugger.view()["exported"]["text"]
        debugger.close()
