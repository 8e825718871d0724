"""The one queue of events: what happens is told in its order, and of what was accepted while the next tests run."""

from __future__ import annotations

from minrepro.core.events import Accepted, Listener, RunEvent, Warned
from minrepro.errors import Stopped


class Publisher:
    """Tells the listeners of a run; what comes up before there are any is kept for them."""

    def __init__(self) -> None:
        self._listeners: tuple[Listener, ...] = ()
        self._untold: list[RunEvent] = []

    def tell_to(self, *listeners: Listener) -> None:
        """Tell these from now on, also of what has come up before."""
        self._listeners = listeners
        self.flush()

    def warn(self, text: str) -> None:
        """Tell of something that the user should know, but that does not end the run."""
        self.tell(Warned(text))

    def tell(self, event: RunEvent) -> None:
        """Tell everybody who listens, of what was accepted as soon as the next tests are under way."""
        # It takes as long to tell all of them as to find the next candidate, and no worker need wait for that.
        if self._untold or isinstance(event, Accepted) or not self._listeners:
            self._untold.append(event)
        else:
            for listener in self._listeners:
                listener(event)

    def flush(self) -> None:
        """Tell of all that has not been told yet."""
        while self._untold:
            event = self._untold.pop(0)
            try:
                for listener in self._listeners:
                    listener(event)
            except (Stopped, KeyboardInterrupt):
                raise
            except BaseException:
                self._untold.clear()  # a listener that is broken hears no more
                raise
