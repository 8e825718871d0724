"""One page that is replayed in again and again: brought back to a fresh start, sent steps, watched for failures.

While a replay goes on in one page, the next one is brought back already. Nothing sleeps for a fixed time. After each
unit the page is left alone until it has no short timer, frame or request under way (`watch.js`); an element that is
missing in a page at rest will not come, so nobody waits for it.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from typing import Any

from minrepro.browser.chromium import (
    BrowserContext,
    BrowserError,
    CDPSession,
    Chromium,
    Page,
    within,
)
from minrepro.browser.page_failures import PageFailure
from minrepro.browser.page_observer import PageObserver
from minrepro.browser.recorder_schema import RecorderStep
from minrepro.browser.session_units import steps_of
from minrepro.browser.step_actions import Actor
from minrepro.browser.waiting import Waits
from minrepro.errors import InputError
from minrepro.traces.app_replay import CannotFire
from minrepro.traces.user_events import Event

RESTLESS = 3
"""A page that did not come to rest so many times in a row never will: from then on it is waited for only shortly."""
SHORT_REST = 0.15
_PREPARED_FOR = 10.0
"""Seconds for which a page that was opened in advance is as good as one that was opened just now."""
_UNKNOWN_HOST = "ERR_NAME_NOT_RESOLVED"
_STARTED_WITHIN = 60.0
"""Seconds in which a browser is started and has a context; one that takes longer is ended."""


class PageGone(Exception):
    """The page was taken away from below, by the end of its browser: nothing can be said of the replay."""


class PageNotOpened(Exception):
    """The page cannot be opened, for the reason given."""


class ReplayPage:
    """A page with its context, and what was seen in it."""

    def __init__(
        self,
        chromium: Chromium,
        opening: tuple[RecorderStep, ...],
        manners: Waits,
        frames: int = 1,
        stored: Mapping[str, Any] | None = None,
    ) -> None:
        self._stored = stored
        self._chromium = chromium
        self._opening = opening
        self._manners = manners
        self._context: BrowserContext | None = None
        self._cdp: CDPSession | None = None
        self._spoiled = False
        self._restless = 0
        self._acted = False
        self._witness = PageObserver(frames)
        self._preparation: asyncio.Task[bool] | None = None
        self._prepared_at = 0.0
        self.page: Page | None = None
        self.opened = 0
        """How often the page was opened."""
        self.untouched = False
        """Whether the last unit could not be done, and nothing of it was."""
        self.slowest = 0.0
        """The longest that an element was waited for."""
        self.came_late = False
        """Whether an element appeared in a page that was thought to be at rest."""
        self.ways: list[list[str | list[str]]] | None = None
        """All ways to the elements that were acted on, the one that found it first; None while nobody wants them."""
        self.looking: Callable[[dict[str, float]], Awaitable[None]] | None = None
        """Hears of the place in the window of each element that is about to be acted on."""
        self.followers: Sequence[Callable[[BrowserContext], None]] = ()
        """Hear of each new context before its page is opened."""

    @property
    def failures(self) -> list[PageFailure]:
        """What went wrong, until it is taken from here."""
        return self._witness.failures

    @property
    def unreached(self) -> str:
        """The last address that the page went to but could not be reached."""
        return self._witness.unreached

    @property
    def needs_fresh(self) -> str:
        """Why the page must have a fresh context each time; empty when it need not."""
        return self._witness.needs_fresh

    async def reset(self, fresh: bool = False) -> bool:
        """Open the page anew with nothing left of what happened before; tell whether that is in a fresh context."""
        prepared = await self._end_preparation()
        old = time.monotonic() - self._prepared_at > _PREPARED_FOR
        if prepared is None or fresh or old or self._is_spoiled():
            return await self._reset(fresh)
        return prepared

    def prepare(self) -> None:
        """Begin to open the page anew now, so that the next replay need not wait for it."""
        self._preparation = asyncio.ensure_future(self._prepare())
        # Nobody may ask for it any more, and then nobody need hear how it ended.
        self._preparation.add_done_callback(lambda ended: ended.cancelled() or ended.exception())

    async def _prepare(self) -> bool:
        fresh = await self._reset(False)
        self._prepared_at = time.monotonic()
        return fresh

    async def _end_preparation(self) -> bool | None:
        """Wait for what was begun; return whether it is in a fresh context, or None when it led to nothing."""
        task, self._preparation = self._preparation, None
        if task is not None:
            with contextlib.suppress(
                PageGone, PageNotOpened
            ):  # if it goes wrong again, it does so where it is heard of
                return await task
        return None

    def _is_spoiled(self) -> bool:
        unusable = self._spoiled or self._witness.crashed or bool(self.needs_fresh)
        return unusable or self.page is None or self.page.is_closed()

    async def _reset(self, fresh: bool) -> bool:
        if not fresh and not self._is_spoiled():
            # A browser may refuse to bring a page back for reasons of its own; a fresh one takes its place.
            with contextlib.suppress(TimeoutError, BrowserError):
                await self._bring_back(fresh=False)
                return False
        try:
            await self._bring_back(fresh=True)
        except TimeoutError:
            self._spoiled = True
            await self._chromium.restart()
            raise PageGone("the browser does not respond") from None
        except BrowserError as error:
            self._spoiled = True
            raise PageGone(_first_line(error)) from None
        return True

    async def _bring_back(self, fresh: bool) -> None:
        if fresh:
            await self._drop()
            await within(_STARTED_WITHIN, self._begin())
        else:
            await self._timely(self._wipe())
        self._witness.begin_anew()
        self.opened += 1
        for step in self._opening:
            await self._open(step)
        await self.come_to_rest()

    async def come_to_rest(self) -> None:
        """Wait until the page has nothing more to do, or for long enough; one that hangs or crashes has failed."""
        try:
            await self._timely(self.rest(thorough=True))
        except TimeoutError:
            await self._hung()
        except BrowserError as error:
            if not await self._has_crashed(_first_line(error)) and self._is_gone(error):
                self._spoiled = True
                raise PageGone(_first_line(error)) from None

    async def wait_for_timers(self, seconds: float) -> float:
        """Wait for timers up to such a length; return how long the longest is that is pending then."""
        asked = "ms => window.__minrepro ? __minrepro.late(ms) : 0"
        try:
            if self.page is None or self.page.is_closed():
                return 0.0
            return float(await within(self._manners.hang + seconds, self.page.evaluate(asked, seconds * 1000))) / 1000
        except (BrowserError, TimeoutError):
            return 0.0

    async def fire(self, event: Event) -> None:
        """Do what a unit says and wait until the page is at rest; raise `CannotFire` when it cannot be done."""
        assert self.page is not None
        actor = Actor(self, self._manners)
        self.untouched = False
        try:
            await self._timely(self._done(actor, steps_of(event)))
        except TimeoutError:
            await self._hung()
        except BrowserError as error:
            await self._explain(error)
        except CannotFire as error:
            if self._has_no_browser():
                self._spoiled = True
                raise PageGone(str(error)) from None
            self.untouched = not self._acted and not self.page.is_closed()
            raise
        finally:
            if not self._spoiled and not self._witness.crashed:
                await actor.release()

    async def _done(self, actor: Actor, steps: list[RecorderStep]) -> None:
        self._acted = False
        if not await actor.press(steps):
            for step in steps:
                self._witness.answers = list(step.get("dialogs") or [])
                await actor.do(step)
                self._acted = True
        await self.rest()

    async def ask(self, expression: str) -> Any:
        """Return what a JavaScript expression is in the page; None where it cannot be asked, or throws."""
        assert self.page is not None
        try:
            return await self._timely(self.page.evaluate(expression))
        except TimeoutError:
            return None
        except BrowserError as error:
            if "SyntaxError" in error.message:
                reason = _first_line(error).removeprefix("Page.evaluate: ")
                raise InputError(f"{expression!r} is not a JavaScript expression: {reason}") from None
            return None

    async def picture(self) -> bytes | None:
        """Return a small picture of what the page shows, if it shows anything."""
        assert self.page is not None
        try:
            image: bytes = await self._timely(self.page.screenshot(type="jpeg", quality=70, scale="css"))
        except (BrowserError, TimeoutError):
            return None
        return image

    async def rest(self, thorough: bool = False) -> bool:
        """Wait until the page has nothing more to do; return whether it came to that."""
        end = time.monotonic() + self._manners.rest
        while self.page is not None and not self.page.is_closed():
            try:
                left = max(0.0, end - time.monotonic())
                settled = await self.page.evaluate(
                    "given => window.__minrepro ? __minrepro.settle(...given) : true",
                    [left * 1000, self._manners.timer * 1000, thorough],
                )
            except BrowserError as error:
                if "crashed" in error.message or self.page.is_closed():
                    raise
                if time.monotonic() > end:
                    return False
                await self.page.wait_for_load_state("load")  # it went to another page meanwhile
                continue
            if settled and not self._witness.requests:
                await self._hear_others()
                self._restless = 0
                return True
            if time.monotonic() > end:
                self._restless += 1
                if self._restless == RESTLESS:
                    self._manners.rest = min(self._manners.rest, SHORT_REST)
                return False
            await asyncio.sleep(0.004)
        return True

    async def _hear_others(self) -> None:
        """Let the other windows say what has happened there; what they threw is told before they answer."""
        others = [] if self._context is None else [page for page in self._context.pages if page is not self.page]
        for page in others:
            with contextlib.suppress(BrowserError):
                await page.evaluate("window.__minrepro ? __minrepro.settle(0, 0, false) : true")

    async def drop(self) -> None:
        """Close the page with its context."""
        await self._end_preparation()
        await self._drop()

    async def _drop(self) -> None:
        if self._context is not None:
            context, self._context, self.page, self._cdp = self._context, None, None, None
            try:
                await within(self._manners.hang, context.close())
            except TimeoutError:
                await self._chromium.restart()
            except BrowserError:
                pass
        self._spoiled = False

    async def _begin(self) -> None:
        size = next((step for step in self._opening if step["type"] == "setViewport"), {})
        viewport = {"width": int(size.get("width", 1000)), "height": int(size.get("height", 700))}
        options: dict[str, Any] = {"viewport": viewport, "device_scale_factor": size.get("deviceScaleFactor") or 1}
        options |= {"is_mobile": bool(size.get("isMobile")), "has_touch": bool(size.get("hasTouch"))}
        if self._stored is not None:
            options["storage_state"] = dict(self._stored)
        self._context = await self._chromium.context(**options)
        self._witness.follow(self._context)
        for follow in self.followers:
            follow(self._context)
        self.page = await self._context.new_page()
        self._cdp = await self._context.new_cdp_session(self.page)

    async def _wipe(self) -> None:
        """Bring the page back by the fastest way that leaves nothing: late writers are gone before storage is."""
        page, cdp = self.page, self._cdp
        assert page is not None and cdp is not None
        await page.goto("about:blank", wait_until="commit")
        everything = [{"origin": origin, "storageTypes": "all"} for origin in self._witness.origins]
        await asyncio.gather(
            *(cdp.send("Storage.clearDataForOrigin", what) for what in everything),
            page.evaluate("window.name = ''"),
            page.mouse.move(0, 0),
            cdp.send("Page.resetNavigationHistory"),
        )

    async def _open(self, step: RecorderStep) -> None:
        assert self.page is not None
        if step["type"] == "navigate":
            try:
                await self.page.goto(step["url"], timeout=self._manners.hang * 1000)
            except BrowserError as error:
                if self._is_gone(error):
                    raise
                self._spoiled = True
                raise PageNotOpened(not_opened(step["url"], error)) from None
        elif step["type"] != "setViewport":
            self._witness.answers = list(step.get("dialogs") or [])
            try:
                await Actor(self, self._manners).do(step)
            except CannotFire as error:
                raise PageNotOpened(f"cannot replay --before: {error}") from None
            await self.rest()

    async def _timely(self, work: Coroutine[Any, Any, Any]) -> Any:
        return await within(self._manners.hang, work)

    async def _hung(self) -> None:
        """Note that the page hangs, and end the script that it hangs in, so that it can be closed."""
        self._spoiled = True
        self.failures.append(PageFailure("hang", "the page does not respond"))
        if self._cdp is not None:
            with contextlib.suppress(BrowserError, TimeoutError):
                await within(5, self._cdp.send("Runtime.terminateExecution"))

    async def _ping(self) -> str:
        """Return what the browser says when the page is asked for something, if that goes wrong."""
        assert self.page is not None
        try:
            await self._timely(self.page.evaluate("1"))
        except (BrowserError, TimeoutError) as error:
            return str(error)
        return ""

    async def _explain(self, error: BrowserError) -> None:
        """Tell what an error of the browser's says about the replay."""
        message = _first_line(error)
        if "ERR_ABORTED" in message:  # what ended it is told a moment later
            message = await self._ping() or message
        if await self._has_crashed(message):
            return
        if self._is_gone(error):
            self._spoiled = True
            raise PageGone(message) from None
        closed = self.page is None or self.page.is_closed()
        raise CannotFire("the page was closed" if closed else _hinted(message)) from None

    async def _has_crashed(self, message: str) -> bool:
        """Tell whether an error of the browser's says that the page crashed, and see to it that it is noted."""
        if "crashed" not in message:
            return False
        await asyncio.sleep(0)  # the crash is told by an event of its own
        self._witness.note_crash()
        return True

    def _is_gone(self, error: BrowserError) -> bool:
        """Tell whether an error says that the page was taken away by the end of its browser, or of the driver's."""
        untold = self.page is not None and not self.page.is_closed()
        return self._has_no_browser() or ("has been closed" in error.message and untold)

    def _has_no_browser(self) -> bool:
        return self._context is None or not self._context.browser or not self._context.browser.is_connected()


def not_opened(url: str, error: BrowserError) -> str:
    """Return what is said of a page that cannot be opened."""
    reason = _first_line(error).removeprefix("Page.goto: ").removesuffix(f" at {url}")
    hint = "\nhint: is its server running?" if "net::" in reason and _UNKNOWN_HOST not in reason else ""
    return f"cannot open {url}: {_hinted(reason)}{hint}"


def _hinted(reason: str) -> str:
    """Return a reason with what can be done about it where that is known."""
    return (
        f"{reason}\nhint: pages reach their own host only; --allow-network allows others"
        if _UNKNOWN_HOST in reason
        else reason
    )


def _first_line(error: BrowserError) -> str:
    return error.message.splitlines()[0] if error.message else ""
