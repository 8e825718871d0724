"""What is left of checks to look at, what is counted, and what more can be asked of a reduction."""

from __future__ import annotations

import json
import re
from collections import Counter

import pytest

from tests.cli.command_line import CommandLine

LINES = "".join(f"line {number}\n" for number in range(12))


@pytest.fixture
def tool(shell: CommandLine) -> CommandLine:
    shell.write("in.txt", LINES)
    shell.check('echo here > trace; grep -q "line 3" "$1" && grep -q "line 7" "$1"')
    return shell


def test_every_candidate_that_was_checked_is_kept_with_its_outcome(tool: CommandLine) -> None:
    done = tool.run("reduce", "./check.sh", "in.txt", "--units", "lines", "--keep-candidates", "seen", "--json")
    told = json.loads(done.stdout)
    names = [path.name for path in (tool.folder / "seen").iterdir()]
    outcomes = Counter(re.sub(r"^\d+-|\.txt$", "", name) for name in names)
    assert len(names) == told["check_runs"]
    assert outcomes["does-not-reproduce"] == told["outcomes"]["not_reproduced"]
    for path in (tool.folder / "seen").glob("*-reproduces.txt"):
        assert "line 3" in path.read_text()
        assert "line 7" in path.read_text()


def test_a_folder_is_kept_as_folders(tool: CommandLine) -> None:
    (tool.folder / "in").mkdir()
    (tool.folder / "in" / "a.txt").write_text("line 3\nline 7\nmore\n")
    tool.check('grep -q "line 3" a.txt')
    done = tool.run("reduce", "./check.sh", "in", "--keep-candidates", "seen")
    assert done.status == 0, done.stderr
    assert any((path / "a.txt").is_file() for path in (tool.folder / "seen").glob("*-reproduces"))


def test_the_directories_of_check_runs_are_kept_where_it_says(tool: CommandLine) -> None:
    done = tool.run("reduce", "./check.sh", "in.txt", "--units", "lines", "--no-cleanup", "-j", "1")
    match = re.search(r"check runs are kept in (.*)", done.stderr)
    assert match is not None, done.stderr
    kept = list(tool.temporary.glob("minrepro-kept-*/*"))
    assert str(kept[0].parent) == match[1]
    assert len(kept) > 5
    assert all((path / "trace").read_text() == "here\n" for path in kept)
    assert {path.name.split("-", 1)[1] for path in kept} == {"exit-0", "exit-1"}


def test_summary_and_journal_count_the_same(tool: CommandLine) -> None:
    done = tool.run("reduce", "./check.sh", "in.txt", "--units", "lines", "--algorithm", "ddmin", "-j", "4", "--json")
    told = json.loads(done.stdout)
    story = json.loads(tool.run("show", "--json").stdout)
    assert story["counts"] == {
        "checks": told["checks"],
        "cache_hits": told["cache_hits_by_kind"],
        "check_runs": told["check_runs"],
        "cancelled_runs": told["cancelled_runs"],
        "iterations": told["iterations"],
    }
    assert told["check_runs"] >= told["checks"]
    shown = tool.run("show").stdout
    assert f"checks    {told['checks']}, {told['cache_hits']} cache hits" in shown
    assert f"{told['iterations']} iterations" in shown
    assert f"runs      {told['check_runs']} check runs" in shown
    assert f"{told['checks']} checks" in tool.run("list").stdout


@pytest.mark.parametrize("kind", ["none", "config", "content"])
def test_every_kind_of_cache_leads_to_the_same_result(tool: CommandLine, kind: str) -> None:
    words = ("--units", "lines", "--algorithm", "ddmin", "-j", "1", "--json", "--cache", kind)
    told = json.loads(tool.run("reduce", "./check.sh", "in.txt", *words).stdout)
    assert (tool.folder / "in.min.txt").read_text() == "line 3\nline 7\n"
    assert set(told["cache_hits_by_kind"]) == (set() if kind == "none" else {kind})


def test_equal_content_is_known_by_content_and_not_by_its_units(tool: CommandLine) -> None:
    tool.write("in.txt", "same\n" * 16)
    tool.check('[ "$(wc -l < "$1")" -ge 3 ]')
    words = ("--units", "lines", "--algorithm", "ddmin", "-j", "1", "--json", "--cache")
    checks = {
        kind: json.loads(tool.run("reduce", "./check.sh", "in.txt", *words, kind).stdout)["checks"]
        for kind in ("none", "config", "content")
    }
    assert checks["content"] < checks["config"] <= checks["none"]


def test_two_units_that_only_go_together_go_with_minimality_2(tool: CommandLine) -> None:
    tool.write("in.txt", "a\nb\nneed\n")
    tool.check('grep -q need "$1" && [ $(grep -c a "$1") -eq $(grep -c b "$1") ]')
    for words in (("--units", "lines"), ()):
        tool.run("reduce", "./check.sh", "in.txt", *words, "--minimality", "2", "-j", "2")
        assert (tool.folder / "in.min.txt").read_text().split() == ["need"]
    done = tool.run("reduce", "./check.sh", "in.txt", "--algorithm", "onemin", "--units", "lines", "--minimality", "2")
    assert "--minimality 2: at most 3 checks to remove 2 of 3 units" in done.stderr


def test_all_results_are_written_beside_the_smallest(tool: CommandLine) -> None:
    tool.write("in.txt", "one\nbug alpha\ntwo\nbeta bug\nthree\n")
    tool.check('grep -q "bug alpha" "$1" || grep -q "beta bug" "$1"')
    for words in ((), ("--units", "lines", "--algorithm", "ddmin")):
        done = tool.run("reduce", "./check.sh", "in.txt", "--all", "--json", *words)
        told = json.loads(done.stdout)
        assert told["other_outputs"] == ["in.min.2.txt"], done.stderr
        found = {(tool.folder / name).read_text().strip() for name in ("in.min.txt", "in.min.2.txt")}
        assert found == {"bug alpha", "beta bug"}


@pytest.mark.parametrize(
    "words",
    [
        ("--algorithm", "hdd", "--language", "c", "--all"),
        ("--algorithm", "grouping", "--smallest"),
        ("--monotone", "--cache", "none"),
        ("--cache", "config"),
        ("--minimality", "0"),
        ("--keep-candidates", "in.txt"),
    ],
)
def test_what_cannot_be_is_told(tool: CommandLine, words: tuple[str, ...]) -> None:
    done = tool.run("reduce", "./check.sh", "in.txt", *words)
    assert done.status == 2
    assert words[-1] in done.stderr or words[-2] in done.stderr
    assert "Traceback" not in done.stderr
