"""`minrepro reduce INPUT -- COMMAND`, with real commands."""

from __future__ import annotations

import subprocess

import pytest

from tests.cli.command_line import CommandLine

INPUT = "one\ntwo\ncrash here\nthree\nfour\n"
FAILS = 'if grep -q crash "$1"; then echo "tool.c:3: internal error: bad state 17" >&2; exit 3; fi'


@pytest.fixture
def tool(shell: CommandLine) -> CommandLine:
    shell.check(FAILS, "tool")
    shell.write("in.txt", INPUT)
    return shell


def result(command_line: CommandLine) -> str:
    return (command_line.folder / "in.min.txt").read_text()


def test_the_failing_command_is_all_it_takes(tool: CommandLine) -> None:
    done = tool.run("reduce", "in.txt", "--", "./tool", "@@")
    assert done.status == 0, done.stderr
    assert "target failure: internal error: bad state 17 (exit status 3; the internal error)" in done.stderr
    assert result(tool).strip() == "crash"
    tool.assert_nothing_is_left()


def test_the_path_of_the_input_means_the_candidate(tool: CommandLine) -> None:
    assert tool.run("reduce", "in.txt", "--", "./tool", "in.txt").status == 0
    assert result(tool).strip() == "crash"


def test_without_a_name_the_candidate_is_on_standard_input(tool: CommandLine) -> None:
    done = tool.run("reduce", "in.txt", "--", "sh", "-c", "! grep -q crash || kill -SEGV $$")
    assert "SIGSEGV" in done.stderr
    assert result(tool).strip() == "crash"


def test_another_crash_is_another_failure(tool: CommandLine) -> None:
    tool.check('grep -q here "$1" || kill -ABRT $$\necho "a.c:1: f: Assertion `x\' failed." >&2; kill -ABRT $$', "tool")
    assert tool.run("reduce", "in.txt", "--", "./tool", "@@").status == 0
    assert result(tool).split() == ["here"]


def test_what_must_still_succeed_does(tool: CommandLine) -> None:
    done = tool.run(
        "reduce",
        "in.txt",
        "--require",
        "grep -q two @@",
        "--require",
        'test "$(wc -l <@@)" -ge 1',
        "--",
        "./tool",
        "@@",
    )
    assert done.status == 0, done.stderr
    assert set(result(tool).split()) == {"two", "crash"}


def test_two_commands_that_must_differ(tool: CommandLine) -> None:
    done = tool.run("reduce", "in.txt", "--compare", "cat @@", "sed s/crash/smash/ @@", "--expect-stdout", "crash")
    assert "the outputs differ (exit status 0 and 0)" in done.stderr
    assert result(tool).strip() == "crash"


def test_a_command_that_hangs(tool: CommandLine) -> None:
    done = tool.run(
        "reduce",
        "in.txt",
        "--expect-hang",
        "0.3",
        "--units",
        "lines",
        "--",
        "sh",
        "-c",
        '! grep -q crash "$0" || sleep 60',
        "@@",
    )
    assert "still running after 0.3 s" in done.stderr
    assert result(tool) == "crash here\n"


@pytest.mark.parametrize(
    ("options", "status"),
    [
        (["--expect-exit", "3"], 0),
        (["--expect-exit", "4"], 1),
        (["--expect-stderr", "bad st.te"], 0),
        (["--expect-stderr", "good"], 1),
        (["--expect-signal", "SEGV"], 1),
    ],
)
def test_what_is_stated_counts(tool: CommandLine, options: list[str], status: int) -> None:
    done = tool.run("reduce", "in.txt", *options, "--", "./tool", "@@")
    assert done.status == status
    if status:
        assert done.stderr.startswith("minrepro: error: ./tool @@ does not reproduce the failure on in.txt")
        assert "internal error: bad state" in done.stderr


def test_the_saved_check_says_the_same(tool: CommandLine) -> None:
    done = tool.run("reduce", "in.txt", "--save-check", "check.sh", "--require", "grep -q two @@", "--", "./tool", "@@")
    assert done.status == 0, done.stderr
    check = str(tool.folder / "check.sh")
    statuses = {}
    for name, content in {"both": "crash two", "first": "crash", "second": "two", "none": ""}.items():
        case = tool.write(name, content)
        statuses[name] = subprocess.run([check, str(case)], cwd=tool.temporary, check=False).returncode
    assert statuses == {"both": 0, "first": 125, "second": 1, "none": 1}
    assert tool.run("reduce", "check.sh", "in.txt", "-o", "again.txt").status == 0
    assert (tool.folder / "again.txt").read_text() == result(tool)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["in.txt", "--", "true", "@@"], "minrepro: error: true @@ does not fail on in.txt: exit 0"),
        (
            ["in.txt", "--", "sh", "-c", "exit $(($$ % 97 + 1))", "@@"],
            "minrepro: error: sh -c 'exit $(($$ % 97 + 1))' @@ fails the same way on an empty in.txt",
        ),
        (["in.txt", "--", "false"], "minrepro: error: false fails the same way without in.txt (exit 1)"),
        (["in.txt", "--", "./missing", "@@"], "minrepro: error: the check './missing' does not exist"),
        (
            ["in.txt", "--timeout", "0.3", "--", "sleep", "60"],
            "minrepro: error: sleep 60 is still running on in.txt after 0.3 s",
        ),
        (["in.txt", "--", "sh", "-c", "echo 'the input device is not a TTY' >&2"], "minrepro: error: sh -c"),
        (
            ["in.txt", "--expect-stderr", "(", "--", "./tool", "@@"],
            "minrepro: error: --expect-stderr '(' is not a regular expression",
        ),
        (["in.txt", "--expect-signal", "SEGF", "--", "./tool", "@@"], "minrepro: error: unknown signal 'SEGF'"),
        (
            ["in.txt", "--require", "grep -q zebra @@", "--", "./tool", "@@"],
            "minrepro: error: --require 'grep -q zebra @@' fails on in.txt itself (exit 1)",
        ),
        (
            ["in.txt", "--compare", "cat @@", "cat @@"],
            "minrepro: error: cat @@ versus cat @@ print the same output on the input",
        ),
        (["./tool", "in.txt", "--expect-exit", "3"], "minrepro: error: --expect-exit requires a failing command"),
        (["./tool"], "minrepro: error: a check, but no input"),
    ],
)
def test_what_is_wrong_is_said_in_a_line_or_two(tool: CommandLine, words: list[str], told: str) -> None:
    done = tool.run("reduce", *words)
    assert done.status == (1 if "does not fail" in told or "print the same" in told else 2)
    assert done.stderr.startswith(told)
    assert len(done.stderr.splitlines()) <= 2
    tool.assert_nothing_is_left()


def test_huge_output_does_no_harm(tool: CommandLine) -> None:
    tool.check(f'yes "a line of no meaning" | head -c 10000000\n{FAILS}', "tool")
    assert tool.run("reduce", "in.txt", "--units", "lines", "--", "./tool", "@@").status == 0
    assert result(tool) == "crash here\n"
