"""Verdicts remembered by the content of their case, so that nothing is tested twice."""

from __future__ import annotations

from minrepro.core.keys import Key, still_counts
from minrepro.core.verdicts import Verdict


class Memory:
    """Knows the verdict of every case that was tested."""

    def __init__(self) -> None:
        self._verdicts: dict[Key, Verdict] = {}

    def recall(self, key: Key, limit: float | None = None) -> Verdict | None:
        """Return the verdict of a case, unless it was cut short by a limit well below the present one."""
        verdict = self._verdicts.get(key)
        return verdict if verdict is not None and still_counts(verdict, limit) else None

    def remember(self, key: Key, verdict: Verdict) -> None:
        """Keep the verdict of a case."""
        self._verdicts[key] = verdict

    def forget(self) -> None:
        """Forget everything, because it was not to be relied on."""
        self._verdicts.clear()

    def distrust(self) -> None:
        """Conclude nothing any more from one case for another: the same case does not always have the same outcome."""

    def __len__(self) -> int:
        return len(self._verdicts)


class NoMemory(Memory):
    """Remembers nothing, so that every candidate is tested as often as an algorithm asks for it."""

    def remember(self, key: Key, verdict: Verdict) -> None:
        """Forget a verdict at once."""
