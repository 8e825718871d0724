"""The default reducer for several files: the same engine, with a screen and subjects for each file."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import PurePath

from minrepro.core.tuning import TUNING
from minrepro.documents.file_references import roots_of
from minrepro.documents.files_snapshot import FilesSnapshot
from minrepro.documents.packed_files import PackedFiles
from minrepro.documents.snapshot import Snapshot
from minrepro.documents.syntax.bundled_grammars import language_of
from minrepro.engine.default_reducer import ROOTS, DefaultReducer, is_understood
from minrepro.engine.merger import Merger, Screen
from minrepro.engine.syntax_screen import FilesScreen
from minrepro.passes.default_passes import passes_for
from minrepro.passes.whole_files import in_roots, passes_for_files
from minrepro.settings import Effort


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
        content = self.run_pass(whole, ROOTS, content, merger, TUNING.files_worth)
        for _ in range(TUNING.rounds):
            before = content
            if sum(roots_of(self.files, content).values()) > TUNING.small_roots * len(content):
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
    return FilesReducer(passes, None, TUNING.width if deterministic else None, effort, files=files, languages=languages)
