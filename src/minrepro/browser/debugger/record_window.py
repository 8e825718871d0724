"""Records a session in a window that the page asked for."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable
from urllib.parse import urlsplit

from minrepro.browser.chromium import BrowserError, Chromium, Page, has_display, host_of
from minrepro.browser.debugger.broadcast import Broadcast
from minrepro.browser.live_recorder import Recorder
from minrepro.browser.recorder_schema import RecorderStep
from minrepro.browser.recording import Recording
from minrepro.browser.step_descriptions import described_step
from minrepro.errors import InputError


def checked_address(url: str) -> str:
    """Return an address that a window may be opened at from a page, or say why not."""
    parts = urlsplit(url.strip())
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise InputError("only http:// and https:// pages can be opened here")
    if not has_display():
        raise InputError(
            "no display to open a window on (DISPLAY is not set)\n"
            "hint: record on another machine with Chrome's Recorder or `minrepro web record`, and drop the file here"
        )
    return url.strip()


class LiveRecording:
    """A window in which the user acts until it is closed, or the recording is stopped."""

    def __init__(self, url: str, news: Broadcast) -> None:
        self._url = url
        self._news = news
        self._stopped = threading.Event()
        self._open: tuple[Chromium, Page] | None = None
        self._recorder = Recorder(url, tell=self._heard)

    def run(self, browser: str | None, allow_network: bool, done: Callable[[Recording], None]) -> None:
        """Record, and hand over what was recorded."""
        hosts = None if allow_network else [host_of(self._url)]
        with Chromium(browser, hosts=hosts, headed=True) as chromium:
            page = chromium.run(self._recorder.open(chromium))
            self._open = chromium, page
            self._news.tell("recording")
            if not self._stopped.is_set():
                with contextlib.suppress(BrowserError):  # then the whole browser was closed
                    chromium.run(page.wait_for_event("close", timeout=0))
            self._open = None
        done(self._recorder.recording(f"recorded at {self._url}"))

    def stop(self) -> None:
        """Close the window."""
        self._stopped.set()
        if self._open is not None:
            chromium, page = self._open
            chromium.begin(page.close())

    def _heard(self, step: RecorderStep) -> None:
        if step["type"] != "keyUp":
            self._news.tell("recorded", text=described_step(step), failures=len(self._recorder.failures))
