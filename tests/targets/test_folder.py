"""Folders and several files as input, with real builds and tests."""

from __future__ import annotations

import json
import os
import shutil
import socket
from pathlib import Path

import pytest

from minrepro.documents.packed_files import PackedFiles
from minrepro.errors import InputError, OutputError
from minrepro.targets import result_folder
from minrepro.targets.folder import read_files
from minrepro.targets.result_folder import ResultFolder
from tests.cli.command_line import CommandLine


def tree(folder: Path, files: dict[str, str]) -> Path:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)
    return folder


def found(folder: Path) -> dict[str, str]:
    return {str(path.relative_to(folder)): path.read_text() for path in sorted(folder.rglob("*")) if path.is_file()}


C_PROJECT = {
    "Makefile": "CFLAGS = -Iinclude\nOBJS = src/main.o src/list.o src/hash.o\n\napp: $(OBJS)\n\t$(CC) -o $@ $(OBJS)\n",
    "include/list.h": "struct list { int size; };\nint count(struct list *it);\n",
    "include/hash.h": "int hash(const char *text, unsigned seed);\n",
    "src/main.c": '#include "list.h"\n#include "hash.h"\nint main(void) { return hash("a", 1); }\n',
    "src/list.c": '#include "list.h"\n#include "hash.h"\nint count(struct list *l) { return hash("b", l->size, 3); }\n',
    "src/hash.c": '#include "hash.h"\nint hash(const char *text, unsigned seed) { return *text + seed; }\n',
    "README.md": "# A project\n\nIt does not build.\n",
}


@pytest.mark.skipif(shutil.which("cc") is None or shutil.which("make") is None, reason="needs cc and make")
def test_a_project_whose_build_fails_becomes_a_few_lines(shell: CommandLine) -> None:
    tree(shell.folder / "project", C_PROJECT)
    done = shell.run("reduce", "project", "-j", "1", "--timeout", "60", "--max-tests", "200", "--", "make", "-s")
    assert done.status == 0, done.stderr
    assert "error: too many arguments to function ‘hash’ (exit status 2" in done.stderr
    assert "7 → " in done.stderr
    left = found(shell.folder / "project.min")
    assert len(left) <= 3
    assert set(left) <= {"Makefile", "src/list.c", "include/hash.h", "src/main.c"}
    assert any("return hash(" in text for text in left.values())
    assert sum(len(text.splitlines()) for text in left.values()) <= 14
    assert found(shell.folder / "project") == C_PROJECT


PACKAGE = {
    "shop/__init__.py": "from shop.cart import total\n",
    "shop/cart.py": "from shop.prices import PRICES\n\ndef total(items):\n"
    "    return sum(PRICES[item] for item in items) / len(items)\n",
    "shop/prices.py": "PRICES = {'tea': 3, 'cup': 7}\n",
    "test_shop.py": "from shop import total\n\nassert total(['tea']) == 3\nassert total([]) == 0\n",
    "setup.cfg": "[metadata]\nname = shop\n",
}


def test_a_package_whose_test_fails_becomes_a_few_lines(shell: CommandLine) -> None:
    tree(shell.folder / "package", PACKAGE)
    words = ["python3", "-S", "package/test_shop.py"]
    done = shell.run("reduce", "package", "-j", "1", "--timeout", "60", "--max-tests", "100", "--", *words)
    assert done.status == 0, done.stderr
    assert "ZeroDivisionError: division by zero" in done.stderr
    left = found(shell.folder / "package.min")
    assert "setup.cfg" not in left and "shop/prices.py" not in left
    assert sum(len(text.splitlines()) for text in left.values()) <= 6


def test_several_files_are_reduced_to_a_folder(shell: CommandLine) -> None:
    shell.write("a.txt", "one\ncrash\ntwo\n")
    shell.write("b.txt", "three\n")
    shell.write("c.txt", "needed\nnot this\n")
    shell.check('[ "$1" = "$PWD" ] && grep -q crash a.txt && grep -q needed c.txt')
    done = shell.run("reduce", "./check.sh", "a.txt", "b.txt", "c.txt", "-o", "small", "--json")
    assert done.status == 0, done.stderr
    assert found(shell.folder / "small") == {"a.txt": "crash\n", "c.txt": "needed\n"}
    told = json.loads(done.stdout)
    assert (told["files_before"], told["files_after"]) == (3, 2)


def test_modes_links_and_binary_files_survive(shell: CommandLine) -> None:
    folder = tree(shell.folder / "in", {"tool": "#!/bin/sh\necho crash\n", "noise": "x\n" * 50})
    (folder / "tool").chmod(0o755)
    (folder / "link").symlink_to("tool")
    (folder / "blob").write_bytes(bytes(range(256)))
    shell.check(
        '[ -L link ] && ./link | grep -q crash && [ "$(wc -c <blob)" -gt 200 ] && [ "$(readlink link)" = tool ]'
    )
    done = shell.run("reduce", "./check.sh", "in", "--effort", "fast")
    assert done.status == 0, done.stderr
    out = shell.folder / "in.min"
    assert {path.name for path in out.iterdir()} == {"tool", "link", "blob"}
    assert os.access(out / "tool", os.X_OK)
    assert (out / "link").readlink() == Path("tool")
    blob = (out / "blob").read_bytes()
    assert len(blob) > 200
    assert list(blob) == sorted(blob)


def test_what_is_no_part_of_the_failure_is_left_out_and_told(shell: CommandLine) -> None:
    folder = tree(shell.folder / "in", {"a.txt": "crash\nother\n", ".git/config": "[core]\n"})
    with socket.socket(socket.AF_UNIX) as listener:
        here = Path.cwd()
        os.chdir(folder)
        try:
            listener.bind("socket")
        finally:
            os.chdir(here)
    os.mkfifo(folder / "pipe")
    shell.check("[ ! -e .git ] && grep -q crash a.txt")
    done = shell.run("reduce", "./check.sh", "in")
    assert done.status == 0, done.stderr
    assert "left out: .git (version history)" in done.stderr
    assert "left out: pipe, socket (neither files, directories nor links)" in done.stderr
    assert found(shell.folder / "in.min") == {"a.txt": "crash\n"}


def test_a_folder_that_is_there_is_never_overwritten(shell: CommandLine) -> None:
    tree(shell.folder / "in", {"a.txt": "crash\n"})
    tree(shell.folder / "in.min", {"precious": "work\n"})
    shell.check("grep -q crash a.txt")
    done = shell.run("reduce", "./check.sh", "in")
    assert done.status == 2
    assert done.stderr.startswith("minrepro: error: ") and "in.min already exists" in done.stderr
    assert found(shell.folder / "in.min") == {"precious": "work\n"}


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["in", "--in-place"], "minrepro: error: --in-place applies to a single file"),
        (["in", "--units", "lines"], "minrepro: error: --units: several files are reduced by passes"),
        (["empty"], "minrepro: error: empty has no files"),
        (["in", "other.txt"], "minrepro: error: in is a directory: expected one directory, or several files"),
        (["other.txt", "missing.txt"], "minrepro: error: "),
    ],
)
def test_what_is_wrong_is_said_in_a_line_or_two(shell: CommandLine, words: list[str], told: str) -> None:
    tree(shell.folder / "in", {"a.txt": "crash\n"})
    (shell.folder / "empty").mkdir()
    shell.write("other.txt", "x\n")
    shell.check("grep -q crash a.txt")
    done = shell.run("reduce", "./check.sh", *words)
    assert done.status == 2
    assert done.stderr.startswith(told)
    assert len(done.stderr.splitlines()) <= 2


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_may_not_be_read_is_named(shell: CommandLine) -> None:
    folder = tree(shell.folder / "in", {"a.txt": "crash\n", "secret": "x\n"})
    (folder / "secret").chmod(0)
    shell.check("grep -q crash a.txt")
    done = shell.run("reduce", "./check.sh", "in")
    assert done.status == 2
    assert "secret cannot be read: Permission denied" in done.stderr


TABLE, BOTH = PackedFiles.packed({"a": (0o100644, b"one"), "b/c": (0o100755, b"two")})
ONE = BOTH[: BOTH.rindex(TABLE.mark)]


@pytest.mark.parametrize("can_exchange", [True, False])
def test_a_folder_is_replaced_as_a_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, can_exchange: bool) -> None:
    if not can_exchange:
        monkeypatch.setattr(result_folder, "_exchanged", lambda one, other: False)
    result = ResultFolder(tmp_path / "out", TABLE)
    result.write(BOTH)
    assert found(tmp_path / "out") == {"a": "one", "b/c": "two"}
    opened = os.open(tmp_path / "out", os.O_RDONLY)
    result.write(ONE)
    assert found(tmp_path / "out") == {"a": "one"}
    assert os.fstat(opened).st_ino != (tmp_path / "out").stat().st_ino  # whoever is in the old one is not disturbed
    os.close(opened)
    assert list(tmp_path.iterdir()) == [tmp_path / "out"]


def test_what_killed_runs_have_left_beside_a_folder_is_removed(tmp_path: Path) -> None:
    ended = "4194305"  # above the largest process id
    for name in (f".out.{ended}.abc.part", f".out.{ended}.abc-old.part", f".out.{os.getpid()}.abc.part"):
        tree(tmp_path / name, {"a": "x"})
    ResultFolder(tmp_path / "out", TABLE)
    assert [path.name for path in tmp_path.iterdir()] == [f".out.{os.getpid()}.abc.part"]


def test_a_folder_that_something_else_has_changed_is_told_of_and_put_right(tmp_path: Path) -> None:
    told: list[str] = []
    result = ResultFolder(tmp_path / "out", TABLE)
    result.warn = told.append
    result.write(BOTH)
    result.write(BOTH)
    assert told == []
    (tmp_path / "out" / "b" / "more").write_text("spoilt")
    result.write(BOTH)
    assert "another process changed" in told[0]
    assert found(tmp_path / "out") == {"a": "one", "b/c": "two"}


def test_a_folder_beside_another_takes_no_name_that_is_taken_by_others(tmp_path: Path) -> None:
    tree(tmp_path / "out.same", {"precious": "work"})
    side = ResultFolder(tmp_path / "out", TABLE).beside("same")
    side.write(ONE)
    assert side.path.name == "out.same.2"
    assert found(tmp_path / "out.same") == {"precious": "work"}
    assert ResultFolder(tmp_path / "out", TABLE, ours=True).beside("same").path.name == "out.same"


def test_a_folder_where_nobody_may_write_is_refused_at_once() -> None:
    with pytest.raises(OutputError, match="cannot write /proc/out"):
        ResultFolder(Path("/proc/out"), TABLE)


def test_each_file_of_a_small_folder_is_explained(shell: CommandLine) -> None:
    tree(shell.folder / "small", {"values": "12\n", "names": "total\n"})
    shell.check('grep -q "[0-9]" "$1/values" && grep -q total "$1/names"')
    done = shell.run("explain", "./check.sh", "small", "-q", "--json")
    assert done.status == 0, done.stderr
    files = json.loads(done.stdout)["files"]
    assert {name: [part["text"] for part in told["parts"]] for name, told in files.items()} == {
        "names": ["total"],
        "values": ["12"],
    }
    assert files["values"]["parts"][0]["may_be"] == "any integer"
    assert files["names"]["parts"][0]["may_be"] == ""
    listed = shell.run("explain", "./check.sh", "small", "-q").stdout
    assert "──── names" in listed and "──── values" in listed


def test_a_subdirectory_that_cannot_be_read_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    project = tree(tmp_path / "project", {"a.txt": "a", "closed/b.txt": "b"})
    scandir = os.scandir

    def refused(path: Path) -> object:
        if Path(path).name == "closed":
            raise PermissionError(13, "Permission denied", str(path))
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refused)  # root may read everything
    with pytest.raises(InputError, match=f"cannot read {project}/closed: Permission denied"):
        read_files([project])


def test_an_empty_subdirectory_is_part_of_the_input(tmp_path: Path) -> None:
    project = tree(tmp_path / "project", {"a.txt": "a"})
    (project / "empty" / "inner").mkdir(parents=True)
    assert read_files([project]).table.names == ("a.txt", "empty/inner")
