"""`--versions`: one version of a program after another, each beginning with what the one before it left."""

from __future__ import annotations

import json

import pytest

from tests.cli.command_line import CommandLine

VERSIONS = {
    "1": 'grep -q bug "$1" && { echo "Error: bug found" >&2; exit 3; }; exit 0',
    "2": 'grep -q bug "$1" && grep -q help "$1" && { echo "Error: bug found" >&2; exit 3; }; exit 0',
    "3": "exit 0",
    "4": 'grep -q help "$1" && { echo "Error: no help" >&2; exit 3; }; exit 0',
}


@pytest.fixture
def tool(shell: CommandLine) -> CommandLine:
    for version, script in VERSIONS.items():
        shell.write(f"tool-{version}", f"#!/bin/sh\n{script}\n", 0o755)
    shell.write("in.txt", "".join(f"line {number}\n" for number in range(20)) + "this bug\nneeds help\n")
    return shell


def test_each_version_begins_with_the_smallest_input_that_fails_with_it(tool: CommandLine) -> None:
    done = tool.run("reduce", "in.txt", "--versions", "1,2", "-j", "1", "--", "./tool-{version}", "in.txt")
    assert done.status == 0, done.stderr
    assert (tool.folder / "in.min.1.txt").read_text().split() == ["bug"]
    assert (tool.folder / "in.min.2.txt").read_text().split() == ["bug", "help"]
    assert (tool.folder / "in.min.txt").read_bytes() == (tool.folder / "in.min.2.txt").read_bytes()
    back = tool.run("reduce", "in.txt", "--versions", "2,1", "-j", "1", "--", "./tool-{version}", "in.txt")
    assert "version 1, " in back.stderr
    assert "input: 9 bytes" in back.stderr or "input: 8 bytes" in back.stderr, back.stderr
    tool.assert_nothing_is_left()


def test_a_version_without_the_failure_is_told_and_another_failure_too(tool: CommandLine) -> None:
    done = tool.run("reduce", "in.txt", "--versions", "2,3,4", "--", "./tool-{version}", "in.txt")
    assert done.status == 0
    assert "warning: version 3: ./tool-3 in.txt does not fail" in done.stderr
    assert "warning: version 4 fails in another way: Error: no help" in done.stderr


def test_a_check_of_each_version_and_json(tool: CommandLine) -> None:
    tool.check('! ./tool 2> /dev/null "$1"')
    for version in ("1", "2"):
        tool.check(f'! {tool.folder}/tool-{version} "$1" 2> /dev/null', f"check-{version}.sh")
    done = tool.run("reduce", "./check-{version}.sh", "in.txt", "--versions", "2,1", "--json")
    told = json.loads(done.stdout)
    assert told["versions"] == {"2": "in.min.2.txt", "1": "in.min.1.txt"}
    assert told["bytes_after"] < 6


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("in.txt", "--versions", "1,2", "--", "./tool-1", "in.txt"), "write {version}"),
        (("in.txt", "--versions", "1,1", "--", "./tool-{version}", "in.txt"), "different versions"),
        (("in.txt", "--versions", "1", "--in-place", "--", "./tool-{version}", "in.txt"), "--in-place"),
        (("in.txt", "--versions", "3", "--", "./tool-{version}", "in.txt"), "does not fail"),
    ],
)
def test_what_is_wrong_is_told(tool: CommandLine, words: tuple[str, ...], told: str) -> None:
    done = tool.run("reduce", *words)
    assert done.status in (1, 2)
    assert told in done.stderr
    assert "Traceback" not in done.stderr
