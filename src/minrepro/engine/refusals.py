"""Which edits were refused, and in what surroundings: what has not changed since need not be asked again.

A refusal says something about an edit and about all that stood there. As long as nothing near it has changed, what it
names is used as often as before, and the whole is not much smaller, the same edit is refused again: of 560 edits that
were asked a second time so, five went (ten of the inputs of benchmarks/speedup_real), all of them after a change beside
them, which counts as other surroundings here.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Hashable, Iterable
from dataclasses import dataclass, field
from functools import cached_property

from minrepro.core.edits import Cuts
from minrepro.core.tuning import TUNING

_NEAR = 24
"""So many bytes on each side of a cut are looked at for what stands beside it."""
_BESIDE = 8
"""So many of them, white space aside, have to be the same."""
_WORD = re.compile(rb"\w+")


@dataclass
class Refusals:
    """What edits were refused."""

    alone: dict[Hashable, int]
    """Those that were tested alone, by any pass, with the size of the content then."""
    content: bytes = b""
    """What edits are for now."""
    inferred: dict[Hashable, int] = field(default_factory=dict)
    """Those that were not tested themselves."""

    def add(self, edit: Cuts, defines: Iterable[bytes], *, alone: bool) -> None:
        """Learn that an edit was refused, alone or by what others told."""
        (self.alone if alone else self.inferred)[self._key(edit, defines)] = len(self.content)

    def knows(self, edit: Cuts, defines: Iterable[bytes], *, alone: bool) -> bool:
        """Tell whether an edit was refused and nothing that matters has changed; `alone`: by a test of its own."""
        if not self.alone and (alone or not self.inferred):
            return False
        key = self._key(edit, defines)
        size = max(self.alone.get(key, 0), 0 if alone else self.inferred.get(key, 0))
        return bool(size) and len(self.content) >= TUNING.stale * size

    def _key(self, edit: Cuts, defines: Iterable[bytes]) -> Hashable:
        parts = tuple(self._surroundings(*cut) for cut in edit)
        return hash((parts, tuple(self._uses[name] for name in sorted(defines))))  # the whole would take much memory

    def _surroundings(self, start: int, end: int, text: bytes, glue: bool) -> Hashable:
        """Return what an edit does at one place, and what stands beside it."""
        before, gone, behind = (
            self.content[max(0, start - _NEAR) : start],
            self.content[start:end],
            self.content[end : end + _NEAR],
        )
        if gone.isspace():
            return before[-_BESIDE:], gone, text, behind[:_BESIDE]
        words = b" ".join(gone.split())
        return b"".join(before.split())[-_BESIDE:], words, text, glue, b"".join(behind.split())[:_BESIDE]

    @cached_property
    def _uses(self) -> Counter[bytes]:
        return Counter(_WORD.findall(self.content))
