"""News for those who listen: small records from any thread, to any number of pages."""

from __future__ import annotations

import queue
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

_MOST = 2000

Item = dict[str, Any]


class Broadcast:
    """Hands each record to all who listen at that moment."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._listeners: list[queue.Queue[Item | None]] = []

    def tell(self, kind: str, **more: Any) -> None:
        """Tell everybody; one who is too slow to take it in misses it."""
        with self._lock:
            for listener in self._listeners:
                if listener.qsize() < _MOST:
                    listener.put({"kind": kind, **more})

    @contextmanager
    def listening(self) -> Iterator[queue.Queue[Item | None]]:
        """Listen while the block lasts; None ends the news."""
        mine: queue.Queue[Item | None] = queue.Queue()
        with self._lock:
            self._listeners.append(mine)
        try:
            yield mine
        finally:
            with self._lock:
                self._listeners.remove(mine)

    def close(self) -> None:
        """End the news for everybody."""
        with self._lock:
            for listener in self._listeners:
                listener.put(None)
