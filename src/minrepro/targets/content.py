"""Bytes and text by the default reducer, so that the result depends on the answers of the check alone.

Text is reduced as its UTF-8, where lone surrogates are encoded like any other character. What is not valid UTF-8 never
becomes a candidate.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import PurePath

from minrepro.engine.default_reducer import Commit, DefaultReducer, default_reducer
from minrepro.engine.merger import Screen
from minrepro.engine.tester import Tester
from minrepro.settings import Effort


def encoded(text: str) -> bytes:
    """Return a text as bytes."""
    return text.encode("utf-8", "surrogatepass")


def decoded(content: bytes) -> str:
    """Return the text that bytes stand for, or raise a ValueError."""
    return content.decode("utf-8", "surrogatepass")


def decoded_in_part(content: bytes) -> str:
    """Return the text that a part of an encoding stands for, which may begin or end inside a character."""
    return decoded(content) if _is_text(content) else content.decode("utf-8", "replace")


def language_for(content: bytes, path: str | PurePath | None, language: str | None) -> str | None:
    """Return the language that a content is read in, if it is understood."""
    return default_reducer(PurePath(path or ""), content, language=language).language


def content_reducer(
    content: bytes,
    *,
    is_text: bool,
    path: str | PurePath | None,
    language: str | None,
    effort: Effort,
    golf: bool,
    workers: int,
) -> DefaultReducer:
    """Return the default reducer for a content, which may be the encoding of a text."""
    found = default_reducer(PurePath(path or ""), content, language=language, effort=effort, golf=golf)
    # With a width tests are decided in order and no clock is read: how fast a check is does not matter. As many as
    # there are workers takes as long as deciding at once, and fewer tests than a greater width.
    if is_text:
        return _TextReducer(found.passes, found.language, workers, found.effort)
    return replace(found, width=workers)


class _TextReducer(DefaultReducer):
    """Turns down candidates that are not the encoding of a text."""

    def __call__(self, content: bytes, tester: Tester, committed: Commit) -> bytes:
        """Return the smallest content that the passes lead to; text is not a container, whatever it begins with."""
        return self._reduced(content, tester, committed)

    def screen(self, content: bytes, tested: Callable[[], float]) -> Screen:
        """Return what turns down candidates that are not worth a test."""
        inner = super().screen(content, tested)
        return lambda candidate, committed: _is_text(candidate) and inner(candidate, committed)


def _is_text(content: bytes) -> bool:
    try:
        decoded(content)
    except UnicodeDecodeError:
        return False
    return True
