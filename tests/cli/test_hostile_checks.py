"""Checks that misbehave: the result is the same, nothing is lost and nothing is left."""

from __future__ import annotations

import json

import pytest

from tests.cli.command_line import CommandLine

INPUT = "a\nb\nneedle\nc\n"

HOSTILE = {
    "prints without end": 'grep -q needle "$1" || { yes & sleep 1000; }; grep -q needle "$1"',
    "prints much and goes on": 'head -c 30000000 /dev/zero; grep -q needle "$1"',
    "leaves a daemon behind": 'setsid sh -c "trap : TERM HUP INT; sleep 1000" > /dev/null 2>&1 & grep -q needle "$1"',
    "leaves a daemon that holds its output": 'setsid sleep 1000 & grep -q needle "$1"',
    "writes into its folder": 'mkdir -p a/b/c; echo x > a/b/c/d; chmod 0 a/b; grep -q needle "$1"',
    "deletes its input": 'grep -q needle "$1"; found=$?; rm -f "$1"; exit $found',
    "changes its input": 'grep -q needle "$1"; found=$?; echo needle > "$1"; exit $found',
    "deletes its folder": 'grep -q needle "$1"; found=$?; rm -rf "$PWD"; exit $found',
    "reads what is not there": 'cat; grep -q needle "$1"',
    "kills itself": 'grep -q needle "$1" && exit 0; kill -KILL $$',
    "kills its group": 'grep -q needle "$1" && exit 0; kill -KILL 0',
    "stops itself": 'grep -q needle "$1" && exit 0; kill -STOP $$',
}


@pytest.mark.parametrize("script", HOSTILE.values(), ids=HOSTILE.keys())
def test_the_result_is_right_and_nothing_is_left(shell: CommandLine, script: str) -> None:
    shell.check(script)
    shell.write("in.txt", INPUT)
    done = shell.run("reduce", "./check.sh", "in.txt", "--units", "lines", "--timeout", "5", "-j", "2")
    assert done.status == 0, done.stderr
    assert (shell.folder / "in.min.txt").read_text() == "needle\n"
    assert (shell.folder / "in.txt").read_text() == INPUT
    assert shell.names() == {"check.sh", "in.txt", "in.min.txt", "in.txt.minrepro"}
    shell.assert_nothing_is_left()


def test_a_check_that_eats_memory_ends_when_there_is_no_more(shell: CommandLine) -> None:
    # The check limits itself: a machine that is really out of memory would end other things too.
    shell.check('ulimit -v 200000; grep -q needle "$1" && exit 0; x=x; while :; do x="$x$x$x$x"; done')
    shell.write("in.txt", INPUT)
    done = shell.run("reduce", "./check.sh", "in.txt", "--units", "lines", "--timeout", "30", "--json", "-j", "1")
    assert json.loads(done.stdout)["bytes_after"] == len("needle\n")
    shell.assert_nothing_is_left()


def test_a_check_that_disappears_during_the_run_is_told_of_and_the_best_so_far_kept(shell: CommandLine) -> None:
    check = shell.folder / "check.sh"
    shell.check(f'grep -q needle "$1" || exit 1; [ "$(wc -l < "$1")" -gt 2 ] || rm -f {check}; exit 0')
    shell.write("in.txt", INPUT)
    done = shell.run("reduce", "./check.sh", "in.txt", "--units", "characters", "-j", "1", "--sandbox", "off")
    assert done.status == 2
    assert "minrepro: error: cannot run the check" in done.stderr
    assert "Traceback" not in done.stderr
    assert "needle" in (shell.folder / "in.min.txt").read_text()
    shell.assert_nothing_is_left()
