"""The result on disk."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from minrepro.errors import OutputError
from minrepro.targets.result_file import ResultFile, default_output, file_state, keep_original


@pytest.mark.parametrize(
    ("name", "wanted"), [("a.c", "a.min.c"), ("a", "a.min"), ("a.tar.gz", "a.tar.min.gz"), (".rc", ".rc.min")]
)
def test_the_result_has_min_before_its_suffix(name: str, wanted: str) -> None:
    assert default_output(Path("folder", name)) == Path("folder", wanted)


def test_the_file_appears_with_the_first_success_and_not_before(tmp_path: Path) -> None:
    result = ResultFile(tmp_path / "out", 0o600)
    assert list(tmp_path.iterdir()) == []
    result.keep(b"small")
    assert (tmp_path / "out").read_bytes() == b"small"
    assert (tmp_path / "out").stat().st_mode & 0o777 == 0o600
    assert list(tmp_path.iterdir()) == [tmp_path / "out"]


def test_a_file_that_is_there_is_not_touched_before_there_is_something_better(tmp_path: Path) -> None:
    (tmp_path / "out").write_bytes(b"precious")
    ResultFile(tmp_path / "out")
    assert (tmp_path / "out").read_bytes() == b"precious"


def test_whoever_has_the_file_open_sees_the_old_content_whole(tmp_path: Path) -> None:
    result = ResultFile(tmp_path / "out")
    result.write(b"one")
    with (tmp_path / "out").open("rb") as file:
        result.write(b"another")
        assert file.read() == b"one"


def test_a_full_disk_is_told_of_and_the_last_result_stays_whole(tmp_path: Path) -> None:
    # A limit on the size of files stands for a disk that is full: the same call fails in the same way.
    script = (
        "import resource, sys\n"
        "from pathlib import Path\n"
        "from minrepro.errors import OutputError\n"
        "from minrepro.targets.result_file import ResultFile\n"
        "result = ResultFile(Path(sys.argv[1]))\n"
        "result.write(b'x' * 1000)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))\n"
        "try:\n    result.write(b'y' * 900)\n"
        "except OutputError as error:\n    print(error)\n"
    )
    words = [sys.executable, "-c", script, str(tmp_path / "out")]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    assert "File too large" in done.stdout
    assert (tmp_path / "out").read_bytes() == b"x" * 1000
    assert list(tmp_path.iterdir()) == [tmp_path / "out"]


def test_an_interrupt_while_writing_leaves_no_half_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    result = ResultFile(tmp_path / "out")

    def interrupt(*words: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fchmod", interrupt)
    with pytest.raises(KeyboardInterrupt):
        result.write(b"data")
    assert list(tmp_path.iterdir()) == []


def test_a_place_that_disappears_is_told_of(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    result = ResultFile(folder / "out")
    folder.rmdir()
    with pytest.raises(OutputError, match="No such file"):
        result.write(b"data")


def test_what_is_overwritten_is_kept_under_the_first_free_name(tmp_path: Path) -> None:
    path = tmp_path / "in.txt"
    for number, name in enumerate(["in.txt.orig", "in.txt.orig.2", "in.txt.orig.3"]):
        path.write_text(str(number))
        assert keep_original(path) == tmp_path / name
    assert (tmp_path / "in.txt.orig").read_text() == "0"


def test_a_result_that_cannot_be_written_in_the_end_is_saved_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    (tmp_path / "folder").mkdir()
    result = ResultFile(tmp_path / "folder" / "out", 0o640)
    (tmp_path / "folder").rmdir()
    with pytest.raises(OutputError, match=r"No such file.*\n.*saved as ") as caught:
        result.write_or_rescue(b"data")
    saved = Path(str(caught.value).rpartition("saved as ")[2])
    assert saved.read_bytes() == b"data"
    assert saved.is_relative_to(tmp_path / "temporary")
    assert saved.name == "out"


def test_the_same_trouble_is_told_once(tmp_path: Path) -> None:
    told: list[str] = []
    (tmp_path / "folder").mkdir()
    result = ResultFile(tmp_path / "folder" / "out")
    result.warn = told.append
    (tmp_path / "folder").rmdir()
    for size in (9, 5, 3):
        result.keep(b"x" * size)
    assert len(told) == 1
    assert "minrepro continues and tries again" in told[0]


def test_a_change_anywhere_in_a_folder_is_seen(tmp_path: Path) -> None:
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "a" / "b" / "c").write_text("one")
    before = file_state(tmp_path)
    assert file_state(tmp_path) == before
    (tmp_path / "a" / "b" / "c").write_text("another")
    changed = file_state(tmp_path)
    assert changed != before
    (tmp_path / "a" / "b" / "c").unlink()
    assert file_state(tmp_path) != changed
    assert file_state(tmp_path / "nothing") == file_state(tmp_path / "nowhere")
