"""`minrepro args`: which arguments a command needs to fail, with the real command line and real programs."""

from __future__ import annotations

import json
import shlex
import subprocess

import pytest

from tests.cli.command_line import CommandLine

PROGRAM = """\
#!/usr/bin/env python3
import shlex, sys
words = []
for word in sys.argv[1:]:
    words += shlex.split(open(word[1:]).read()) if word[0] == "@" else [word]
if "-o" in words[-1:] or "-o" not in words or words[words.index("-o") + 1].startswith("-"):
    sys.exit("usage: -o FILE")
if "--strict" in words and any(word.startswith("--check=") and "types" in word for word in words):
    raise ValueError(f"cannot check {len(words)} words")
"""
IN_SH = """\
#!/bin/sh
out= strict= types=
for word; do
    [ "$before" = -o ] && case "$word" in -*) ;; *) out=yes; esac
    case "$word" in --strict) strict=yes ;; --check=*types*) types=yes ;; esac
    before="$word"
done
[ "$out" ] || { echo "usage: -o FILE" >&2; exit 1; }
[ -z "$strict" ] || [ -z "$types" ] || { echo "Error: cannot check" >&2; exit 2; }
"""
"""The same, but for response files: it starts in a moment, and what is run often is run with it."""
COMMAND = (
    "./tool",
    "-v",
    "-I",
    "include",
    "-o",
    "out",
    "--check=names,types,flow",
    "-q",
    "a.txt",
    "--strict",
    "-n",
    "3",
)


@pytest.fixture
def tool(shell: CommandLine) -> CommandLine:
    shell.write("tool", PROGRAM, 0o755)
    return shell


def test_the_shortest_failing_command_is_printed_and_can_be_pasted(tool: CommandLine) -> None:
    done = tool.run("args", "-j", "2", "--", *COMMAND)
    assert done.status == 0, done.stderr
    assert done.stdout == "./tool -o out --check=types --strict\n"
    assert "12 → 4" not in done.stderr
    assert "11 → 4 arguments" in done.stderr
    script = tool.folder / "tool.min.sh"
    for pasted in (["sh", "-c", done.stdout], [str(script)]):
        seen = subprocess.run(pasted, cwd=tool.folder, capture_output=True, check=False)
        assert b"ValueError: cannot check" in seen.stderr
    assert tool.names() == {"tool", "tool.min.sh", "tool.minrepro"}
    tool.assert_nothing_is_left()


def test_every_number_of_jobs_and_every_algorithm_leads_to_the_same_command(tool: CommandLine) -> None:
    tool.write("tool", IN_SH, 0o755)
    results = {
        tool.run("args", "-q", *words, "--", *COMMAND).stdout
        for words in (["-j", "4"], ["--algorithm", "ddmin"], ["--ddmin-factor", "3"], ["--monotone"])
    }
    assert results == {"./tool -o out --check=types --strict\n"}


def test_response_files_are_opened_where_the_program_reads_them(tool: CommandLine) -> None:
    tool.write("more.txt", "-v '--check=names,types'\n--strict  @deep.txt\n")
    tool.write("deep.txt", "-x -y\n")
    done = tool.run("args", "-q", "--", "./tool", "-o", "out", "@more.txt", "-n")
    assert done.stdout == "./tool -o out --check=types --strict\n"
    tool.write("plain", '#!/bin/sh\ncase "$*" in *@more.txt*) echo "Error: bad address" >&2; exit 3;; esac\n', 0o755)
    assert tool.run("args", "-q", "--", "./plain", "-d", "@more.txt", "-n").stdout == "./plain @more.txt\n"


def test_a_check_gets_a_script_that_runs_the_candidate_where_the_command_was_typed(tool: CommandLine) -> None:
    tool.write("word.txt", "needle\n")
    check = tool.check('echo seen > leftover; sh "$1" | grep -q needle')
    done = tool.run("args", str(check), "--json", "--", "cat", "-n", "word.txt", "-A", "/dev/null")
    told = json.loads(done.stdout)
    assert told["result"] == "cat word.txt"
    assert (told["arguments_before"], told["arguments_after"]) == (4, 1)
    assert not (tool.folder / "leftover").exists()


def test_words_that_a_shell_would_change_are_quoted(tool: CommandLine) -> None:
    tool.write(
        "odd", '#!/bin/sh\nfor w; do [ "$w" = "a  b\'\\$x" ] && { echo "Error: odd" >&2; exit 4; }; done\n', 0o755
    )
    done = tool.run("args", "-q", "--", "./odd", "-x", "a  b'$x", "*")
    assert shlex.split(done.stdout) == ["./odd", "a  b'$x"]


def test_the_smallest_difference_to_a_command_that_works_is_isolated(tool: CommandLine) -> None:
    done = tool.run("args", "--baseline", "./tool -o out -v -n 3 --strict", "--", *COMMAND)
    assert done.status == 0, done.stderr
    works, fails = (shlex.split(line.partition(": ")[2]) for line in done.stdout.splitlines())
    difference = set(fails) ^ set(works)
    assert any(word.startswith("--check=") for word in difference)
    assert len(difference) <= 2
    assert (tool.folder / "tool.passing.sh").read_text().endswith(shlex.join(works) + "\n")


def test_an_interrupted_reduction_is_resumed_and_comes_to_the_same_end(tool: CommandLine) -> None:
    tool.write("tool", IN_SH, 0o755)
    assert tool.run("args", "-j", "1", "--max-tests", "6", "--", *COMMAND).status == 0
    done = tool.run("resume", "tool.minrepro")
    assert done.stdout == "./tool -o out --check=types --strict\n", done.stderr
    assert "reused from the journal" in done.stderr
    assert tool.run("show", "tool.minrepro").stdout.count("accepted") > 2


def test_a_report_says_which_command_to_run(tool: CommandLine) -> None:
    tool.write("tool", IN_SH, 0o755)
    assert tool.run("args", "-q", "--report", "r.md", "--", *COMMAND).status == 0
    assert "Run this:\n\n```\n./tool -o out --check=types --strict\n```" in (tool.folder / "r.md").read_text()


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ((), "no command"),
        (("--", "./tool"), "no arguments"),
        (("--", "./nothing", "-x"), "does not exist"),
        (("--", "true", "-x"), "does not fail"),
        (("--", "./tool -x | cat"), "line of shell"),
        (("--baseline", "cat x", "--", "./tool", "-x"), "the same program"),
        (("--baseline", "./tool -x", "--minimality", "2", "--", "./tool", "-x", "-y"), "--minimality"),
        (("true", "--expect-exit", "1", "--", "./tool", "-x"), "--expect-exit"),
        (("true", "more", "--", "./tool", "-x"), "unexpected argument more"),
    ],
)
def test_what_is_wrong_is_told_in_a_line_or_two(tool: CommandLine, words: tuple[str, ...], told: str) -> None:
    done = tool.run("args", *words)
    assert done.status in (1, 2)
    assert told in done.stderr
    assert "Traceback" not in done.stderr
    assert len(done.stderr.splitlines()) <= 3
