"""Recordings, pages and other sites that mean harm, tried in a real browser against the debugger and its pages."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from minrepro.browser.chromium import BrowserError, Chromium, Page
from minrepro.browser.debugger.debug_server import DebugServer
from minrepro.browser.debugger.debug_session import Debugger
from minrepro.browser.static_server import served

pytestmark = pytest.mark.browser

NASTY = "<img src=x onerror='window.broken=1'><script>window.broken=1</script>"
PATIENCE = 240_000
"""Milliseconds after which something that should have happened is given up."""


@dataclass
class Running:
    """A debugger that is being served."""

    url: str
    debugger: Debugger

    @property
    def origin(self) -> str:
        """Its address without the token."""
        return self.url.partition("/?")[0]

    @property
    def token(self) -> str:
        """The token of its run."""
        return parse_qs(urlsplit(self.url).query)["token"][0]


@pytest.fixture
def running(tmp_path: Path) -> Iterator[Running]:
    debugger = Debugger(tmp_path / "workspace")
    site = DebugServer(debugger)
    thread = threading.Thread(target=site.run, daemon=True)
    thread.start()
    yield Running(site.url, debugger)
    site.stop()
    debugger.close()
    thread.join()


async def seen_in_page(chromium: Chromium, running: Running, recording: Path, log: Path) -> dict[str, object]:
    """Show a nasty recording and what comes of it in the debugger; return what a script there could have done."""
    context = await chromium.context()
    page = await context.new_page()
    page.set_default_timeout(PATIENCE)
    await page.goto(running.url)
    await page.set_input_files("#file", recording)
    await page.locator("#events > li").first.wait_for()
    await page.click("#tab-rules")
    await page.set_input_files("#logs", log)
    await page.locator("#preview:not(:empty)").wait_for()
    await page.click("#observe")
    await page.locator("#reduce:enabled").wait_for()
    failures = await page.inner_text("#failure")
    await page.click("#reduce")
    await page.locator("#result:not([hidden])").wait_for()
    await page.click("#tab-export")
    await page.click("#export")
    await page.locator("#exported:not([hidden])").wait_for()
    found = {
        "broken": await page.evaluate("window.broken"),
        "injected": await page.locator("img[src=x], body script").count(),
        "about": await page.inner_text("#about"),
        "events": await page.inner_text("#events"),
        "kept": await page.locator("#kept").text_content(),
        "failures": failures,
    }
    await context.close()
    return found


def test_what_recordings_pages_and_logs_say_is_shown_as_text_everywhere(running: Running, tmp_path: Path) -> None:
    folder = tmp_path / "site"
    folder.mkdir()
    thrown = json.dumps(NASTY).replace("/", "\\/")
    (folder / "index.html").write_text(
        f"<!doctype html><link rel=icon href=data:,><input><button>b</button><script>"
        f"document.querySelector('button').onclick = () => {{ throw Error({thrown}) }}</script>"
    )
    recording, log = tmp_path / "recording.json", tmp_path / "log.jsonl"
    event = f"click {NASTY}"
    lines = [{"state": {"n": 0}}, *[{"event": event, "state": {"n": 0}}] * 6]
    log.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    with served(folder) as origin, Chromium(hosts=[]) as chromium:
        steps = [
            {"type": "navigate", "url": f"{origin}/index.html?{NASTY}"},
            {"type": "change", "selectors": ["input", f"aria/{NASTY}"], "value": NASTY},
            {"type": "customStep", "name": NASTY},
            {"type": "click", "selectors": ["button", f"text/{NASTY}"], "anywhere": True},
        ]
        recording.write_text(json.dumps({"title": NASTY, "steps": steps}), encoding="utf-8")
        found = chromium.run(seen_in_page(chromium, running, recording, log))
    assert (found["broken"], found["injected"]) == (None, 0)
    for place in ("about", "events", "failures"):
        assert "<img src=x" in str(found[place])
    assert "button" in str(found["kept"])


async def attacked(page: Page, running: Running, evil: str) -> list[object]:
    """Try from another site all that a page can send, with the token known; return what came back."""
    await page.goto(evil)
    return list(
        await page.evaluate(
            """async ([origin, token]) => {
              const tried = [];
              const sent = (path, options) =>
                fetch(origin + path, options).then((answer) => answer.text(), () => 'none');
              tried.push(await sent('/api/view?token=' + token));
              tried.push(await sent('/api/view?token=' + token, { mode: 'no-cors' }));
              const headers = { 'X-Minrepro-Token': token };
              tried.push(await sent('/api/open', { method: 'POST', body: '{}', headers }));
              tried.push(await sent('/api/open', { method: 'POST', mode: 'no-cors', body: '{}' }));
              const framed = document.createElement('iframe');
              framed.src = origin + '/?token=' + token;
              document.body.append(framed);
              await new Promise((done) => { framed.onload = framed.onerror = done; });
              tried.push(framed.contentDocument ? 'readable' : 'none');
              const scripted = document.createElement('script');
              scripted.src = origin + '/api/export?to=text&token=' + token;
              document.body.append(scripted);
              tried.push(await new Promise((done) => {
                scripted.onload = () => done('loaded'); scripted.onerror = () => done('none');
              }));
              return tried;
            }""",
            [running.origin, running.token],
        )
    )


def test_another_site_gets_nothing_out_of_a_debugger_even_with_its_token(running: Running, tmp_path: Path) -> None:
    steps = [{"type": "navigate", "url": "http://127.0.0.1:9/"}, {"type": "click", "selectors": ["#secret"]}]
    running.debugger.open(json.dumps({"title": "mine", "steps": steps}))
    (tmp_path / "evil").mkdir()
    (tmp_path / "evil" / "index.html").write_text("<!doctype html><link rel=icon href=data:,>evil")

    async def attack(chromium: Chromium, address: str) -> tuple[list[object], bool]:
        context = await chromium.context()
        page = await context.new_page()
        tried = await attacked(page, running, address)
        await page.evaluate(
            """(target) => {
              const form = document.createElement('form');
              [form.method, form.action, form.enctype] = ['POST', target, 'text/plain'];
              document.body.append(form);
              form.submit();
            }""",
            f"{running.origin}/api/stop?token={running.token}",
        )
        await page.wait_for_url(f"{running.origin}/**", timeout=PATIENCE)
        refused = "rejected" in await page.inner_text("body")
        await context.close()
        return tried, refused

    with served(tmp_path / "evil") as origin, Chromium(hosts=[]) as chromium:
        tried, refused = chromium.run(attack(chromium, f"{origin.replace('127.0.0.1', 'localhost')}/index.html"))
    assert tried == ["none"] * 6
    assert refused
    recording = running.debugger.recording
    assert recording is not None and recording.head["title"] == "mine"


@dataclass
class Elsewhere:
    """A server at another address of this machine, which stands for the rest of the world."""

    origin: str
    asked: list[str] = field(default_factory=list)


@pytest.fixture
def elsewhere() -> Iterator[Elsewhere]:
    class Listening(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            place.asked.append(self.path)
            self.send_response(200)
            self.send_header("Access-Control-Allow-Origin", "*")
            self.end_headers()

        do_POST = do_GET

        def log_message(self, format: str, *args: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.2", 0), Listening)
    place = Elsewhere(f"http://127.0.0.2:{server.server_port}")
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    yield place
    server.shutdown()
    server.server_close()
    thread.join()


CALLS_OUT = """async (there) => {
  const image = new Image();
  const ended = new Promise((done) => { image.onload = image.onerror = done; });
  image.src = there + '/image';
  navigator.sendBeacon(there + '/beacon', 'x');
  await fetch(there + '/fetch').catch(() => 0);
  await fetch(there + '/silent', { mode: 'no-cors' }).catch(() => 0);
  await ended;
  const line = new WebSocket(there.replace('http', 'ws') + '/socket');
  await new Promise((done) => { line.onerror = done; });
  const frame = document.createElement('iframe');
  const loaded = new Promise((done) => { frame.onload = frame.onerror = done; });
  frame.src = there + '/frame';
  document.body.append(frame);
  await loaded;
}"""


@pytest.mark.parametrize("allowed", [False, True])
def test_pages_call_out_only_where_that_is_allowed(elsewhere: Elsewhere, tmp_path: Path, allowed: bool) -> None:
    (tmp_path / "index.html").write_text("<!doctype html><link rel=icon href=data:,>here")

    async def visit(chromium: Chromium, address: str) -> None:
        context = await chromium.context()
        page = await context.new_page()
        await page.goto(address)
        await page.evaluate(CALLS_OUT, elsewhere.origin)
        try:
            await page.goto(f"{elsewhere.origin}/page")
        except BrowserError as error:
            assert "ERR_NAME_NOT_RESOLVED" in error.message
        await context.close()

    with served(tmp_path) as origin, Chromium(hosts=None if allowed else []) as chromium:
        chromium.run(visit(chromium, f"{origin}/index.html"))
    expected = {"/image", "/beacon", "/fetch", "/silent", "/socket", "/frame", "/page"} if allowed else set()
    assert set(elsewhere.asked) - {"/favicon.ico"} == expected
