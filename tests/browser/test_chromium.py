"""A browser, its driver or a page's server that dies meanwhile: a reduction goes on, or ends with its best so far."""

from __future__ import annotations

import contextlib
import functools
import gc
import os
import signal
from collections.abc import Callable, Iterator
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from minrepro.browser import session_replay
from minrepro.browser.chromium import BrowserError, Chromium, within
from minrepro.browser.recording import Recording, of_steps
from minrepro.browser.session_reduction import reduce_session
from minrepro.browser.session_replay import Replayer
from minrepro.core.events import Accepted, RunEvent, Tested
from minrepro.errors import ExecutorLost, InputError
from tests.browser.pages import Open, click, observed, page

pytestmark = pytest.mark.browser

__all__ = ["page"]

HTML = "<i>i</i><b>b</b><button onclick='null.x'>b</button>"
STEPS = (*(click("i"), click("b")) * 4, click("button"))


def after_tests(*numbers: int, do: Callable[[], None]) -> Callable[[RunEvent], None]:
    """Return a listener that does something after these tests."""
    count = 0

    def hear(notice: RunEvent) -> None:
        nonlocal count
        if isinstance(notice, Tested) and not notice.remembered:
            count += 1
            if count in numbers:
                do()

    return hear


def end_browser(chromium: Chromium) -> None:
    """Crash the browser, as the system does that runs out of memory."""

    async def crash() -> None:
        context = await chromium.context()
        assert context.browser is not None
        session = await context.browser.new_browser_cdp_session()
        with contextlib.suppress(BrowserError):
            await session.send("Browser.crash")

    chromium.run(crash())


def drivers() -> set[int]:
    """Return the processes through which this one drives its browsers."""
    found = set()
    for path in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            parent = int((path / "stat").read_text().rsplit(")", 1)[1].split()[1])
            if parent == os.getpid() and b"run-driver" in (path / "cmdline").read_bytes():
                found.add(int(path.name))
    return found


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_reduction_goes_on_when_its_browser_dies(page: Open, jobs: int) -> None:
    with Chromium(hosts=[]) as chromium:
        replayer = Replayer(chromium, page(HTML, *STEPS))
        replayer.choose()
        dying = after_tests(1, 3, do=lambda: end_browser(chromium))
        found = reduce_session(replayer, jobs=jobs, notify=dying)
        assert ([event.name for event in found.result.trace], found.result.run.why) == (["click button"], "finished")
        assert not found.finds
        replayer.close()


def test_a_reduction_goes_on_when_the_driver_of_its_browser_dies(page: Open) -> None:
    of_other_tests = drivers()

    def end_driver() -> None:
        for driver in drivers() - of_other_tests:
            os.kill(driver, signal.SIGKILL)

    with Chromium(hosts=[]) as chromium:
        replayer = Replayer(chromium, page(HTML, *STEPS))
        replayer.choose()
        found = reduce_session(replayer, jobs=1, notify=after_tests(2, do=end_driver))
        assert ([event.name for event in found.result.trace], found.result.run.why) == (["click button"], "finished")
        replayer.close()


def test_pages_that_are_being_opened_ahead_when_all_ends_leave_nothing_behind(
    page: Open, caplog: pytest.LogCaptureFixture
) -> None:
    with Chromium(hosts=[]) as chromium:
        replayer = Replayer(chromium, page(HTML, *STEPS))
        replayer.choose()
        replayer.open_ahead(3)
    del chromium, replayer
    gc.collect()
    assert not caplog.records


@pytest.mark.parametrize("seconds", [0.0, 0.05, 0.3])
def test_a_start_that_nobody_waits_for_any_more_leaves_nothing_behind(
    caplog: pytest.LogCaptureFixture, seconds: float
) -> None:
    of_other_tests = drivers()
    with Chromium(hosts=[]) as chromium:
        with contextlib.suppress(TimeoutError):
            chromium.run(within(seconds, chromium.context()))
        if seconds:  # and it can be used as if nobody had given up
            chromium.run(chromium.context())
    del chromium
    gc.collect()
    assert not caplog.records
    assert drivers() == of_other_tests


class Moody(SimpleHTTPRequestHandler):
    """Answers, or hangs up while its server is in a bad mood."""

    bad_for = 0

    def do_GET(self) -> None:
        if Moody.bad_for:
            Moody.bad_for -= 1
            self.close_connection = True
        else:
            super().do_GET()

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@pytest.fixture
def moody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Recording]:
    """A session in a page whose server may hang up."""
    monkeypatch.setattr(session_replay, "PAUSES", (0.0, 0.0, 0.0))
    monkeypatch.setattr(Moody, "bad_for", 0)
    (tmp_path / "index.html").write_text(f"<!doctype html><link rel=icon href=data:,>{HTML}", encoding="utf-8")
    server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Moody, directory=str(tmp_path)))
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    url = f"http://127.0.0.1:{server.server_port}/index.html"
    yield of_steps([{"type": "navigate", "url": url}, *STEPS], {}, "recording")
    server.shutdown()
    server.server_close()
    thread.join()


def hang_up(times: int) -> Callable[[], None]:
    return lambda: setattr(Moody, "bad_for", times)


def test_a_page_that_does_not_load_once_is_opened_again(chromium: Chromium, moody: Recording) -> None:
    replayer = Replayer(chromium, moody)
    replayer.choose()
    found = reduce_session(replayer, jobs=1, notify=after_tests(1, 3, do=hang_up(1)))
    assert ([event.name for event in found.result.trace], found.result.run.why) == (["click button"], "finished")
    replayer.close()


def test_a_page_that_cannot_be_opened_any_more_ends_a_reduction_with_the_last_confirmed_session(
    chromium: Chromium, moody: Recording
) -> None:
    replayer = Replayer(chromium, moody)
    replayer.choose()
    sizes: list[int] = []

    def hear(notice: RunEvent) -> None:
        if isinstance(notice, Accepted):
            sizes.append(notice.size)
            if len(sizes) == 3:
                Moody.bad_for = 1_000_000

    found = reduce_session(replayer, jobs=1, notify=hear)
    assert "cannot open" in found.result.run.why and not found.result.run.finished
    assert sizes[-1] <= len(found.result.trace) <= len(moody.trace)
    assert found.result.trace[-1].name == "click button"
    replayer.close()


def test_a_page_that_could_never_be_opened_is_told_at_once(chromium: Chromium, moody: Recording) -> None:
    Moody.bad_for = 1_000_000
    with pytest.raises(InputError, match=r"net::ERR_EMPTY_RESPONSE\nhint: is its server running\?"):
        observed(chromium, moody)
    assert Moody.bad_for > 1_000_000 - 10


def test_a_browser_that_ends_again_and_again_is_told_of(page: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session_replay, "PAUSES", (0.0, 0.0))
    with Chromium(hosts=[]) as chromium:
        replayer = Replayer(chromium, page(HTML, *STEPS))

        async def after(number: int, *others: object) -> None:
            if number == 2:
                context = await chromium.context()
                assert context.browser is not None
                await context.browser.close()

        with pytest.raises(ExecutorLost, match="keeps exiting"):
            replayer.observe(replayer.recording.trace, after=after)
        replayer.close()


def test_a_page_that_hangs_as_soon_as_it_is_open_has_failed(chromium: Chromium, page: Open) -> None:
    html = "<i>i</i><script>addEventListener('load', () => setTimeout(() => { for (;;) ; }, 10))</script>"
    seen = observed(chromium, page(html, click("i")), hang=5.0)
    assert ([failure.kind for failure in seen.failures], seen.fired) == (["hang"], 0)


@pytest.mark.parametrize("seconds", [0.0, 0.05])
def test_a_start_outlives_whoever_gives_up_ending_it(caplog: pytest.LogCaptureFixture, seconds: float) -> None:
    with Chromium(hosts=[]) as chromium:
        chromium.begin(chromium.context())
        with contextlib.suppress(TimeoutError):
            chromium.run(within(seconds, chromium.restart()))
        chromium.run(chromium.context())
    del chromium
    gc.collect()
    assert not caplog.records


def test_no_browser_is_started_while_all_is_being_closed(caplog: pytest.LogCaptureFixture) -> None:
    async def ask_again_and_again(chromium: Chromium) -> str:
        while True:
            try:
                await chromium.context()
            except BrowserError as error:
                if "being closed" in str(error):
                    return str(error)

    with Chromium(hosts=[]) as chromium:
        chromium.run(chromium.context())
        asked = chromium.begin(ask_again_and_again(chromium))
    assert asked.result() == "the browser is being closed"
    del chromium
    gc.collect()
    assert not caplog.records
