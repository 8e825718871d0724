"""What a report says to run writes the result byte for byte, whatever is in it."""

from __future__ import annotations

import stat
import subprocess
from pathlib import Path

import pytest

from minrepro.reports.issue import issue
from minrepro.reports.report import Report
from minrepro.reports.reproducing import commands_for
from minrepro.reports.timeline import Timeline

CONTENTS = {
    "text": b"int x;\n",
    "no end of line": b"a 'quoted' $word `x` \\ end",
    "the mark of an end": b"EOF\nEOF_\nEOF\n",
    "empty": b"",
    "binary": bytes(range(256)) * 3,
    "not UTF-8": b"\x8a\xff",
    "carriage returns": b"a\r\nb\r\n",
}


@pytest.mark.processes
@pytest.mark.parametrize("content", CONTENTS.values(), ids=CONTENTS.keys())
def test_the_commands_write_the_very_bytes(content: bytes, tmp_path: Path) -> None:
    subprocess.run(["sh", "-c", "\n".join(commands_for({"a b.bin": content}))], cwd=tmp_path, check=True)
    assert (tmp_path / "a b.bin").read_bytes() == content


@pytest.mark.processes
def test_a_folder_is_written_with_its_links_and_programs(tmp_path: Path) -> None:
    files = {
        "p/src/a.c": (stat.S_IFREG | 0o644, b"x\n"),
        "p/run.sh": (stat.S_IFREG | 0o755, b"#!/bin/sh\n"),
        "p/link": (stat.S_IFLNK | 0o777, b"src/a.c"),
        "p/none": (stat.S_IFDIR | 0o755, b""),
    }
    subprocess.run(["sh", "-c", "\n".join(commands_for(files))], cwd=tmp_path, check=True)
    assert (tmp_path / "p/link").read_bytes() == b"x\n"
    assert (tmp_path / "p/run.sh").stat().st_mode & 0o100
    assert (tmp_path / "p/none").is_dir()


def report_on(result: bytes) -> Report:
    timeline = Timeline(b"x" * 50)
    return Report("bug.bin", "./tool bug.bin", "", timeline, result, "")


def test_an_issue_shows_text_to_be_saved_and_commands_for_all_else() -> None:
    assert "Save this as `bug.bin`" in issue(report_on(b"one line\n"))
    binary = issue(report_on(b"\x8a\xff"))
    assert "base64 -d > bug.bin" in binary
    assert "\\x8a" not in binary
    assert "./tool bug.bin" in binary
