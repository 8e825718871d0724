"""`minrepro isolate`, as a user runs it."""

from __future__ import annotations

import json

from tests.cli.command_line import CommandLine

WORKS = "name = shop\nport = 80\ndebug = no\nlevel = 3\n"
FAILS = "name = shop 2\nport = 81\ndebug = yes\nlevel = 4\n"


def test_two_files_come_out_that_differ_by_what_matters(shell: CommandLine) -> None:
    shell.check('grep -q "debug = yes" "$1"')
    shell.write("works.conf", WORKS)
    shell.write("fails.conf", FAILS)
    done = shell.run("isolate", "./check.sh", "works.conf", "fails.conf", "--units", "lines")
    assert done.status == 0, done.stderr
    passing = (shell.folder / "fails.passing.conf").read_text().splitlines()
    failing = (shell.folder / "fails.failing.conf").read_text().splitlines()
    assert set(failing) - set(passing) == {"debug = yes"}
    assert set(passing) - set(failing) == set()
    assert "+debug = yes" in done.stdout.splitlines()
    shell.assert_nothing_is_left()


def test_the_results_can_be_named_and_a_summary_for_machines_printed(shell: CommandLine) -> None:
    shell.check('grep -q "debug = yes" "$1"')
    shell.write("works.conf", WORKS)
    shell.write("fails.conf", FAILS)
    done = shell.run("isolate", "./check.sh", "works.conf", "fails.conf", "-o", "side.txt", "--json", "-q")
    summary = json.loads(done.stdout)
    assert done.stderr == ""
    assert (summary["passing"], summary["failing"]) == ("side.passing.txt", "side.failing.txt")
    assert summary["finished"] is True
    assert {"side.passing.txt", "side.failing.txt"} <= shell.names()


def test_the_passing_side_may_be_an_empty_file(shell: CommandLine) -> None:
    shell.check('grep -q yes "$1"')
    shell.write("works.conf", "")
    shell.write("fails.conf", FAILS)
    done = shell.run("isolate", "./check.sh", "works.conf", "fails.conf")
    assert done.status == 0, done.stderr
    assert b"yes" in (shell.folder / "fails.failing.conf").read_bytes()


def test_a_passing_side_that_fails_is_refused(shell: CommandLine) -> None:
    shell.check("exit 0")
    shell.write("works.conf", WORKS)
    shell.write("fails.conf", FAILS)
    done = shell.run("isolate", "./check.sh", "works.conf", "fails.conf")
    assert done.status == 1
    assert "works.conf" in done.stderr
    assert "reproduces the failure on works.conf" in done.stderr


def test_a_failing_side_that_passes_is_refused(shell: CommandLine) -> None:
    shell.check("exit 1")
    shell.write("works.conf", WORKS)
    shell.write("fails.conf", FAILS)
    done = shell.run("isolate", "./check.sh", "works.conf", "fails.conf")
    assert done.status == 1
    assert "does not reproduce the failure on fails.conf" in done.stderr


def test_two_files_that_are_the_same_are_refused(shell: CommandLine) -> None:
    shell.check("exit 0")
    shell.write("works.conf", WORKS)
    shell.write("fails.conf", WORKS)
    done = shell.run("isolate", "./check.sh", "works.conf", "fails.conf")
    assert done.status == 2
    assert "identical" in done.stderr


def test_a_budget_ends_with_two_sides_that_are_still_true(shell: CommandLine) -> None:
    shell.check('grep -q "debug = yes" "$1"')
    shell.write("works.conf", WORKS)
    shell.write("fails.conf", FAILS)
    done = shell.run("isolate", "./check.sh", "works.conf", "fails.conf", "--max-tests", "3", "--json", "-j", "1")
    assert done.status == 0
    assert json.loads(done.stdout)["finished"] is False
    assert "debug = yes" in (shell.folder / "fails.failing.conf").read_text()
    assert "debug = yes" not in (shell.folder / "fails.passing.conf").read_text()
