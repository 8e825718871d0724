"""What a user can get wrong: each mistake gets a message that says what was seen and what to do."""

from __future__ import annotations

import json
import os
import socket
from pathlib import Path

import pytest

from tests.cli.command_line import CommandLine, Done

INPUT = "a\nneedle\nb\n"


@pytest.fixture
def ready(shell: CommandLine) -> CommandLine:
    """Return a command line with a check and an input that work."""
    shell.check('grep -q needle "$1"')
    shell.write("in.txt", INPUT)
    return shell


def assert_refused(done: Done, shell: CommandLine, *said: str, status: int = 2) -> None:
    assert done.status == status
    assert done.stdout == ""
    for words in said:
        assert words in done.stderr
    assert "Traceback" not in done.stderr
    assert len(done.stderr.splitlines()) <= 3
    assert (shell.folder / "in.txt").read_text() == INPUT
    assert "in.min.txt" not in shell.names()
    shell.assert_nothing_is_left()


def test_an_input_that_is_missing(ready: CommandLine) -> None:
    assert_refused(ready.run("reduce", "./check.sh", "missing.txt"), ready, "missing.txt does not exist")


def test_an_input_that_is_a_folder(ready: CommandLine) -> None:
    assert_refused(ready.run("isolate", "./check.sh", ".", "in.txt"), ready, ". is a directory")


def test_an_input_that_is_empty(ready: CommandLine) -> None:
    ready.write("empty.txt", "")
    assert_refused(ready.run("reduce", "./check.sh", "empty.txt"), ready, "empty.txt is empty")


def test_an_input_that_cannot_be_read(ready: CommandLine) -> None:
    # Its first page is never mapped, so not even root can read it.
    assert_refused(ready.run("reduce", "./check.sh", "/proc/self/mem", "-o", "out"), ready, "cannot read")


def test_an_input_that_may_never_end(ready: CommandLine) -> None:
    os.mkfifo(ready.folder / "pipe")
    assert_refused(ready.run("reduce", "./check.sh", "pipe"), ready, "pipe is not a regular file")


@pytest.mark.parametrize("check", ["./missing.sh", "no-such-command --fast"])
def test_a_check_that_is_missing(ready: CommandLine, check: str) -> None:
    assert_refused(ready.run("reduce", check, "in.txt"), ready, check.split()[0], "does not exist")


def test_a_check_that_is_not_executable(ready: CommandLine) -> None:
    (ready.folder / "check.sh").chmod(0o644)
    assert_refused(ready.run("reduce", "./check.sh", "in.txt"), ready, "not executable", "chmod +x ./check.sh")


@pytest.mark.parametrize("check", ["", " ", "'never closed"])
def test_a_check_that_is_no_command(ready: CommandLine, check: str) -> None:
    assert_refused(ready.run("reduce", check, "in.txt"), ready, "minrepro: error: ", "the check")


def test_a_check_that_is_a_folder(ready: CommandLine) -> None:
    assert_refused(ready.run("reduce", ".", "in.txt"), ready, "is a directory")


def test_a_check_without_a_first_line_that_names_its_interpreter(ready: CommandLine) -> None:
    ready.write("check.sh", "grep -q needle $1\n", 0o755)
    assert_refused(ready.run("reduce", "./check.sh", "in.txt"), ready, "#!/bin/sh")


def test_a_check_whose_interpreter_does_not_exist(ready: CommandLine) -> None:
    ready.write("check.sh", "#!/no/such/interpreter\n", 0o755)
    assert_refused(ready.run("reduce", "./check.sh", "in.txt"), ready, "interpreter in its first line")


@pytest.mark.parametrize(
    ("script", "reason"), [("exit 1", "exit 1"), ("exit 125", "exit 125"), ("kill -SEGV $$", "SIGSEGV")]
)
def test_a_check_that_does_not_show_the_failure(ready: CommandLine, script: str, reason: str) -> None:
    ready.check(script)
    done = ready.run("reduce", "./check.sh", "in.txt")
    assert_refused(
        done, ready, "does not reproduce the failure on in.txt", reason, "./check.sh in.txt; echo $?", status=1
    )


def test_a_check_that_takes_too_long_on_the_input(ready: CommandLine) -> None:
    ready.check("sleep 1000")
    done = ready.run("reduce", "./check.sh", "in.txt", "--timeout", "0.2")
    assert_refused(done, ready, "timed out after 0.2 s", status=1)


@pytest.mark.parametrize("more", [[], ["-q"]])
def test_a_check_that_accepts_anything_is_warned_of(ready: CommandLine, more: list[str]) -> None:
    ready.check("exit 0")
    done = ready.run("reduce", "./check.sh", "in.txt", "--json", *more)
    assert done.status == 0
    assert "warning: the empty file also reproduces the failure" in done.stderr
    assert "the empty file" in json.loads(done.stdout)["warnings"][0]
    assert (ready.folder / "in.min.txt").read_bytes() == b""


def test_an_output_that_is_a_folder(ready: CommandLine) -> None:
    assert_refused(ready.run("reduce", "./check.sh", "in.txt", "-o", "."), ready, ". is a directory")


def test_an_output_in_a_folder_that_is_missing(ready: CommandLine) -> None:
    done = ready.run("reduce", "./check.sh", "in.txt", "-o", "no/such/out")
    assert_refused(done, ready, "no directory no/such")


def test_an_output_where_nobody_may_write(ready: CommandLine) -> None:
    assert_refused(ready.run("reduce", "./check.sh", "in.txt", "-o", "/proc/out"), ready, "cannot write /proc/out")


def test_an_output_that_is_no_ordinary_file_is_not_replaced(ready: CommandLine) -> None:
    pipe, listener = ready.folder / "pipe", socket.socket(socket.AF_UNIX)
    os.mkfifo(pipe)
    listener.bind(os.path.relpath(ready.folder / "socket"))
    listener.close()
    for special in (pipe, ready.folder / "socket"):
        done = ready.run("reduce", "./check.sh", "in.txt", "-o", special.name)
        assert_refused(done, ready, f"{special.name} is not a regular file")
    assert pipe.is_fifo()
    assert (ready.folder / "socket").is_socket()


def test_an_output_that_is_a_link_is_written_where_it_leads(ready: CommandLine) -> None:
    (ready.folder / "elsewhere").mkdir()
    (ready.folder / "out").symlink_to(Path("elsewhere", "result"))
    assert ready.run("reduce", "./check.sh", "in.txt", "-o", "out").status == 0
    assert (ready.folder / "out").is_symlink()
    assert (ready.folder / "elsewhere" / "result").read_bytes().strip() == b"needle"


@pytest.mark.parametrize("name", ["in.txt", "./in.txt", "link", "hard"])
def test_an_output_that_is_the_input(ready: CommandLine, name: str) -> None:
    (ready.folder / "link").symlink_to("in.txt")
    (ready.folder / "hard").hardlink_to(ready.folder / "in.txt")
    assert_refused(
        ready.run("reduce", "./check.sh", "in.txt", "-o", name), ready, "would overwrite the input", "--in-place"
    )


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["-o", "x", "--in-place"], "--in-place: not allowed with argument -o"),
        (["--algorithm", "grouping", "--ddmin-factor", "3"], "factor cannot be combined with grouping"),
        (["--algorithm", "onemin", "--ddmin-factor", "3"], "factor cannot be combined with onemin"),
        (["--algorithm", "ddmin", "--ddmin-factor", "1"], "whole number of at least 2"),
        (["--algorithm", "magic"], "magic"),
        (["--algorithm", "cdd", "--parallel-mode", "combined"], "--parallel-mode combined"),
        (["--algorithm", "grouping", "--parallel-mode", "race"], "--parallel-mode race"),
        (
            ["--algorithm", "ddmin", "--ddmin-steps", "complements-only", "--ddmin-subset-order", "random"],
            "--ddmin-subset-order",
        ),
        (["-j", "0"], "'0' is not a whole number of at least 1"),
        (["-j", "many"], "'many' is not a whole number of at least 1"),
        (["--timeout", "-1"], "'-1' is not a positive number of seconds"),
        (["--timeout", "soon"], "'soon' is not a positive number of seconds"),
        (["--max-tests", "1.5"], "'1.5' is not a whole number of at least 1"),
        (["-o", "-"], "the result is a file"),
        (["--units", "words"], "words"),
        (["--no-such-option"], "--no-such-option"),
    ],
)
def test_options_that_make_no_sense(ready: CommandLine, words: list[str], said: str) -> None:
    assert_refused(ready.run("reduce", "./check.sh", "in.txt", *words), ready, said)
