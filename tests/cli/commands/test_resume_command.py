"""Going on with a run: only with the same question, one at a time, and never with a journal that cannot be true."""

from __future__ import annotations

import json

import pytest

from minrepro.runs.history.record_file import encoded
from tests.cli.command_line import CommandLine, ended, until

INPUT = "".join(f"line {number}\n" for number in range(40)) + "needle\n"


@pytest.fixture
def interrupted(shell: CommandLine) -> CommandLine:
    """Return a command line after a run that came to the end of its budget."""
    shell.check('grep -q needle "$1"')
    shell.write("in.txt", INPUT)
    done = shell.run("reduce", "./check.sh", "in.txt", "--units", "lines", "-j", "1", "--max-tests", "5")
    assert done.status == 0, done.stderr
    assert "to continue: minrepro resume in.txt.minrepro" in done.stderr
    return shell


def test_resume_comes_to_the_end(interrupted: CommandLine) -> None:
    done = interrupted.run("resume", "in.txt.minrepro")
    assert done.status == 0, done.stderr
    assert "outcomes reused from the journal" in done.stderr
    assert (interrupted.folder / "in.min.txt").read_text() == "needle\n"
    assert "finished" in interrupted.run("list").stdout


def test_a_new_run_tells_of_the_interrupted_one(interrupted: CommandLine) -> None:
    done = interrupted.run("reduce", "./check.sh", "in.txt", "--units", "lines", "-j", "1")
    assert "an earlier reduction was interrupted after" in done.stderr
    assert len(interrupted.run("list").stdout.splitlines()) == 2


CHANGES = {
    "the input": ("in.txt", INPUT + "more\n", [], "the input that fails"),
    "the check": ("check.sh", '#!/bin/sh\ngrep -q needl "$1"\n', [], "the check file"),
    "an option": ("other", "", ["--timeout", "9"], "the option --timeout (not given, now 9.0)"),
}


@pytest.mark.parametrize(("name", "content", "words", "told"), CHANGES.values(), ids=CHANGES.keys())
def test_another_question_is_refused(
    interrupted: CommandLine, name: str, content: str, words: list[str], told: str
) -> None:
    interrupted.write(name, content, 0o755)
    done = interrupted.run("reduce", "./check.sh", "in.txt", "--units", "lines", "--resume", *words)
    assert done.status == 2
    assert "cannot be resumed, because this has changed since" in done.stderr
    assert told in done.stderr
    assert "Traceback" not in done.stderr


def test_of_several_interrupted_runs_the_one_with_the_same_question_is_gone_on_with(interrupted: CommandLine) -> None:
    words = ("reduce", "./check.sh", "in.txt", "-j", "1", "-q")
    assert interrupted.run(*words, "--units", "characters", "--max-tests", "5").status == 0
    done = interrupted.run(*words, "--units", "lines", "--resume", "--json")
    assert done.status == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["journal"] == "in.txt.minrepro/journal-1"
    assert told["reused_from_journal"] > 0
    assert (interrupted.folder / "in.min.txt").read_text() == "needle\n"


def test_another_number_of_jobs_is_the_same_question(interrupted: CommandLine) -> None:
    done = interrupted.run("reduce", "./check.sh", "in.txt", "--units", "lines", "--resume", "-j", "3", "-q")
    assert done.status == 0, done.stderr
    assert (interrupted.folder / "in.min.txt").read_text() == "needle\n"


def test_a_damaged_journal_is_refused(interrupted: CommandLine) -> None:
    journal = interrupted.folder / "in.txt.minrepro" / "journal-1"
    content = bytearray(journal.read_bytes())
    content[len(content) * 3 // 4] ^= 1  # behind the first record, which says what was asked
    journal.write_bytes(content)
    for words in (["resume"], ["show"]):
        done = interrupted.run(*words)
        assert done.status == 2
        assert "is damaged: record" in done.stderr
    assert interrupted.run("list").status == 2


def test_a_journal_of_another_version_is_refused(interrupted: CommandLine) -> None:
    journal = interrupted.folder / "in.txt.minrepro" / "journal-1"
    rest = journal.read_bytes().split(b"\n", 1)[1]
    journal.write_bytes(encoded(["minrepro journal", 99, "7.0"]) + rest)
    done = interrupted.run("resume")
    assert done.status == 2
    assert "is a journal of version 99, written by minrepro 7.0" in done.stderr


@pytest.mark.parametrize("content", [b"", b"hello\n", encoded("hello"), encoded(["minrepro journal", 1, "0"])])
def test_a_file_that_is_no_journal_is_refused(interrupted: CommandLine, content: bytes) -> None:
    (interrupted.folder / "in.txt.minrepro" / "journal-1").write_bytes(content)
    done = interrupted.run("resume")
    assert done.status == 2
    assert "is not a journal of minrepro, or was cut off" in done.stderr


def test_a_journal_in_use_is_refused(shell: CommandLine) -> None:
    marker, gate = shell.folder / "asleep", shell.folder / "gate"
    wait = f"touch {marker}; while ! [ -e {gate} ]; do sleep 0.05; done"
    shell.check(f'grep -q needle "$1" || exit 1; [ "$(wc -l < "$1")" -gt 20 ] || {{ {wait}; }}')
    shell.write("in.txt", INPUT)
    process = shell.start("reduce", "./check.sh", "in.txt", "--units", "lines", "-j", "1", "--sandbox", "off")
    until(marker.exists)
    done = shell.run("resume")
    running = shell.run("list").stdout
    gate.touch()
    assert ended(process).status == 0
    assert done.status == 2
    assert "is in use by another reduction" in done.stderr
    assert "running" in running


def test_a_finished_run_needs_no_more_checks(interrupted: CommandLine) -> None:
    words = ("reduce", "./check.sh", "in.txt", "--units", "lines", "-j", "1", "--resume")
    assert interrupted.run(*words).status == 0
    (interrupted.folder / "in.min.txt").unlink()
    interrupted.check("exit 0 # edited, but the question is asked of the journal first", "other.sh")
    done = interrupted.run(*words)
    assert done.status == 0
    assert "already finished" in done.stderr
    assert (interrupted.folder / "in.min.txt").read_text() == "needle\n"
    done = interrupted.run("resume")
    assert done.status == 2
    assert "nothing to resume in in.txt.minrepro: the last reduction is finished" in done.stderr


def test_in_place_is_resumed_from_what_was_kept(shell: CommandLine) -> None:
    shell.check('grep -q needle "$1"')
    shell.write("in.txt", INPUT)
    words = ("reduce", "./check.sh", "in.txt", "--units", "lines", "-j", "1", "--in-place")
    assert shell.run(*words, "--max-tests", "5").status == 0
    assert shell.run("resume").status == 0
    assert (shell.folder / "in.txt").read_text() == "needle\n"
    assert (shell.folder / "in.txt.orig").read_text() == INPUT
    assert "in.txt.orig.2" not in shell.names()


def test_isolation_can_be_resumed(shell: CommandLine) -> None:
    shell.check('grep -q needle "$1"')
    shell.write("in.txt", INPUT)
    shell.write("empty.txt", "")
    words = ("isolate", "./check.sh", "empty.txt", "in.txt", "-j", "1")
    done = shell.run(*words, "--max-tests", "4")
    assert done.status == 0, done.stderr
    assert shell.run("resume").status == 0
    # The smallest difference is one character; with it the needle is there, without it not.
    assert "needle" in (shell.folder / "in.failing.txt").read_text()
    assert "needle" not in (shell.folder / "in.passing.txt").read_text()


def test_the_story_of_a_run(interrupted: CommandLine) -> None:
    told = interrupted.run("show").stdout
    assert "command   minrepro reduce ./check.sh in.txt --units lines" in told
    assert "state     stopped by --max-tests 5" in told
    story = json.loads(interrupted.run("show", "--json").stdout)
    assert story["accepted"][0]["size"] == len(INPUT)
    assert len(story["verdicts"]) == story["check_runs"] == story["counts"]["check_runs"]


def test_clean_removes_what_is_finished_and_on_demand_the_rest(interrupted: CommandLine) -> None:
    assert interrupted.run("reduce", "./check.sh", "in.txt", "--units", "lines", "-q").status == 0
    assert "deleted 1 journal; kept 1" in interrupted.run("clean").stderr
    assert "deleted 1 journal" in interrupted.run("clean", "--all").stderr
    assert interrupted.names() == {"check.sh", "in.txt", "in.min.txt"}
    assert interrupted.run("resume").status == 2


def test_an_input_that_does_not_fail_leaves_no_journal(shell: CommandLine) -> None:
    shell.check("exit 1")
    shell.write("in.txt", INPUT)
    assert shell.run("reduce", "./check.sh", "in.txt").status == 1
    assert shell.names() == {"check.sh", "in.txt"}


def test_a_check_edited_during_the_run_ends_it(shell: CommandLine) -> None:
    check = shell.folder / "check.sh"
    new = f"sed 's/needle/needl/' {check} > {check}.new; chmod +x {check}.new; mv {check}.new {check}"
    edit = f"[ -e {check}.edited ] || {{ touch {check}.edited; {new}; }}"
    shell.check(f'grep -q needle "$1" || exit 1; [ "$(wc -l < "$1")" -gt 20 ] || {{ {edit}; }}')
    shell.write("in.txt", INPUT)
    done = shell.run("reduce", "./check.sh", "in.txt", "--units", "lines", "-j", "1", "--sandbox", "off")
    assert done.status == 2
    assert "check.sh changed during the reduction" in done.stderr
    assert "needle" in (shell.folder / "in.min.txt").read_text()
    shell.assert_nothing_is_left()
