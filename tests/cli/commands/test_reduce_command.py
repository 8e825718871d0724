"""`minrepro reduce`, as a user runs it."""

from __future__ import annotations

import json

import pytest

from minrepro.algorithms.algorithm_registry import LIST_ALGORITHMS
from tests.cli.command_line import CommandLine

HAYSTACK = "".join(f"line {number}\n" for number in range(60)) + "the needle\n" + "last\n"


def test_the_result_goes_beside_the_input_with_min_before_its_suffix(shell: CommandLine) -> None:
    shell.check('grep -q needle "$1"')
    shell.write("hay.txt", HAYSTACK)
    done = shell.run("reduce", "./check.sh", "hay.txt")
    assert done.status == 0
    assert (shell.folder / "hay.min.txt").read_bytes().strip() == b"needle"
    assert (shell.folder / "hay.txt").read_text() == HAYSTACK
    assert "hay.min.txt" in done.stderr
    assert done.stdout == ""
    shell.assert_nothing_is_left()


def test_the_output_can_be_named_and_only_the_summary_for_machines_is_printed(shell: CommandLine) -> None:
    shell.check('grep -q needle "$1"')
    shell.write("hay.txt", HAYSTACK)
    done = shell.run("reduce", "./check.sh", "hay.txt", "-o", "small", "--units", "lines", "--json", "-q")
    summary = json.loads(done.stdout)
    assert done.stderr == ""
    assert summary["finished"] is True
    assert summary["output"] == "small"
    assert summary["bytes_before"] == len(HAYSTACK)
    assert summary["bytes_after"] == len("the needle\n") == (shell.folder / "small").stat().st_size
    assert summary["checks"] == sum(summary["outcomes"].values())


def test_in_place_overwrites_the_input_and_keeps_it_beside(shell: CommandLine) -> None:
    shell.check('grep -q needle "$1"')
    shell.write("hay.txt", HAYSTACK, mode=0o640)
    assert shell.run("reduce", "./check.sh", "hay.txt", "--in-place").status == 0
    assert (shell.folder / "hay.txt").read_bytes().strip() == b"needle"
    assert (shell.folder / "hay.txt").stat().st_mode & 0o777 == 0o640
    assert (shell.folder / "hay.txt.orig").read_text() == HAYSTACK
    shell.write("hay.txt", "another needle\n")
    assert shell.run("reduce", "./check.sh", "hay.txt", "--in-place").status == 0
    assert (shell.folder / "hay.txt.orig").read_text() == HAYSTACK
    assert (shell.folder / "hay.txt.orig.2").read_text() == "another needle\n"


@pytest.mark.parametrize("algorithm", LIST_ALGORITHMS)
def test_every_algorithm_can_be_named(shell: CommandLine, algorithm: str) -> None:
    shell.check('grep -q a "$1" && grep -q b "$1"')
    shell.write("in", "xxaxxx\nx\nxxbx\n")
    assert shell.run("reduce", "./check.sh", "in", "--algorithm", algorithm).status == 0
    assert (shell.folder / "in.min").read_bytes() == b"ab"


@pytest.mark.parametrize("parallel", ["in-order", "race", "separate", "combined"])
def test_every_way_to_share_the_work_finds_what_is_needed(shell: CommandLine, parallel: str) -> None:
    shell.check('grep -q a "$1" && grep -q b "$1"')
    shell.write("in", "xx\na\nx\nx\nb\n")
    words = (
        "--algorithm",
        "ddmin",
        "--ddmin-factor",
        "3",
        "--ddmin-split",
        "balanced",
        "--ddmin-steps",
        "complements-first",
    )
    orders = (
        "--ddmin-subset-order",
        "backward",
        "--ddmin-complement-order",
        "random",
        "--ddmin-seed",
        "7",
        "--ddmin-restart",
    )
    done = shell.run("reduce", "./check.sh", "in", "--parallel-mode", parallel, "-j", "3", *words, *orders)
    assert done.status == 0, done.stderr
    assert (shell.folder / "in.min").read_bytes() == b"ab"


def test_a_check_can_read_the_candidate_from_standard_input_or_find_it_by_its_name(shell: CommandLine) -> None:
    shell.write("in.txt", "x\nneedle\nx\n")
    shell.check("[ $# = 0 ] && grep -q needle", "by-stdin.sh")
    shell.check("grep -q needle in.txt", "by-name.sh")
    shell.check('grep -q needle "$MINREPRO_CANDIDATE"', "by-variable.sh")
    for check, more in (("./by-stdin.sh", ["--stdin"]), ("./by-name.sh", []), ("./by-variable.sh", [])):
        done = shell.run("reduce", check, "in.txt", "-o", "out", *more)
        assert done.status == 0, done.stderr
        assert (shell.folder / "out").read_bytes() == b"needle\n"


def test_a_check_may_be_a_command_with_words(shell: CommandLine) -> None:
    shell.write("in.txt", "x\nneedle\nx\n")
    assert shell.run("reduce", "grep -q needle", "in.txt").status == 0
    assert (shell.folder / "in.min.txt").read_bytes() == b"needle\n"


def test_names_with_blanks_and_dashes_are_no_trouble(shell: CommandLine) -> None:
    shell.check('grep -q needle "$1"', "my check.sh")
    shell.write("--odd name.tar.gz", "x\nneedle\nx\n")
    done = shell.run("reduce", "./my check.sh", "./--odd name.tar.gz")
    assert done.status == 0, done.stderr
    assert (shell.folder / "--odd name.tar.min.gz").read_bytes() == b"needle\n"


@pytest.mark.parametrize(
    "content",
    [
        b"\x00\x01\n\xff\xfeNEEDLE\x80\r\n\r\n\x00",
        b"NEEDLE",
        b"\n\n\nNEEDLE\n\n",
        b"a\r\nNEEDLE\rb\r\n",
        b"\xf0\x9fNEEDLE",
    ],
)
@pytest.mark.parametrize("units", ["lines", "characters", "bytes"])
def test_whatever_bytes_are_kept_are_kept_as_they_are(shell: CommandLine, content: bytes, units: str) -> None:
    shell.check('grep -aq NEEDLE "$1"')
    shell.write("in.bin", content)
    assert shell.run("reduce", "./check.sh", "in.bin", "--units", units).status == 0
    result = (shell.folder / "in.min.bin").read_bytes()
    lines = [line for line in content.split(b"\n") if b"NEEDLE" in line]
    wanted = {"lines": lines[0] + b"\n" * (lines[0] + b"\n" in content)}.get(units, b"NEEDLE")
    assert result == wanted


def test_a_budget_of_tests_ends_with_the_best_so_far(shell: CommandLine) -> None:
    shell.check('grep -q needle "$1"')
    shell.write("hay.txt", HAYSTACK)
    done = shell.run("reduce", "./check.sh", "hay.txt", "--max-tests", "5", "--json", "-j", "1")
    summary = json.loads(done.stdout)
    assert done.status == 0
    assert summary["checks"] == 5
    assert summary["finished"] is False
    assert "--max-tests 5" in summary["stop_reason"]
    assert b"needle" in (shell.folder / "hay.min.txt").read_bytes()
    shell.assert_nothing_is_left()


def test_a_budget_of_seconds_ends_a_check_that_is_under_way(shell: CommandLine) -> None:
    shell.check('[ -s "$1" ] || exit 1; [ "$(wc -l < "$1")" -ge 62 ] || sleep 1000')
    shell.write("hay.txt", HAYSTACK)
    done = shell.run("reduce", "./check.sh", "hay.txt", "--max-time", "1.5", "--json")
    assert done.status == 0, done.stderr
    assert "--max-time 1.5" in json.loads(done.stdout)["stop_reason"]
    assert (shell.folder / "hay.min.txt").read_text() == HAYSTACK
    shell.assert_nothing_is_left()


def test_a_check_that_hangs_is_ended_and_counts_as_unresolved(shell: CommandLine) -> None:
    shell.check('grep -q needle "$1" || { [ -s "$1" ] && sleep 1000; }; grep -q needle "$1"')
    shell.write("in.txt", "x\nneedle\n")
    done = shell.run("reduce", "./check.sh", "in.txt", "--units", "lines", "--timeout", "0.5", "--json")
    assert json.loads(done.stdout)["outcomes"]["unresolved"] == 1
    assert (shell.folder / "in.min.txt").read_text() == "needle\n"
    shell.assert_nothing_is_left()


def test_the_exit_status_125_is_unresolved(shell: CommandLine) -> None:
    shell.check('grep -q needle "$1" && exit 0; exit 125')
    shell.write("in.txt", "x\nneedle\n")
    done = shell.run("reduce", "./check.sh", "in.txt", "--units", "lines", "--json")
    outcomes = json.loads(done.stdout)["outcomes"]
    assert outcomes["unresolved"] >= 1
    assert outcomes["not_reproduced"] == 0


def test_a_program_hears_of_every_event_and_of_the_end(shell: CommandLine) -> None:
    shell.check('grep -q needle "$1"')
    shell.write("hay.txt", HAYSTACK)
    done = shell.run("reduce", "./check.sh", "hay.txt", "--json-lines")
    events = [json.loads(line) for line in done.stdout.splitlines()]
    assert [events[0]["event"], events[-1]["event"]] == ["started", "ended"]
    assert [event["size"] for event in events if event["event"] == "accepted"][-1] == events[-1]["bytes_after"]
    assert " → " not in done.stderr  # the summary is not told twice


def test_a_program_hears_why_there_is_no_result(shell: CommandLine) -> None:
    shell.check("exit 1")
    shell.write("hay.txt", HAYSTACK)
    done = shell.run("reduce", "./check.sh", "hay.txt", "--json-lines")
    told = json.loads(done.stdout.splitlines()[-1])
    assert (told["event"], told["exit_status"], done.status) == ("error", 1, 1)
    assert "does not reproduce the failure on hay.txt" in told["text"]
