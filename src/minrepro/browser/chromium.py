"""Chromium driven by Playwright, in a thread with an event loop of its own. The only file that imports Playwright."""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
import os
import shutil
import threading
from collections.abc import Coroutine, Iterable
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlsplit

from minrepro.browser.package_files import page_script
from minrepro.errors import InputError, MissingExtra

try:
    from playwright.async_api import (
        Browser,
        BrowserContext,
        CDPSession,
        ConsoleMessage,
        Dialog,
        FilePayload,
        Frame,
        Page,
        Playwright,
        Request,
        Response,
        WebError,
        async_playwright,
    )
    from playwright.async_api import Error as BrowserError
except ModuleNotFoundError:
    raise MissingExtra("replay in a browser requires Playwright\nhint: pip install 'minrepro[web]'") from None

__all__ = [
    "BrowserContext",
    "BrowserError",
    "CDPSession",
    "Chromium",
    "ConsoleMessage",
    "Dialog",
    "FilePayload",
    "Frame",
    "Page",
    "Request",
    "Response",
    "WebError",
    "find_browser",
    "within",
]

T = TypeVar("T")

_NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
_FLAGS = (
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
_LOCAL = ("127.0.0.1", "localhost", "[::1]")


def find_browser(given: str | None = None, *, headed: bool = False) -> str:
    """Return the path of a Chromium, the one that was named or the first that is installed."""
    if given is not None:
        found = shutil.which(given)
        if found is None:
            raise InputError(f"no browser {given!r}\nhint: --browser takes the path of Chromium or Chrome")
        return found
    for name in _NAMES[1:] if headed else _NAMES:
        if (found := shutil.which(name)) is not None:
            return found
    raise MissingExtra("Chromium is not installed\nhint: apt install chromium (Debian, Ubuntu)")


class Chromium:
    """A browser process; coroutines that use it run in its thread by `run`."""

    def __init__(
        self, path: str | None = None, *, hosts: Iterable[str] | None = None, headed: bool = False, slow: float = 0
    ) -> None:
        """Pages can reach this machine and the given hosts; with None as hosts, everything."""
        self._path = find_browser(path, headed=headed)
        self._headed = headed
        self._slow = slow
        self._flags = [*_FLAGS]
        if os.geteuid() == 0:
            self._flags.append("--no-sandbox")
        if hosts is not None:
            excluded = ", ".join(f"EXCLUDE {host}" for host in dict.fromkeys((*_LOCAL, *hosts)))
            self._flags.append(f"--host-resolver-rules=MAP * ~NOTFOUND, {excluded}")
        self._playwright: Playwright | None = None
        self._started: asyncio.Task[Browser] | None = None
        self._worked = False
        self._closing = False
        self._loop = asyncio.new_event_loop()
        self._loop.set_exception_handler(_tell_unheard)
        self._thread = threading.Thread(target=self._loop.run_forever, name="minrepro browser", daemon=True)
        self._thread.start()

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Run a coroutine in the browser's thread and return its result."""
        return self.begin(work).result()

    def begin(self, work: Coroutine[Any, Any, T]) -> concurrent.futures.Future[T]:
        """Begin a coroutine in the browser's thread."""
        return asyncio.run_coroutine_threadsafe(work, self._loop)

    async def context(self, **options: Any) -> BrowserContext:
        """Return a fresh context; a browser that is not there, or has died, is started."""
        if self._closing:
            raise BrowserError("the browser is being closed")
        if self._is_gone():  # two that find it dead wait for the same start
            self._started = asyncio.ensure_future(self._launched())
            self._started.add_done_callback(_heard)
        started = self._started
        assert started is not None
        browser = await asyncio.shield(started)  # who gives up waiting must not leave half a browser behind
        try:
            context = await browser.new_context(**options)
        except BrowserError:
            if self._started is started:  # where the driver died nobody has told that it is gone
                self._started = None
            raise
        await context.add_init_script(page_script())
        return context

    async def restart(self) -> None:
        """End the browser process; the next context starts another."""
        started = self._started
        if started is not None:
            with contextlib.suppress(Exception):  # it could not be started, which others were told
                browser = await asyncio.shield(started)
                if self._started is started:
                    self._started = None
                await _quietly(browser.close())

    def _is_gone(self) -> bool:
        started = self._started
        if started is None or not started.done():
            return started is None
        return started.cancelled() or started.exception() is not None or not started.result().is_connected()

    def close(self) -> None:
        """End the browser and its thread."""
        if self._loop.is_running():
            self.run(self._close())
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join()
            self._loop.close()

    def __enter__(self) -> Chromium:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()

    async def _launched(self) -> Browser:
        """Return a new browser; where one could be started before, its driver may have died too and is renewed."""
        if self._worked:
            with contextlib.suppress(Exception):  # a driver that died is told of in many ways
                return await self._launch()
            await self._end_driver()
        try:
            browser = await self._launch()
        except BrowserError as error:
            reason = next((line for line in error.message.splitlines() if line.strip()), "")
            raise InputError(f"cannot start {self._path}: {reason.removeprefix('BrowserType.launch: ')}") from None
        self._worked = True
        return browser

    async def _launch(self) -> Browser:
        if self._playwright is None:
            self._playwright = await async_playwright().start()
        return await self._playwright.chromium.launch(
            executable_path=self._path, headless=not self._headed, args=self._flags, slow_mo=self._slow
        )

    async def _close(self) -> None:
        self._closing = True  # a start that is cancelled half-way never ends, and keeps its pipes
        await self.restart()
        await self._end_driver()
        left = asyncio.all_tasks() - {asyncio.current_task()}
        for task in left:
            task.cancel()
        if left:
            await asyncio.wait(left, timeout=5)

    async def _end_driver(self) -> None:
        if self._playwright is not None:
            playwright, self._playwright = self._playwright, None
            await _quietly(playwright.stop())


def _tell_unheard(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Tell of an error that nobody waited for, unless it is the end of a driver, of which all who wait are told."""
    if "reading from the driver" not in str(context.get("exception")):
        loop.default_exception_handler(context)


async def within(seconds: float, work: Coroutine[Any, Any, T]) -> T:
    """Return the result of some work, or raise `TimeoutError` when the time is over, whether or not the work ends."""
    task = asyncio.ensure_future(work)
    done, _ = await asyncio.wait({task}, timeout=seconds)
    if not done:
        # Not awaited: what waits for a page that hangs does not heed being cancelled.
        task.add_done_callback(_heard)
        task.cancel()
        raise TimeoutError
    return task.result()


def _heard(ended: asyncio.Future[Any]) -> None:
    """Take note of how something ended that perhaps nobody waits for any more."""
    if not ended.cancelled():
        ended.exception()


async def _quietly(work: Coroutine[Any, Any, None]) -> None:
    """Let something end that may be beyond ending."""
    with contextlib.suppress(BrowserError, TimeoutError):
        await within(20, work)


def host_of(url: str) -> str:
    """Return the host that an address is on; empty for a file."""
    return urlsplit(url).hostname or ""


def has_display() -> bool:
    """Tell whether a window can be opened."""
    return any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY")) or Path("/mnt/wslg").exists()
