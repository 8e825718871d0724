"""Files and folders reduced from Python as by the command: by a program, by a function, by the failing command."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from minrepro import Budget, UsageError, reduce_path

LINES = "".join(f"line {number}\n" for number in range(60))
LOADER = "import json, sys\nprint(json.load(open(sys.argv[1]))['items'][0]['price'] + 1)\n"


def input_file(folder: Path, name: str = "in.txt", text: str = LINES) -> Path:
    path = folder / name
    path.write_text(text)
    return path


@pytest.mark.processes
def test_a_file_is_reduced_by_a_program_and_the_result_is_on_disk_too(tmp_path: Path) -> None:
    path = input_file(tmp_path)
    result = reduce_path(path, ["grep", "-q", "line 33"], output=tmp_path / "out.txt", workers=1)
    assert result.finished and result.reduced == (tmp_path / "out.txt").read_bytes()
    assert result.reduced.strip() == b"line 33"
    assert path.read_text() == LINES
    assert {each.name for each in tmp_path.iterdir()} == {"in.txt", "out.txt"}


def test_a_function_is_called_with_the_path_of_a_candidate(tmp_path: Path) -> None:
    names = set()

    def check(candidate: Path) -> bool:
        names.add(candidate.name)
        return "line 7\n" in candidate.read_text()

    assert reduce_path(str(input_file(tmp_path)), check).reduced == b"line 7\n"
    assert names == {"in.txt"}


def test_of_a_folder_the_files_that_are_left_come_back(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    for name in ("a.txt", "b.txt", "c.txt"):
        input_file(tmp_path / "in", name, f"{name} and more\nneedless\n")
    result = reduce_path(
        tmp_path / "in", lambda folder: "b.txt and" in "".join(p.read_text() for p in folder.iterdir())
    )
    assert list(result.reduced) == ["b.txt"]
    assert result.reduced["b.txt"].startswith(b"b.txt and")


@pytest.mark.processes
def test_the_failing_command_alone_tells_the_failure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    input_file(tmp_path, "load.py", LOADER)
    input_file(tmp_path, "in.json", '{"user": "Ann", "items": [{"id": 7, "price": "3.5"}, {"id": 8}], "more": [1, 2]}')
    result = reduce_path("in.json", command=[sys.executable, "load.py", "in.json"], workers=1)
    assert b"price" in result.reduced and b"Ann" not in result.reduced


@pytest.mark.processes
def test_a_run_that_was_stopped_is_resumed_by_its_state(tmp_path: Path) -> None:
    path, state = input_file(tmp_path), tmp_path / "state"
    whole = reduce_path(path, "grep -q 'line 33'", workers=1)
    part = reduce_path(path, "grep -q 'line 33'", workers=1, state=state, budget=Budget(tests=5))
    assert not part.finished
    rest = reduce_path(path, "grep -q 'line 33'", workers=1, state=state, resume=True)
    assert (rest.finished, rest.reduced) == (True, whole.reduced)


def test_a_check_or_a_command_is_needed_and_not_both(tmp_path: Path) -> None:
    path = input_file(tmp_path)
    with pytest.raises(UsageError, match="give a check, or the failing command"):
        reduce_path(path)
    with pytest.raises(UsageError, match="and not both"):
        reduce_path(path, "true", command="false")
