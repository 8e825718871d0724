"""Text in another encoding than UTF-8 is cut between its characters, and checks see its own bytes."""

from __future__ import annotations

import pytest

from tests.cli.command_line import CommandLine

TEXT = "".join(f"line {number} — nothing\n" for number in range(30)) + "die Prüfung ✗ hier\n"
NEEDED = r"LC_ALL=C grep -qaP '\x17\x27'"
"""Finds the cross in UTF-16, whatever is around it."""


def test_a_utf_16_file_is_reduced_to_its_one_needed_character(shell: CommandLine) -> None:
    shell.write("in.txt", TEXT.encode("utf-16"))
    shell.check(f'{NEEDED} "$1"')
    for words in ((), ("--algorithm", "ddmin"), ("--stdin",)):
        if words == ("--stdin",):
            shell.check(NEEDED)
        done = shell.run("reduce", "./check.sh", "in.txt", "--encoding", "utf-16", *words)
        assert done.status == 0, done.stderr
        assert (shell.folder / "in.min.txt").read_bytes().decode("utf-16").strip() == "✗"


def test_a_failing_command_and_its_report_see_the_encoding(shell: CommandLine) -> None:
    shell.write("in.txt", "a\nb\nä\n".encode("latin-1"))
    shell.write(
        "tool", "#!/bin/sh\nLC_ALL=C grep -q \"$(printf '\\344')\" in.txt && { echo Error: byte >&2; exit 3; }\n", 0o755
    )
    done = shell.run("reduce", "in.txt", "--encoding", "latin-1", "--report", "r.md", "--", "./tool")
    assert done.status == 0, done.stderr
    assert (shell.folder / "in.min.txt").read_bytes().strip() == b"\xe4"
    assert "base64 -d > in.txt" in (shell.folder / "r.md").read_text()


@pytest.mark.parametrize(
    ("encoding", "content", "told"),
    [
        ("utf-17", b"x", "no such encoding"),
        ("ascii", b"\xff\n", "cannot be read as ascii"),
        ("utf-16", "x".encode("utf-16-le"), "utf-16-le"),
    ],
)
def test_what_cannot_be_read_or_written_back_is_told(
    shell: CommandLine, encoding: str, content: bytes, told: str
) -> None:
    shell.write("in.txt", content)
    shell.check("true")
    done = shell.run("reduce", "./check.sh", "in.txt", "--encoding", encoding)
    assert done.status == 2
    assert told in done.stderr
