"""A formatter has its say about the result, if that still fails."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from minrepro.errors import UsageError
from minrepro.runs.formatter import formatter_of
from tests.cli.command_line import CommandLine

SPACED = f"{sys.executable} -c \"import sys; print(sys.stdin.read().replace('(', ' ( '))\""


@pytest.fixture
def crash(shell: CommandLine) -> CommandLine:
    shell.check('grep -q "crash *(" "$1"')
    shell.write("bug.txt", "one\ntwo crash(1)\nthree\n")
    return shell


def test_what_a_formatter_prints_is_kept_while_it_fails(crash: CommandLine) -> None:
    done = crash.run("reduce", "./check.sh", "bug.txt", "--formatter", SPACED)
    assert done.status == 0, done.stderr
    assert (crash.folder / "bug.min.txt").read_text().strip() == "crash ("
    again = crash.run("reduce", "./check.sh", "bug.txt", "--formatter", SPACED, "--resume", "-o", "again")
    assert "already finished" in again.stderr
    assert (crash.folder / "again").read_text().strip() == "crash ("


def test_what_a_formatter_breaks_is_not_taken(crash: CommandLine) -> None:
    for command in (f"{sys.executable} -c \"print('other')\"", "false", "true"):
        done = crash.run("reduce", "./check.sh", "bug.txt", "--formatter", command)
        assert done.status == 0, done.stderr
        assert (crash.folder / "bug.min.txt").read_text().strip() == "crash("


def test_a_formatter_that_is_not_there_is_named_before_anything_is_run(crash: CommandLine) -> None:
    done = crash.run("reduce", "./check.sh", "bug.txt", "--formatter", "no-such-formatter -x")
    assert done.status == 2
    assert "'no-such-formatter'" in done.stderr
    assert crash.names() == {"check.sh", "bug.txt"}


def test_a_language_without_a_known_formatter_needs_its_command() -> None:
    with pytest.raises(UsageError, match="no formatter is known"):
        formatter_of("auto", Path("bug.txt"), b"text")


def test_the_formatter_is_chosen_by_the_language() -> None:
    assert formatter_of("auto", Path("bug.json"), b'{"a":1}')(b'{"a":1}').split() == [b"{", b'"a":', b"1", b"}"]
