"""Several files as passes see them, each a snapshot of its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from minrepro.core.edits import Cut, Cuts, Join, pieces
from minrepro.documents.packed_files import PackedFiles, Span
from minrepro.documents.snapshot import Snapshot


@dataclass
class FilesSnapshot(Snapshot):
    """Several files to be made smaller, each a subject of its own."""

    files: PackedFiles = field(kw_only=True)
    languages: dict[int, str | None] = field(kw_only=True)
    known: dict[tuple[int, bytes], Snapshot] = field(default_factory=dict, kw_only=True)
    """Subjects of files, kept from one content to the next as long as the file is the same."""

    def __post_init__(self) -> None:
        self.spans: Sequence[Span] = list(self.files.spans(self.content))
        contents = {span.number: self.content[span.start : span.end] for span in self.spans}
        self.known = {
            (number, data): self.known.get((number, data)) or Snapshot(data, self.languages[number])
            for number, data in contents.items()
        }
        self.parts = {number: self.known[number, data] for number, data in contents.items()}

    @property
    def join(self) -> Join | None:
        """Nothing: what is kept apart differs from file to file, and `repair` sees to it."""
        return None

    def repair(self, cuts: Cuts) -> Cuts:
        """Return the cuts as each file's language wants them."""
        repaired: list[Cut] = []
        left = list(reversed(cuts))
        for span in self.spans:
            inside = []
            while left and left[-1].start < span.end:
                cut = left.pop()
                if cut.end > span.end:  # touching cuts have become one across the border of two files
                    left.append(cut._replace(start=span.end, text=b""))
                    cut = cut._replace(end=span.end)
                inside.append(cut)
            if inside and inside[0].start < span.start:
                repaired += inside  # the whole file goes
            elif inside:
                part = self.parts[span.number]
                own = part.repair(tuple(cut.later(-span.start) for cut in inside))
                made = pieces(part.content, own, part.join)
                repaired += [Cut(start + span.start, end + span.start, text) for start, end, text in made]
        return tuple(repaired)
