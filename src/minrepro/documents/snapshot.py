"""What the default reducer looks at: the content as it is now, and what is known about its structure."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

from minrepro.core.edits import Cut, Cuts, Join
from minrepro.core.tuning import TUNING
from minrepro.documents.syntax.open_tree import grammar_for, open_tree
from minrepro.documents.syntax.tree_document import TreeDocument


@dataclass
class Snapshot:
    """A content to be made smaller, with its language if it has one."""

    content: bytes
    language: str | None = None
    list_ends: dict[int, tuple[Sequence[int], Sequence[int]]] = field(default_factory=dict)
    """For lists that end without a separator: where the last element ends, and where all begin and end."""

    @cached_property
    def document(self) -> TreeDocument | None:
        """The content as a tree, or None when its language has no grammar."""
        return open_tree(self.content, self.language) if self.language else None

    @property
    def is_large(self) -> bool:
        """Whether it takes too long to ask the parser of every part whether it may go."""
        return len(self.content) > TUNING.large

    @property
    def join(self) -> Join | None:
        """What keeps tokens apart that a cut brings together."""
        return grammar_for(self.language, self.content).join if self.language else None

    def repair(self, cuts: Cuts) -> Cuts:
        """Return the cuts with the separator cut too that would be left at the end of a list."""
        if not self.list_ends or not any(cut.end in self.list_ends for cut in cuts):
            return cuts
        return tuple(self._repaired(cut) if cut.end in self.list_ends else cut for cut in cuts)

    def _repaired(self, cut: Cut) -> Cut:
        starts, ends = self.list_ends[cut.end]
        kept = bisect_left(starts, cut.start)
        # A cut that begins inside an element, or writes something, does not take elements away.
        takes_elements = not cut.text and kept and ends[kept - 1] <= cut.start
        return cut._replace(start=ends[kept - 1]) if takes_elements else cut
