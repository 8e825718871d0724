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


def test_the_difference_is_a_subtree_where_that_is_asked_for(shell: CommandLine) -> None:
    shell.write("works.json", '{"name": "shop", "items": [{"id": 1}], "port": 80}\n')
    shell.write("fails.json", '{"name": "shop 2", "items": [{"id": 1}, {"id": 2, "price": -1}], "port": 81}\n')
    program = "import json, sys; [i['id'] / max(i.get('price', 1), 0) for i in json.load(open(sys.argv[1]))['items']]"
    done = shell.run(
        "isolate", "works.json", "fails.json", "--units", "tree", "-q", "--", "python3", "-c", program, "fails.json"
    )
    assert done.status == 0, done.stderr
    passing, failing = ((shell.folder / f"fails.{side}ing.json").read_text() for side in ("pass", "fail"))
    assert failing.replace(', {"id": 2, "price": -1}', "") == passing


def test_units_of_a_language_need_a_language(shell: CommandLine) -> None:
    shell.check("exit 0")
    shell.write("works.xyz", "a")
    shell.write("fails.xyz", "b")
    done = shell.run("isolate", "./check.sh", "works.xyz", "fails.xyz", "--units", "tokens")
    assert done.status == 2
    assert "the language of fails.xyz is unknown" in done.stderr
    done = shell.run("isolate", "./check.sh", "works.xyz", "fails.xyz", "--language", "c")
    assert (done.status, "--language" in done.stderr) == (2, True)
