"""`minrepro lint`: checks that show the failure, and are wrong all the same."""

from __future__ import annotations

import pytest

from tests.cli.command_line import CommandLine


@pytest.mark.parametrize(
    ("script", "told"),
    [
        ('grep -q crash "$1"', "no problems found"),
        ("true", "accepts the empty input"),
        ('sleep 77 & grep -q crash "$1"', "leaves processes behind (sleep)"),
        (
            '[ -e beside ] && grep -q crash "$1"',
            "reproduces it in the current directory, so it depends on files here",
        ),
        ('[ ! -e beside ] && grep -q crash "$1"', "depends on the working directory"),
        ('grep -q crash "$1" && exit 0; [ -s "$1" ] && sleep 2; exit 1', "on half of the input, but"),
    ],
)
def test_what_is_wrong_with_a_check_is_told(shell: CommandLine, script: str, told: str) -> None:
    shell.write("beside", "")
    shell.write("in.txt", "one\ntwo\ncrash here\n")
    shell.check(script)
    done = shell.run("lint", "./check.sh", "in.txt")
    assert told in done.stderr
    assert done.status == (told != "no problems found")
    shell.assert_nothing_is_left()
