"""Long work in a thread, one at a time, which can be held, ended, and tells of itself by news."""

from __future__ import annotations

import threading
from collections.abc import Callable

from minrepro.browser.debugger.broadcast import Broadcast
from minrepro.core.events import RunEvent, Tested
from minrepro.errors import MinreproError, Stopped, UsageError


class BackgroundWork:
    """The work that is under way."""

    def __init__(self, news: Broadcast) -> None:
        self._news = news
        self._thread: threading.Thread | None = None
        self._going = threading.Event()
        self._going.set()
        self._stopping = False

    @property
    def name(self) -> str:
        """What is under way; empty when nothing is."""
        return self._thread.name if self._thread is not None and self._thread.is_alive() else ""

    @property
    def paused(self) -> bool:
        """Whether it is held."""
        return not self._going.is_set()

    def require_rest(self) -> None:
        """Raise when something is under way."""
        if self.name:
            raise UsageError("another task is running; stop it first")

    def begin(self, name: str, work: Callable[[], None]) -> None:
        """Begin some work."""
        self.require_rest()
        self._stopping = False
        self._going.set()

        def guarded() -> None:
            try:
                work()
            except MinreproError as error:
                self._news.tell("failed", text=str(error))
            except Exception as error:
                self._news.tell("failed", text=f"internal error: {error!r}")
                raise
            finally:
                self._news.tell("ended", work=name)

        self._thread = threading.Thread(target=guarded, name=name, daemon=True)
        self._thread.start()

    def pause(self, paused: bool) -> None:
        """Hold the work at its next test, or let it go on."""
        (self._going.clear if paused else self._going.set)()
        self._news.tell("paused" if paused else "going")

    def stop(self) -> None:
        """End the work at its next test."""
        self._stopping = True
        self._going.set()

    def heed(self, notice: RunEvent) -> None:
        """Wait while the work is held, and raise `Stopped` when it is to end: once, for its end is told too."""
        self._going.wait()
        if self._stopping and isinstance(notice, Tested):
            self._stopping = False
            raise Stopped("stopped")

    def join(self) -> None:
        """Wait for the end of the work."""
        if self._thread is not None:
            self._thread.join()
