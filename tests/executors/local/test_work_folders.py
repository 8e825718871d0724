"""The folder in which a check runs: a private view of the user's folder, made by layers or by copies."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from minrepro.core.invocations import Invocation, ProcessEnd
from minrepro.core.verdicts import Outcome, Verdict
from minrepro.core.view import COPY, OVERLAY, View
from minrepro.executors.local.folder_copies import is_small
from minrepro.executors.local.process_pool import Processes
from minrepro.executors.local.view_folders import why_no_overlay

pytestmark = pytest.mark.processes

Run = Callable[..., str]


class Oracle:
    """Runs a line of shell beside the files of a case, and keeps what it printed."""

    def __init__(self, line: str) -> None:
        self.line = line
        self.printed: list[str] = []

    def invocation(self, case: dict[str, bytes]) -> Invocation:
        return Invocation(("/bin/sh", "-c", self.line, "sh", "{folder}"), case)

    def judge(self, ending: ProcessEnd) -> Verdict:
        assert not ending.trouble, ending.trouble
        self.printed.append((ending.stdout + ending.stderr).decode())
        return Verdict(Outcome.FAIL)


@pytest.fixture(params=[OVERLAY, COPY])
def view(request: pytest.FixtureRequest, tmp_path: Path) -> View:
    """The user's folder, with an input, a neighbour and a folder."""
    user = tmp_path / "user"
    (user / "sub").mkdir(parents=True)
    (user / "in.txt").write_text("the input\n")
    (user / "in.txt").chmod(0o444)
    (user / "neighbour").write_text("beside it\n")
    (user / "sub" / "deep").write_text("below it\n")
    (tmp_path / "place").mkdir()
    found = View(str(user), (str(user),), ("in.txt",), kind=request.param)
    if request.param == OVERLAY and (why := why_no_overlay(found, str(tmp_path / "place"))):
        pytest.skip(f"there are no overlays here: {why}")
    return found


@pytest.fixture
def run(tmp_path: Path) -> Run:
    def printed(view: View, line: str, *cases: dict[str, bytes]) -> str:
        oracle = Oracle(line)
        with Processes(oracle, place=tmp_path / "place", view=view) as executor:
            for case in cases:
                executor.wait([executor.start(case)])
        assert list((tmp_path / "place").iterdir()) == []
        return "".join(oracle.printed)

    return printed


def contents(folder: Path) -> dict[str, str]:
    return {str(path.relative_to(folder)): path.read_text() for path in folder.rglob("*") if path.is_file()}


def test_a_check_finds_the_candidate_among_the_users_files(view: View, run: Run) -> None:
    assert run(view, "cat in.txt neighbour sub/deep", {"in.txt": b"less\n"}) == "less\nbeside it\nbelow it\n"


def test_paths_are_those_that_the_user_knows(view: View, run: Run) -> None:
    assert run(view, 'pwd; echo "$1/in.txt"; ls "$1"', {"in.txt": b""}).splitlines()[:2] == [
        view.folder,
        f"{view.folder}/in.txt",
    ]


def test_what_a_check_does_neither_reaches_the_user_nor_the_next_check(view: View, run: Run) -> None:
    before = contents(Path(view.folder))
    spoil = "ls; rm -f neighbour; echo new >made; echo x >>sub/deep; mkdir build; rm -rf sub; chmod 600 in.txt"
    assert run(view, spoil, {"in.txt": b"1"}, {"in.txt": b"2"}, {"in.txt": b"3"}) == "in.txt\nneighbour\nsub\n" * 3
    assert contents(Path(view.folder)) == before


def test_a_check_that_writes_nothing_leaves_everything_ready_for_the_next(view: View, run: Run) -> None:
    assert (
        run(view, "cat in.txt", *({"in.txt": content} for content in (b"longer\n", b"s\n", b"3\n"))) == "longer\ns\n3\n"
    )


def test_an_input_that_may_not_be_written_keeps_its_rights(view: View, run: Run) -> None:
    assert run(view, "stat -c %a in.txt", {"in.txt": b"1"}) == "444\n"


def test_what_is_written_beside_the_input_is_not_seen(view: View, run: Run, tmp_path: Path) -> None:
    (tmp_path / "user" / "in.min.txt").write_text("the best so far")
    hiding = view._replace(hidden=(f"{view.folder}/in.min.txt", f"{view.folder}/in.txt.minrepro"))
    assert run(hiding, "ls", {"in.txt": b"1"}, {"in.txt": b"2"}) == "in.txt\nneighbour\nsub\n" * 2


def test_files_that_a_candidate_does_not_have_are_not_there(view: View, run: Run) -> None:
    both = view._replace(names=("in.txt", "neighbour"))
    assert run(both, "ls", {"in.txt": b"1"}, {"neighbour": b"2"}) == "in.txt\nsub\nneighbour\nsub\n"


def test_a_folder_is_made_of_the_candidate_alone(view: View, run: Run) -> None:
    whole = view._replace(names=(), whole=f"{view.folder}/sub")
    assert run(whole, "find . | sort", {"a/b": b"1"}, {"c": b"2"}).split() == [
        *(".", "./in.txt", "./neighbour", "./sub", "./sub/a", "./sub/a/b"),
        *(".", "./in.txt", "./neighbour", "./sub", "./sub/c"),
    ]


def test_a_name_that_leads_out_of_the_folder_is_refused(view: View, run: Run) -> None:
    with pytest.raises(AssertionError, match="leads out of the directory"):
        run(view._replace(whole=view.folder), "true", {"../outside": b"1"})


def test_a_folder_with_very_many_files_is_not_copied(tmp_path: Path) -> None:
    assert is_small((str(tmp_path),))
    for number in range(5_001):
        os.close(os.open(tmp_path / str(number), os.O_CREAT))
    assert not is_small((str(tmp_path),))
