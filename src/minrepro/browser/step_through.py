"""Goes through a session step by step, in a page that stays open in between."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from minrepro.browser.replay_page import PageGone, PageNotOpened
from minrepro.browser.session_replay import Observation, Replayer
from minrepro.errors import ExecutorLost, InputError
from minrepro.traces.user_events import Event, Trace

_MOST_PICTURES = 30
"""A report with more of them is too large to be sent."""

_PICKED = """(() => {
  let element = document.elementFromPoint(%f, %f);
  while (element && element.shadowRoot && element.shadowRoot.elementFromPoint(%f, %f)) {
    element = element.shadowRoot.elementFromPoint(%f, %f);
  }
  if (!element || element.tagName === 'IFRAME' || !window.__minrepro) return null;
  const path = __minrepro.path(element), name = __minrepro.nameOf(element), role = __minrepro.roleOf(element);
  const { x, y, width, height } = element.getBoundingClientRect();
  const css = path.length === 1 ? path[0] : path;
  const text = (element.textContent || '').replace(/\\s+/g, ' ').trim();
  const spoken = name && name.length < 80 ? [`aria/${name}${role ? `[role="${role}"]` : ''}`] : [];
  return { selectors: [css, ...spoken, ...(text && text.length < 60 ? [`text/${text}`] : [])], x, y, width, height };
})()"""


class Stepper:
    """A session that is being looked at, and how far it has gone."""

    def __init__(self, replayer: Replayer, trace: Trace) -> None:
        self.trace = trace
        self._replayer = replayer
        self._tab = replayer.new_tab()
        self._seen: Observation | None = None

    @property
    def at(self) -> int:
        """How many events have been fired."""
        return self._seen.fired if self._seen is not None else 0

    def to(self, number: int, tell: Callable[[int], None] = lambda fired: None) -> tuple[Observation, bytes | None]:
        """Go on to an event, or begin anew where it lies behind; return what was seen so far, and the page as it is."""
        try:
            return self._replayer.chromium.run(self._to(min(max(number, 0), len(self.trace)), tell))
        except PageGone as error:
            self._seen = None
            raise ExecutorLost(f"the browser exited ({error}); start again") from None
        except PageNotOpened as error:
            raise InputError(str(error)) from None

    async def _to(self, number: int, tell: Callable[[int], None]) -> tuple[Observation, bytes | None]:
        if self._seen is None or number < self._seen.fired:
            self._replayer.reset_server()
            self._seen = await self._replayer.begun(self._tab, fresh=True)
        seen = self._seen
        while seen.fired < number and not seen.over:
            event = self.trace[seen.fired]
            await self._replayer.stepped(self._tab, seen, event, seen.fired + 1 == len(self.trace))
            tell(seen.fired)
        return seen, await self._tab.picture()

    def element(self, number: int, x: float, y: float) -> dict[str, Any]:
        """Return the ways to the element at a place of the window after so many events, and what it is called."""
        self.to(number)
        found: dict[str, Any] | None = self._replayer.chromium.run(self._tab.ask(_PICKED % (x, y, x, y, x, y)))
        if found is None:
            raise InputError("there is no element at this place, or it is in a frame of its own")
        return found

    def close(self) -> None:
        """Close the page."""
        self._replayer.chromium.run(self._tab.drop())


def pictures_of(replayer: Replayer, trace: Trace) -> list[tuple[Event | None, bytes]]:
    """Replay a session once; return how the page looked at first and after each event, as far as that could be seen."""
    stepper, found = Stepper(replayer, trace), []
    try:
        for number in range(min(len(trace), _MOST_PICTURES) + 1):
            seen, picture = stepper.to(number)
            if picture is not None:
                found.append((trace[number - 1] if number else None, picture))
            if seen.over or seen.fired < number:
                break
    except (ExecutorLost, InputError):  # the failure has closed the page, or the browser
        pass
    finally:
        stepper.close()
    return found
