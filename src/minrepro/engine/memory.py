"""Verdicts remembered by the content of their case, so that nothing is tested twice."""

from __future__ import annotations

from collections.abc import Hashable
from hashlib import blake2b
from typing import Any

from minrepro.core.search import Verdict

Key = Hashable

_last: tuple[bytes, Key] = (b"", b"")


def key_of(case: Any) -> Key:
    """Return what stands for the content of a case: a digest of bytes and of long text, the case itself otherwise."""
    if isinstance(case, str) and len(case) >= 64:
        return "digest", blake2b(case.encode("utf-8", "surrogatepass"), digest_size=24).digest()
    global _last
    if not isinstance(case, bytes):
        own: Key = getattr(case, "memory_key", case)  # a case may be large, and know what stands for it
        return own
    if len(case) < 64:
        return case
    known, key = _last  # a scheduler and the executors below it ask for the same object one after the other
    if known is not case:
        key = blake2b(case, digest_size=24).digest()
        _last = case, key
    return key


def still_counts(verdict: Verdict, limit: float | None) -> bool:
    """Tell whether a test that may now take so many seconds would hardly have another verdict."""
    return verdict.limit is None or limit is None or limit <= 1.5 * verdict.limit


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
