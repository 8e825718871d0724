"""What stands for a case or a content, and whether a verdict that was cut short still counts."""

from __future__ import annotations

from collections.abc import Hashable
from hashlib import blake2b
from typing import Any

from minrepro.core.verdicts import Verdict

Key = Hashable

_last: tuple[bytes, Key] = (b"", b"")


def key_of(case: Any) -> Key:
    """Return what stands for the content of a case: a digest of bytes and of long text, the case itself otherwise."""
    if isinstance(case, str) and len(case) >= 64:
        return "digest", blake2b(case.encode("utf-8", "surrogatepass"), digest_size=24).digest()
    global _last
    if type(case) is not bytes:
        own: Key = getattr(case, "memory_key", case)  # a case may be large, and know what stands for it
        if own is not case or not isinstance(case, bytes):
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


def digest(content: bytes) -> str:
    """Return what stands for a content."""
    return blake2b(content, digest_size=16).hexdigest()
