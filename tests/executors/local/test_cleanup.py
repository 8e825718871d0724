"""Removing folders; the ending of processes is shown with real checks in `test_processes`."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from minrepro.executors.local.check_runner import KEPT, Capture
from minrepro.executors.local.cleanup import remove_folder


def test_a_folder_goes_with_all_that_is_in_it(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    (folder / "a" / "b").mkdir(parents=True)
    (folder / "a" / "b" / "file").write_text("x")
    (folder / "a").chmod(0)
    remove_folder(str(folder))
    assert not folder.exists()


UNPRIVILEGED = """
import os, sys
from minrepro.executors.local.cleanup import remove_folder
if os.getuid() == 0:  # the superuser may do everything, so nothing would be shown
    os.setgroups([])
    os.setgid(65534)
    os.setuid(65534)
folder = sys.argv[1] + "/folder"
os.makedirs(folder + "/a/b/c")
open(folder + "/a/b/c/file", "w").close()
for name in ("/a/b/c/file", "/a/b/c", "/a/b", "/a", ""):
    os.chmod(folder + name, 0)
try:
    os.listdir(folder)
    print("may be read")
except PermissionError:
    remove_folder(folder)
    print("left" if os.path.lexists(folder) else "gone")
"""


@pytest.mark.processes
def test_a_folder_goes_even_when_its_owner_may_do_nothing_with_it() -> None:
    place = tempfile.mkdtemp()  # not below the folder of the tests, which only its owner may enter
    try:
        Path(place).chmod(0o777)
        ran = subprocess.run([sys.executable, "-c", UNPRIVILEGED, place], capture_output=True, check=True)
        assert ran.stdout == b"gone\n"
    finally:
        shutil.rmtree(place, ignore_errors=True)


def test_links_are_removed_and_not_followed(tmp_path: Path) -> None:
    precious = tmp_path / "precious"
    precious.mkdir()
    (precious / "file").write_text("keep")
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "link").symlink_to(precious)
    remove_folder(str(folder))
    assert not folder.exists()
    assert (precious / "file").read_text() == "keep"


def test_a_link_in_the_place_of_the_folder_is_not_followed(tmp_path: Path) -> None:
    precious = tmp_path / "precious"
    precious.mkdir()
    (precious / "file").write_text("keep")
    (tmp_path / "folder").symlink_to(precious)
    remove_folder(str(tmp_path / "folder"))
    assert (precious / "file").read_text() == "keep"


def test_names_that_are_no_text_are_removed(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / os.fsdecode(b"\xff\xfe")).write_text("x")
    remove_folder(str(folder))
    assert not folder.exists()


def test_a_missing_folder_is_no_trouble(tmp_path: Path) -> None:
    remove_folder(str(tmp_path / "missing"))
    assert list(tmp_path.iterdir()) == []


def test_of_a_long_stream_the_beginning_and_the_end_are_kept() -> None:
    stream = b"".join(b"%07d\n" % number for number in range(100_000))
    capture = Capture()
    for start in range(0, len(stream), 1000):
        capture.add(stream[start : start + 1000])
    gap = b"\n[%d bytes left out]\n" % (len(stream) - 2 * KEPT)
    assert capture.text() == stream[:KEPT] + gap + stream[-KEPT:]


def test_a_short_stream_is_kept_whole() -> None:
    capture = Capture()
    for piece in (b"a" * KEPT, b"b", b"", b"c" * (KEPT - 1)):
        capture.add(piece)
    assert capture.text() == b"a" * KEPT + b"b" + b"c" * (KEPT - 1)
