"""The golden check still runs, and would notice a difference; its whole takes minutes and is run by hand."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from benchmarks.golden import __main__ as golden
from benchmarks.golden.records import Broken, differences, merged, steps_text

QUICK = ["engine/default/log.txt", "list/ddmin/scattered", "library/reduce/list/probdd", "status/missing input"]


@pytest.mark.processes
def test_the_quickest_cases_are_as_they_were_recorded(capsys: pytest.CaptureFixture[str]) -> None:
    status = golden.check(QUICK)
    assert status == 0, capsys.readouterr().out


def test_a_difference_is_told_and_makes_the_check_fail(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    records = golden.read()
    known = records["library/reduce/list/probdd"]
    tests = known["tests"]
    monkeypatch.setattr(golden, "GOLDEN", tmp_path / "golden.json")
    golden.write({**records, "library/reduce/list/probdd": {**known, "tests": 1}})
    assert golden.check(["library/reduce/list/probdd"]) == 1
    assert f"library/reduce/list/probdd: tests: was 1, is {tests}" in capsys.readouterr().out


def test_every_case_is_recorded_in_a_line_of_its_own() -> None:
    lines = golden.GOLDEN.read_text("utf-8").splitlines()[1:-1]
    names = [next(iter(json.loads("{" + line.rstrip(",") + "}"))) for line in lines]
    assert set(names) == {golden.INSTALLED, *golden.all_cases()}
    assert names[1:] == sorted(names[1:])


def test_runs_that_agree_are_written_down_once() -> None:
    one, other = {"size": 3, "tests": 5}, {"size": 3, "tests": 9}
    assert merged({"1": one, "4": other}) == {"size": 3, "tests": {"1": 5, "4": 9}}
    with pytest.raises(Broken, match="tests is not the same for 1 and 4"):
        merged({"1": one, "4": other}, alike=["tests"])


def test_a_difference_in_a_long_line_is_shown_where_it_is() -> None:
    before = "input 900; lines " + " ".join(map(str, range(800, 300, -20)))
    (line,) = differences({"steps": before}, {"steps": before.replace("420", "421")})
    assert "440 421 400" in line
    assert differences({"keys": ["a", "b"]}, {"keys": ["b", "c"]}) == ["keys: no more ['a'], new ['c']"]


def test_accepted_steps_become_a_line() -> None:
    assert steps_text([("input", 9), ("lines", 7), ("lines", 4), ("tokens", 2)]) == "input 9; lines 7 4; tokens 2"
