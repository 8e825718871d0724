"""Random sessions: clicks, typing and keys at whatever a page offers, by a seed, until something fails or the end."""

from __future__ import annotations

import asyncio
import random
from dataclasses import dataclass

from minrepro.browser.chromium import BrowserError, Chromium, Page
from minrepro.browser.live_recorder import Recorder
from minrepro.browser.page_failures import HARD, PageFailure, first_watched
from minrepro.browser.page_observer import PageObserver
from minrepro.browser.recording import Recording

_OFFERED = """() => {
  const css = 'button, a[href], input, textarea, select, label, li, summary, [role=button], [contenteditable]';
  return [...document.querySelectorAll(css)].filter((one) => __minrepro.isVisible(one)).slice(0, 200).map((one) => {
    const box = one.getBoundingClientRect();
    const typed = one.matches('textarea, [contenteditable], input:not([type]), input[type=text], input[type=search]');
    const away = one.matches('a[href]') && new URL(one.href).origin !== location.origin;
    return { x: box.x + box.width / 2, y: box.y + box.height / 2, typed, away, shown: box.bottom < innerHeight
      && box.right < innerWidth && box.top >= 0 && box.left >= 0 };
  }).filter((one) => one.shown && !one.away);
}"""
_LOOKS, _BETWEEN_LOOKS = 50, 0.02
"""How often, and after how many seconds each time, it is asked whether all requests are answered."""
_TEXTS = ("tea", "milk", "eggs", "call Bob", "a")


@dataclass(frozen=True)
class RandomSession:
    """A random session: what was done, its log, and the failure in which it ended, if it did."""

    recording: Recording
    log: str
    failure: PageFailure | None

    @property
    def failed(self) -> bool:
        """Whether it ended in a failure."""
        return self.failure is not None


async def explore(
    chromium: Chromium, url: str, *, seed: int, events: int = 40, state: str | None = None
) -> RandomSession:
    """Return a random session of at most so many events, which ends with the first failure."""
    chance = random.Random(seed)
    recorder, witness = Recorder(url, state=state), PageObserver()
    page = await recorder.open(chromium, witness)
    try:
        for _ in range(events):
            if first_watched(witness.failures, HARD) is not None or page.is_closed():
                break
            await _act(page, chance)
            await page.evaluate("() => window.__minrepro && __minrepro.settle(500, 50, false)")
            await _answered(witness)
            await recorder.note_state()
    except BrowserError:
        pass  # the page went away: what was recorded is a session all the same
    finally:
        await page.context.close()
    failure = first_watched(witness.failures, HARD)
    return RandomSession(recorder.recording(f"random session, seed {seed}"), recorder.log(), failure)


async def _answered(witness: PageObserver) -> None:
    """Wait for what the page has asked for, a while: an answer with an error belongs to the event that asked."""
    for _ in range(_LOOKS):
        if not witness.requests:
            return
        await asyncio.sleep(_BETWEEN_LOOKS)


async def _act(page: Page, chance: random.Random) -> None:
    offered = await page.evaluate(_OFFERED)
    if not offered:
        await page.mouse.click(20, 20)
        return
    place = chance.choice(offered)
    await page.mouse.move(place["x"], place["y"])
    if place["typed"] and chance.random() < 0.7:
        await page.mouse.click(place["x"], place["y"])
        for letter in chance.choice(_TEXTS):
            await page.keyboard.press(letter)
        await page.keyboard.press("Enter")
    elif chance.random() < 0.1:
        await page.mouse.dblclick(place["x"], place["y"])
    elif chance.random() < 0.05:
        await page.keyboard.press(chance.choice(("Escape", "Tab", "Enter")))
    else:
        await page.mouse.click(place["x"], place["y"])
