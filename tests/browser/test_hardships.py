"""Pages that are hard to replay: they crash, open windows, keep workers, never rest, ask before they go, go away."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from minrepro.browser.chromium import Chromium
from minrepro.browser.recorder_schema import RecorderStep
from minrepro.browser.recording import of_steps
from minrepro.browser.session_reduction import reduce_session
from minrepro.browser.session_replay import Replayer
from minrepro.browser.static_server import served
from minrepro.cli.main import main
from minrepro.core.verdicts import Outcome
from minrepro.errors import InputError, NotFailing
from tests.browser.pages import Open, click, observed, page

__all__ = ["page"]


def test_a_page_that_crashes_is_a_failure_and_is_reduced_to_what_crashes_it(chromium: Chromium, page: Open) -> None:
    crash: RecorderStep = {"type": "navigate", "url": "chrome://crash"}
    recording = page("<i>i</i>", click("i"), click("i"), crash, click("i"))
    replayer = Replayer(chromium, recording)
    assert replayer.choose().signature == "crash: the page crashed"
    found = reduce_session(replayer, jobs=1)
    assert [event.name for event in found.result.trace] == ["navigate"]
    assert replayer.judge(recording.trace[:2]).outcome is Outcome.PASS
    replayer.close()


def test_what_happens_in_a_window_that_the_page_opens_counts_and_each_replay_is_fresh(
    chromium: Chromium, page: Open
) -> None:
    opener = "<i>i</i><button onclick=\"window.open('other.html')\">b</button>"
    other = "<!doctype html><link rel=icon href=data:,><b onclick='null.x'>b</b>"
    bare = page(opener, click("i"))
    there = bare.url.replace("index.html", "other.html")
    recording = page(opener, click("i"), click("button"), click("i"), click("b", target=there), other_html=other)
    replayer = Replayer(chromium, recording)
    assert replayer.choose().kind == "error"
    assert replayer.always_fresh
    found = reduce_session(replayer, jobs=1)
    assert [event.name for event in found.result.trace] == ["click button", "click b"]
    replayer.close()


def test_a_page_with_a_service_worker_gets_a_fresh_context_each_time(chromium: Chromium, page: Open) -> None:
    html = """<i>i</i><button onclick="throw Error('ready')">b</button>
      <script>navigator.serviceWorker.register('sw.js');
      navigator.serviceWorker.ready.then(() => { window.isReady = true })</script>"""
    worker = "self.addEventListener('install', () => self.skipWaiting());"
    ready: RecorderStep = {"type": "waitForExpression", "expression": "window.isReady"}
    recording = page(html, ready, click("button"), sw_js=worker)
    replayer = Replayer(chromium, recording)
    assert replayer.choose().text == "Error: ready"
    assert replayer.always_fresh
    assert replayer.judge(recording.trace).outcome is Outcome.FAIL
    replayer.close()


def test_pages_of_several_origins_get_a_fresh_context_each_time(chromium: Chromium, page: Open, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "index.html").write_text("<!doctype html><link rel=icon href=data:,><b onclick='null.x'>b</b>")
    with served(elsewhere) as origin:
        recording = page(f"<a href='{origin}/'>a</a>", click("a"), click("b"))
        replayer = Replayer(chromium, recording)
        assert replayer.choose().kind == "error"
        assert replayer.always_fresh
        replayer.close()


@pytest.mark.parametrize(
    "restless",
    [
        "setInterval(() => { document.title = Math.random() }, 1)",
        "const again = () => setTimeout(again, 0); again()",
        "const spin = () => requestAnimationFrame(spin); spin()",
        "setInterval(() => fetch('index.html'), 30)",
        "new EventSource('index.html')",
    ],
)
def test_a_page_that_never_rests_is_replayed_all_the_same(chromium: Chromium, page: Open, restless: str) -> None:
    html = f"<i>i</i><button onclick='null.x'>b</button><script>{restless}</script>"
    replayer = Replayer(chromium, page(html, click("i"), click("button")))
    replayer.choose()
    found = reduce_session(replayer, jobs=1)
    assert [event.name for event in found.result.trace] == ["click button"]
    replayer.close()


def test_a_page_that_asks_before_it_goes_is_reset_all_the_same(chromium: Chromium, page: Open) -> None:
    html = """<i>i</i><button onclick='null.x'>b</button>
      <script>addEventListener('beforeunload', (event) => event.preventDefault())</script>"""
    replayer = Replayer(chromium, page(html, click("i"), click("button")))
    replayer.choose()
    for _ in range(3):
        assert replayer.judge(replayer.recording.trace).outcome is Outcome.FAIL
    found = reduce_session(replayer, jobs=1)
    assert [event.name for event in found.result.trace] == ["click button"]
    assert not found.finds
    replayer.close()


def test_a_page_that_goes_away_by_itself_is_followed(chromium: Chromium, page: Open) -> None:
    html = """<i>i</i><button onclick="setTimeout(() => { location = 'next.html' }, 5)">b</button>"""
    after = "<!doctype html><link rel=icon href=data:,><b onclick='null.x'>b</b>"
    recording = page(html, click("i"), click("button"), click("b"), next_html=after)
    replayer = Replayer(chromium, recording)
    replayer.choose()
    found = reduce_session(replayer, jobs=1)
    assert [event.name for event in found.result.trace] == ["click button", "click b"]
    replayer.close()


def test_a_page_that_closes_itself_leaves_the_rest_impossible(chromium: Chromium, page: Open) -> None:
    seen = observed(chromium, page("<i>i</i>", click("i"), {"type": "close"}, click("i")))
    assert (seen.fired, seen.impossible) == (3, "the page is closed")


def test_a_selector_that_never_appears_is_named(chromium: Chromium, page: Open) -> None:
    recording = page("<i>i</i>", click("i"), click("#never"))
    replayer = Replayer(chromium, of_steps(recording.steps(), {"timeout": 500}, "r"))
    with pytest.raises(NotFailing, match="event 2 of 2: no element #never"):
        replayer.choose()
    replayer.close()


def test_an_element_that_comes_late_is_waited_for(chromium: Chromium, page: Open) -> None:
    html = """<i>i</i><script>setTimeout(() => { document.body.insertAdjacentHTML('beforeend',
      "<button onclick='null.x'>b</button>") }, 900)</script>"""
    replayer = Replayer(chromium, page(html, click("i"), click("button")))
    assert replayer.choose().kind == "error"
    assert replayer.judge(replayer.recording.trace).outcome is Outcome.FAIL
    replayer.close()


@pytest.mark.parametrize(
    ("steps", "said"),
    [
        ([{"type": "teleport"}], "unknown type 'teleport'"),
        ([{"type": "navigate", "url": "http://127.0.0.1:9/"}, {"type": "click"}], "(click) lacks 'selectors'"),
        ([{"type": "navigate", "url": "http://127.0.0.1:9/"}, "click"], 'step 2 is not a JSON object with a "type"'),
        ([{"type": "click", "selectors": ["a"]}], "must start with a navigate step"),
        ([{"type": "navigate", "url": "http://127.0.0.1:9/"}], "has no events"),
        pytest.param(
            [{"type": "navigate", "url": "http://127.0.0.1:9/"}, click("a")],
            "is its server running?",
            marks=pytest.mark.browser,
        ),
    ],
)
def test_recordings_that_cannot_be_replayed_are_explained_on_the_command_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], steps: list[object], said: str
) -> None:
    path = tmp_path / "recording.json"
    path.write_text(json.dumps({"steps": steps}), encoding="utf-8")
    assert main(["web", "reduce", str(path)]) == 2
    told = capsys.readouterr().err
    assert said in told and "Traceback" not in told


def test_an_address_that_does_not_answer_is_named(chromium: Chromium) -> None:
    nowhere = of_steps([{"type": "navigate", "url": "http://nowhere.invalid/"}, click("b")], {}, "nowhere")
    with pytest.raises(InputError, match="cannot open"):
        observed(chromium, nowhere)
