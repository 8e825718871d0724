"""The default reducer for several files: the same engine, with a screen and subjects for each file."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import PurePath

from minrepro.documents.file_references import roots_of
from minrepro.documents.files_snapshot import FilesSnapshot
from minrepro.documents.packed_files import PackedFiles
from minrepro.documents.snapshot import Snapshot
from minrepro.documents.syntax.bundled_grammars import language_of
from minrepro.engine.default_reducer import ROOTS, ROUNDS, WIDTH, DefaultReducer, SyntaxScreen, is_understood
from minrepro.engine.merger import Merger, Screen
from minrepro.passes.default_passes import passes_for
from minrepro.passes.whole_files import in_roots, passes_for_files
from minrepro.settings import Effort

_WORTH = 0.02
"""The share of all files that a stretch of tests must save at first."""
_SMALL_SHARE = 0.25
"""Files of which no other speaks are reduced before the others if they have no more than this share of all."""


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


@dataclass
class FilesReducer(DefaultReducer):
    """Makes several files smaller and fewer by passes."""

    files: PackedFiles = field(kw_only=True)
    languages: dict[int, str | None] = field(kw_only=True)

    def prepared(self, content: bytes, merger: Merger) -> bytes:
        """Return what the levels begin with: without needless files, and with little left in those that need others.

        What a test or a main program does decides which modules are needed at all, and it is mostly small. As long as
        it stands there, hardly anything that it leads to can go.
        """
        whole, *inside = [each for each in self.passes if each.tier == 0]
        content = self.run_pass(whole, ROOTS, content, merger, _WORTH)
        for _ in range(ROUNDS):
            before = content
            if sum(roots_of(self.files, content).values()) > _SMALL_SHARE * len(content):
                return content
            for each in map(in_roots, inside):
                self.records.pop(each.name, None)  # what was refused may go now, however little has changed
                content = self.run_pass(each, ROOTS, content, merger, 0.0)
            if content == before:
                return content
        return content

    def screen(self, content: bytes, tested: Callable[[], float]) -> Screen:
        """Return what turns down candidates that are not worth a test."""
        return FilesScreen(self.files, self.languages, content, tested)

    def opened(self, content: bytes) -> Snapshot:
        """Return a content as what the passes look at."""
        before = self._subject
        known = before.known if isinstance(before, FilesSnapshot) else {}
        return FilesSnapshot(content, files=self.files, languages=self.languages, known=known)


def files_reducer(
    files: PackedFiles, content: bytes, *, effort: Effort = "normal", deterministic: bool = False, golf: bool = False
) -> FilesReducer:
    """Return the reducer that suits several files, by their names and contents."""
    languages: dict[int, str | None] = {}
    for span in files.spans(content):
        data = content[span.start : span.end]
        language = None if b"\0" in data[:8192] else language_of(PurePath(span.name), data)
        languages[span.number] = language if language is not None and is_understood(language, data) else None
    passes = passes_for_files(passes_for("any", golf), passes_for(None, golf))
    return FilesReducer(passes, None, WIDTH if deterministic else None, effort, files=files, languages=languages)
