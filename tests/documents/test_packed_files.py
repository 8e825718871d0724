"""Several files as one content."""

from __future__ import annotations

import stat

import pytest
from hypothesis import given
from hypothesis import strategies as st

from minrepro.core.edits import Cut, apply
from minrepro.documents.packed_files import PackedFiles
from minrepro.errors import InputError

PLAIN = stat.S_IFREG | 0o644
names = st.text("abc/.", min_size=1, max_size=8)


@given(st.dictionaries(names, st.binary(max_size=30), min_size=1, max_size=8))
def test_what_was_packed_is_unpacked(contents: dict[str, bytes]) -> None:
    files = {name: (PLAIN, data) for name, data in contents.items()}
    table, content = PackedFiles.packed(files)
    assert table.unpacked(content) == files
    assert table.size(content) == sum(map(len, contents.values()))


def test_modes_links_and_empty_folders_are_kept() -> None:
    files = {
        "run.sh": (stat.S_IFREG | 0o755, b"#!/bin/sh\n"),
        "link": (stat.S_IFLNK | 0o777, b"run.sh"),
        "empty": (stat.S_IFDIR | 0o755, b""),
        "blob": (PLAIN, bytes(range(256))),
    }
    table, content = PackedFiles.packed(files)
    assert table.unpacked(content) == files


@given(st.data())
def test_a_file_goes_with_its_entry_and_the_others_stay(data: st.DataObject) -> None:
    contents = data.draw(st.dictionaries(names, st.binary(max_size=20), min_size=2, max_size=6))
    table, content = PackedFiles.packed({name: (PLAIN, body) for name, body in contents.items()})
    gone = data.draw(st.sampled_from(list(table.spans(content))))
    left = table.unpacked(apply(content, [Cut(gone.begin, gone.end)]))
    assert left == {name: (PLAIN, body) for name, body in contents.items() if name != gone.name}


def test_a_mark_that_occurs_in_a_file_is_not_taken() -> None:
    table, _ = PackedFiles.packed({"a": (PLAIN, b"")})
    other, content = PackedFiles.packed({"a": (PLAIN, table.mark * 3), "b": (PLAIN, b"x")})
    assert other.mark != table.mark
    assert other.unpacked(content)["a"] == (PLAIN, table.mark * 3)


def test_a_content_without_a_mark_is_refused() -> None:
    table, content = PackedFiles.packed({"a": (PLAIN, b"abc")})
    with pytest.raises(InputError):
        list(table.spans(content[1:]))
