"""Files of records: what a crash tears is dropped, what something else has broken is told."""

from __future__ import annotations

import resource
from pathlib import Path

import pytest

from minrepro.errors import JournalError
from minrepro.runs.history.record_file import RecordFile, encoded, read_records

RECORDS = [["header", 1], {"a": "ü\n\x00"}, [1.5, None, True], "text"]


def written(path: Path) -> bytes:
    file = RecordFile(path)
    file.append(*RECORDS[:2])
    file.append(*RECORDS[2:])
    file.close()
    return path.read_bytes()


def test_what_was_written_is_read(tmp_path: Path) -> None:
    content = written(tmp_path / "log")
    assert read_records(tmp_path / "log") == (RECORDS, len(content))


def test_a_file_cut_off_anywhere_keeps_the_records_before(tmp_path: Path) -> None:
    content = written(tmp_path / "log")
    ends = [0]
    for record in RECORDS:
        ends.append(ends[-1] + len(encoded(record)))
    for size in range(len(content)):
        (tmp_path / "torn").write_bytes(content[:size])
        records, sound = read_records(tmp_path / "torn")
        assert sound == max(end for end in ends if end <= size)
        assert records == RECORDS[: ends.index(sound)]


@pytest.mark.parametrize("junk", [b"\0" * 500, b"00000000 []\n", b"\n\n\n", b"\xff" * 9 + b"\n", b"123"])
def test_junk_at_the_end_is_dropped(tmp_path: Path, junk: bytes) -> None:
    content = written(tmp_path / "log")
    (tmp_path / "log").write_bytes(content + junk)
    assert read_records(tmp_path / "log") == (RECORDS, len(content))


def test_a_changed_byte_before_sound_records_is_told(tmp_path: Path) -> None:
    content = written(tmp_path / "log")
    last = content.rindex(b"\n", 0, -1)
    for position in range(last):
        broken = bytearray(content)
        broken[position] ^= 1
        (tmp_path / "log").write_bytes(broken)
        with pytest.raises(JournalError, match="is damaged"):
            read_records(tmp_path / "log")


def test_going_on_after_a_torn_end_loses_nothing_more(tmp_path: Path) -> None:
    content = written(tmp_path / "log")
    (tmp_path / "log").write_bytes(content + encoded("torn")[:-3])
    file = RecordFile(tmp_path / "log", new=False)
    file.cut(read_records(tmp_path / "log")[1])
    file.append("more")
    file.close()
    assert read_records(tmp_path / "log")[0] == [*RECORDS, "more"]


def test_a_record_that_does_not_fit_leaves_no_half(tmp_path: Path) -> None:
    file = RecordFile(tmp_path / "log")
    file.append("sound")
    size = (tmp_path / "log").stat().st_size
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size + 10, before[1]))
    try:
        with pytest.raises(OSError):
            file.append("x" * 1000)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    file.append("after")
    file.close()
    assert read_records(tmp_path / "log")[0] == ["sound", "after"]


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match="cannot read"):
        read_records(tmp_path / "nothing")
