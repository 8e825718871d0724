"""Several files as passes see them."""

from __future__ import annotations

import stat

from minrepro.core.edits import Cut, apply, unite
from minrepro.documents.files_snapshot import FilesSnapshot
from minrepro.documents.packed_files import PackedFiles

PLAIN = stat.S_IFREG | 0o644


def test_tokens_are_kept_apart_as_each_language_wants_it() -> None:
    table, content = PackedFiles.packed({"a.c": (PLAIN, b"int/*x*/f;"), "b.txt": (PLAIN, b"one/*x*/two")})
    subject = FilesSnapshot(content, files=table, languages={0: "c", 1: None})
    first, second = subject.spans
    cuts = unite([Cut(first.start + 3, first.start + 8)], [Cut(second.start + 3, second.start + 8)])
    made = table.unpacked(apply(content, subject.repair(cuts)))
    assert made == {"a.c": (PLAIN, b"int f;"), "b.txt": (PLAIN, b"onetwo")}


def test_cuts_that_touch_across_the_border_of_two_files_stay_within_them() -> None:
    table, content = PackedFiles.packed(dict.fromkeys(("a.c", "b.c", "c.c"), (PLAIN, b"int x;")))
    subject = FilesSnapshot(content, files=table, languages=dict.fromkeys(range(3), "c"))
    first, second, _ = subject.spans
    cuts = unite([Cut(first.start + 3, first.end)], [Cut(second.begin, second.end)])
    assert len(cuts) == 1
    made = table.unpacked(apply(content, subject.repair(cuts)))
    assert made == {"a.c": (PLAIN, b"int"), "c.c": (PLAIN, b"int x;")}
