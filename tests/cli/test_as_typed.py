"""`minrepro reduce INPUT -- COMMAND` as people type it: the right failure, or a word about why not."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.command_line import CommandLine, Done

ORDERS = """\
id,name,quantity
1,apple,3
2,pear,1O
3,plum,
4,fig,7
"""
PROGRAM = """\
import csv, sys
from prices import PRICES

def check(row):
    if row["name"] not in PRICES:
        raise KeyError(row["name"])
    return int(row["quantity"])

for row in csv.DictReader(open(sys.argv[1])):
    check(row)
"""
COMPILER = """\
import sys
text = open(sys.argv[1]).read()
defined = [line.split()[1] for line in text.splitlines() if line.startswith("let ")]
errors = 0
for number, line in enumerate(text.splitlines(), 1):
    for word in line.split()[1:] if line.startswith("use ") else []:
        if word not in defined:
            print(f"{sys.argv[1]}:{number}:5: error: '{word}' is not defined", file=sys.stderr)
            errors += 1
print(f"{errors} errors generated.", file=sys.stderr)
sys.exit(1 if errors else 0)
"""
SOURCE = "let a\nlet b\nuse a b\nlet d\nuse d\nuse a missing\nuse b\nlet e\nuse e\n"


@pytest.fixture
def here(shell: CommandLine) -> CommandLine:
    shell.write("orders.csv", ORDERS)
    shell.write("load.py", PROGRAM)
    shell.write("prices.py", "PRICES = {'apple': 1, 'pear': 2, 'plum': 3, 'fig': 4}\n")
    shell.write("compiler.py", COMPILER)
    shell.write("main.src", SOURCE)
    return shell


def reduced(here: CommandLine, *words: str) -> Done:
    done = here.run("reduce", *words)
    assert done.status == 0, done.stderr
    here.assert_nothing_is_left()
    return done


def test_neighbours_are_found_where_the_command_was_typed(here: CommandLine) -> None:
    done = reduced(here, "orders.csv", "--", sys.executable, "load.py", "orders.csv")
    assert "target failure: ValueError: invalid literal for int() with base 10: '1O'" in done.stderr
    assert 'File "load.py", line 7, in check' in done.stderr
    assert "(the same message)" in done.stderr
    result = (here.folder / "orders.min.csv").read_text()
    assert "1O" in result and "pear" in result and "plum" not in result


def test_what_the_command_leaves_behind_reaches_neither_the_user_nor_the_next_check(here: CommandLine) -> None:
    line = "test -e made && exit 9; echo x >made; mkdir build; " + f"{sys.executable} compiler.py main.src"
    before = here.names()
    reduced(here, "main.src", "--", line)
    assert here.names() - before == {"main.min.src", "main.src.minrepro"}


def test_no_error_appears_that_the_input_did_not_show(here: CommandLine) -> None:
    reduced(here, "main.src", "--", sys.executable, "compiler.py", "main.src")
    assert (here.folder / "main.min.src").read_text().split() == ["use", "missing"]
    done = subprocess.run(
        [sys.executable, "compiler.py", "main.min.src"], cwd=here.folder, capture_output=True, text=True
    )
    assert done.stderr.splitlines() == [
        "main.min.src:1:5: error: 'missing' is not defined",
        "1 errors generated.",
    ]


@pytest.mark.parametrize("words", [["copy", "MINREPRO_VIEW"], ["none", "MINREPRO_VIEW"]], ids=["copy", "none"])
def test_without_an_overlay_the_failure_is_the_same(here: CommandLine, words: list[str]) -> None:
    kind, name = words
    here.environment[name] = kind
    reduced(here, "main.src", "--", sys.executable, "compiler.py", "main.src")
    assert (here.folder / "main.min.src").read_text().split() == ["use", "missing"]


def test_a_command_that_fails_otherwise_without_its_neighbors_is_refused(here: CommandLine) -> None:
    here.environment["MINREPRO_VIEW"] = "none"
    program = "import sys; sys.path.insert(0, '.'); from prices import PRICES; open(sys.argv[1]).read()[9999]"
    done = here.run("reduce", "main.src", "--", sys.executable, "-c", program, "main.src")
    assert done.status == 2
    assert "behaves differently in an empty directory" in done.stderr
    assert "IndexError" in done.stderr and "No module named 'prices'" in done.stderr
    assert not (here.folder / "main.min.src").exists()


def test_a_command_is_run_at_most_seven_times_before_the_reduction_begins(here: CommandLine) -> None:
    runs = here.folder.parent / "runs"
    line = f"echo x >>{runs}; {sys.executable} compiler.py main.src"
    reduced(here, "main.src", "--sandbox", "off", "--choose", "--", line)
    assert 3 <= len(runs.read_text().split()) <= 7


def test_where_time_is_short_it_is_run_on_the_input_twice_and_on_the_empty_one(here: CommandLine) -> None:
    runs = here.folder.parent / "runs"
    line = f"echo x >>{runs}; sleep 0.2; {sys.executable} compiler.py main.src"
    reduced(here, "main.src", "--sandbox", "off", "--choose", "--max-time", "0.5", "--", line)
    assert len(runs.read_text().split()) == 3


def test_lines_without_a_word_of_failure_are_compared_with_those_of_runs_that_succeed(here: CommandLine) -> None:
    stops = [f"stop{number} {number}" for number in range(12)]
    here.write("plan.txt", "\n".join([*stops, "barn 920", "mill 3"]) + "\n")
    here.write(
        "verify.sh",
        'while read -r name weight; do echo "looking at $name"; if [ "$weight" -gt 100 ]; then '
        'echo "$name weighs $weight, the van takes 100"; bad=1; fi; done <"$1"; echo "all seen"; exit ${bad:-0}\n',
    )
    done = reduced(here, "plan.txt", "-o", "out", "--", "sh", "verify.sh", "plan.txt")
    assert "barn weighs 920, the van takes 100 (exit status 1; printed only when it fails)" in done.stderr
    assert (here.folder / "out").read_text().split() == ["barn", "920"]


def test_diagnostics_in_json_are_read_as_others(here: CommandLine) -> None:
    here.write(
        "lint.py",
        "import json, sys\n"
        "text = open(sys.argv[1]).read()\n"
        "found = [{'line': n, 'severity': 2, 'message': f'do not use {line.split()[1]!r}'}\n"
        "         for n, line in enumerate(text.splitlines(), 1) if line.startswith('use') and 'missing' in line]\n"
        "print(json.dumps([{'path': sys.argv[1], 'messages': found, 'source': text}]))\n"
        "sys.exit(bool(found))\n",
    )
    done = reduced(here, "main.src", "-o", "out", "--", sys.executable, "lint.py", "main.src")
    assert "error: do not use 'a' (exit status 1" in done.stderr
    assert (here.folder / "out").read_text().strip() == "use a missing"


def test_a_message_that_nothing_gives_too_is_the_failure_where_something_is(here: CommandLine) -> None:
    here.write("rows.json", '{"a": 1,\n "b": [1, 2],\n "c": pear,\n "d": {"e": 3}}\n')
    reduced(here, "rows.json", "-o", "out", "--", sys.executable, "-m", "json.tool", "rows.json")
    result = (here.folder / "out").read_text()
    assert 0 < len("".join(result.split())) < 6


def test_an_input_that_is_found_by_its_name_need_not_be_named(here: CommandLine) -> None:
    here.write("check.py", "import sys; sys.argv[1:] = ['main.src']; exec(open('compiler.py').read())\n")
    reduced(here, "main.src", "--", sys.executable, "check.py")
    assert (here.folder / "main.min.src").read_text().split() == ["use", "missing"]


def test_an_input_that_is_redirected_is_on_standard_input(here: CommandLine) -> None:
    here.check("grep -q crash && { echo 'tool: fatal: crash found' >&2; exit 4; }; exit 0", "tool")
    here.write("in.txt", "one\ntwo\ncrash\nthree\n")
    command = [sys.executable, "-m", "minrepro", "reduce", "in.txt", "--", "./tool"]
    with (here.folder / "in.txt").open("rb") as source:
        done = subprocess.run(
            command, cwd=here.folder, env=here.environment, stdin=source, capture_output=True, text=True
        )
    assert done.returncode == 0, done.stderr
    assert (here.folder / "in.min.txt").read_text().split() == ["crash"]


def test_a_dash_is_standard_input(here: CommandLine) -> None:
    here.check("grep -q crash && { echo 'tool: fatal: crash found' >&2; exit 4; }; exit 0", "tool")
    command = [sys.executable, "-m", "minrepro", "reduce", "-", "--", "./tool"]
    done = subprocess.run(
        command, cwd=here.folder, env=here.environment, input="one\ntwo\ncrash\n", capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert (here.folder / "stdin.min").read_text().split() == ["crash"]


@pytest.mark.parametrize(
    "words",
    [
        [f"{sys.executable} compiler.py @@ 2>&1 | sed s/error/fault/ >&2; exit 3"],
        [f'{sys.executable} compiler.py "$1" && exit 0; exit 3'],
        [sys.executable, "compiler.py", "main.src", "||", "exit", "3"],
    ],
    ids=["a pipe", "an argument", "operators"],
)
def test_a_line_of_shell_is_run_by_a_shell(here: CommandLine, words: list[str]) -> None:
    done = reduced(here, "main.src", "--", *words)
    assert "'missing' is not defined" in done.stderr and "exit status 3" in done.stderr
    assert (here.folder / "main.min.src").read_text().split() == ["use", "missing"]


def test_all_that_could_be_meant_is_listed_and_can_be_chosen(here: CommandLine) -> None:
    here.write("main.src", SOURCE + "use other\n")
    command = ["--", sys.executable, "compiler.py", "main.src"]
    listed = reduced(here, "main.src", "--choose", *command).stdout.splitlines()
    assert "'missing' is not defined" in listed[0] and listed[0].startswith("  1  ")
    assert "'other' is not defined" in listed[1]
    reduced(here, "main.src", "--failure", "2", *command)
    assert (here.folder / "main.min.src").read_text().split() == ["use", "other"]


def test_other_errors_are_allowed_when_asked_for(here: CommandLine) -> None:
    here.write("broken.py", COMPILER.replace("sys.exit", "print('fatal error: too many', file=sys.stderr)\nsys.exit"))
    done = reduced(here, "main.src", "--allow-other-errors", "--", sys.executable, "broken.py", "main.src")
    assert "target failure" in done.stderr


SILENT = "import sys; text = open(sys.argv[1]).read(); print(text and 'x'); sys.exit(bool(text.strip()))"


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ([sys.executable, "-c", "import sys; sys.exit('bad thing')"], "fails the same way on an empty main.src"),
        ([sys.executable, "-c", SILENT], "hint: --expect-exit 1"),
        (["sh", "-c", "grep -q missing $0 || exit 0; nosuchprogram"], "hint: does it work for another input?"),
        (["./nothere"], "does not exist"),
    ],
    ids=["same when empty", "only a status", "not found", "no program"],
)
def test_what_is_no_failure_of_the_input_is_refused(here: CommandLine, words: list[str], told: str) -> None:
    done = here.run("reduce", "main.src", "--", *words, "main.src")
    assert done.status != 0
    assert told in done.stderr
    assert not (here.folder / "main.min.src").exists()
    here.assert_nothing_is_left()


def test_a_status_without_a_word_is_said_to_be_all_there_is(here: CommandLine) -> None:
    done = reduced(here, "main.src", "--", "sh", "-c", "! grep -q missing $0 || exit 7", "main.src")
    assert "prints nothing, so exit status 7 is all that is checked" in done.stderr


def test_a_check_and_an_input_in_the_wrong_order_are_noticed(here: CommandLine) -> None:
    here.check("true")
    done = here.run("reduce", "main.src", "./check.sh")
    assert done.status == 2
    assert "wrong order" in done.stderr and "minrepro reduce ./check.sh main.src" in done.stderr


def test_a_misspelt_option_is_answered_with_the_right_one(here: CommandLine) -> None:
    done = here.run("reduce", "main.src", "--expect-sdterr", "x", "--", "true")
    assert done.status == 2
    assert "unknown option --expect-sdterr; did you mean --expect-stderr?" in done.stderr
    assert here.run("reduce", "main.src", "--quie", "--", "true").status == 2


def test_what_a_check_prints_is_shown_when_it_does_not_reproduce(here: CommandLine) -> None:
    here.check('echo "cannot find libfoo" >&2; exit 1')
    done = here.run("reduce", "./check.sh", "main.src")
    assert done.status == 1
    assert "It prints:\n  cannot find libfoo" in done.stderr


@pytest.mark.parametrize(
    ("name", "result"),
    [
        ("main.rs", "main_min.rs"),
        ("test_cart.py", "test_cart_min.py"),
        ("crash.json", "crash.min.json"),
        ("Makefile", "Makefile.min"),
    ],
)
def test_results_have_names_that_tools_accept(here: CommandLine, name: str, result: str) -> None:
    here.write(name, "one\ncrash\ntwo\n")
    here.check('grep -q crash "$1"')
    assert here.run("reduce", "./check.sh", name, "--units", "lines").status == 0
    assert (here.folder / result).is_file()


def test_a_difference_is_isolated_with_the_failing_command_alone(here: CommandLine) -> None:
    here.write("good.src", SOURCE.replace("use a missing", "use a b"))
    done = here.run("isolate", "good.src", "main.src", "--", sys.executable, "compiler.py", "main.src")
    assert done.status == 0, done.stderr
    assert "-use a \n+use a missing\n" in done.stdout


def test_lint_tells_what_a_failing_command_is_known_by(here: CommandLine) -> None:
    done = here.run("lint", "main.src", "--", sys.executable, "compiler.py", "main.src")
    assert done.status == 0, done.stderr
    assert "target failure" in done.stderr and "'missing' is not defined" in done.stdout


def test_inputs_elsewhere_are_replaced_where_they_are(here: CommandLine, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "main.src").write_text(SOURCE)
    reduced(
        here, str(elsewhere / "main.src"), "-o", "out", "--", sys.executable, "compiler.py", str(elsewhere / "main.src")
    )
    assert (here.folder / "out").read_text().split() == ["use", "missing"]
    assert (elsewhere / "main.src").read_text() == SOURCE


@pytest.mark.parametrize("command", ["reduce", "lint"])
def test_a_failing_command_without_an_input_is_answered_with_the_command_that_is_meant(
    shell: CommandLine, command: str
) -> None:
    shell.write("crash.json", "{}")
    done = shell.run(command, "--", "python3", "load.py", "crash.json")
    assert done.status == 2
    assert f"hint: minrepro {command} crash.json -- python3 load.py crash.json" in done.stderr


def test_a_missing_double_dash_is_noticed(shell: CommandLine) -> None:
    shell.write("crash.json", "{}")
    done = shell.run("reduce", "crash.json", "python3", "load.py", "crash.json")
    assert done.status == 2
    assert "is the -- before the failing command missing?" in done.stderr
    assert "hint: minrepro reduce crash.json -- python3 load.py crash.json" in done.stderr
