"""Candidates that are not worth a test, because they parse worse than what they would replace."""

from __future__ import annotations

import time
from collections.abc import Callable

from minrepro.core.tuning import TUNING
from minrepro.documents.packed_files import PackedFiles
from minrepro.documents.syntax.open_tree import grammar_for


class SyntaxScreen:
    """Turns down candidates that parse worse than the content they would replace, until one of them fails."""

    def __init__(self, language: str, content: bytes, tested: Callable[[], float]) -> None:
        """`tested` tells how many seconds a test takes on the average."""
        self._reparser = grammar_for(language, content).syntax(content)
        self._content = content
        self._allowed = self._reparser.badness(content)
        self._turned_down = 0
        self.strict = True
        self._asked = 0
        self._seconds = 0.0
        self._tested = tested

    def __call__(self, candidate: bytes, committed: bytes) -> bool:
        """Tell whether a candidate is worth a test."""
        if not self.strict:
            return True
        if committed is not self._content:
            self._move_to(committed)
            if not self.strict:
                return True
        if self._is_too_slow():
            return True
        began = time.perf_counter()
        count, size = self._reparser.badness(candidate)
        self._asked += 1
        self._seconds += time.perf_counter() - began
        if count <= self._allowed[0] and size <= self._allowed[1]:
            return True
        self._turned_down += 1
        return self._turned_down % TUNING.leak == 0

    def _is_too_slow(self) -> bool:
        """Tell whether parsing takes so long that testing at once is better; asked again as the content shrinks."""
        if self._asked < 5 or self._seconds / self._asked < TUNING.slow_parsing * self._tested():
            return False
        self._seconds *= TUNING.fading
        self._asked = max(5, self._asked - 1)
        return True

    def _move_to(self, committed: bytes) -> None:
        badness = self._reparser.badness(committed)
        # What was let through although it parses worse has failed: syntax is no guide here.
        self.strict = badness <= self._allowed
        self._reparser.move_to(committed)
        self._content, self._allowed = committed, badness


class FilesScreen:
    """Turns down candidates in which a file parses worse than it did."""

    def __init__(
        self, files: PackedFiles, languages: dict[int, str | None], content: bytes, tested: Callable[[], float]
    ) -> None:
        self._files = files
        self._languages = languages
        self._tested = tested
        self._screens: dict[int, SyntaxScreen] = {}
        self._committed: bytes | None = None
        self._parts: dict[int, bytes] = {}
        self._move_to(content)

    def __call__(self, candidate: bytes, committed: bytes) -> bool:
        """Tell whether a candidate is worth a test."""
        if committed is not self._committed:
            self._move_to(committed)
        for span in self._files.spans(candidate):
            here, before = candidate[span.start : span.end], self._parts.get(span.number)
            language = self._languages[span.number]
            if before is None or language is None or here == before:
                continue
            if span.number not in self._screens:
                self._screens[span.number] = SyntaxScreen(language, before, self._tested)
            if not self._screens[span.number](here, before):
                return False
        return True

    def _move_to(self, committed: bytes) -> None:
        fresh = {span.number: committed[span.start : span.end] for span in self._files.spans(committed)}
        # A file that has not changed stays the same object, by which its own screen knows it.
        self._parts = {n: self._parts[n] if self._parts.get(n) == data else data for n, data in fresh.items()}
        self._committed = committed
