"""What is loaded for what: nobody waits for a library, or for a module of ours, that is not needed."""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

import pytest

from minrepro.cli.main import COMMANDS, parser

PROGRAM = """\
import sys
before = set(sys.modules)
{}
with open("loaded", "w") as file:
    file.write(" ".join(set(sys.modules) - before))
"""
MAIN = """\
from minrepro.cli.main import main
try:
    main(sys.argv[1:])
except SystemExit:
    pass
"""
MOST_FOR_HELP = 25


class Loaded:
    """The modules that a process has loaded by its end, beyond those of an interpreter that does nothing."""

    def __init__(self, folder: Path, program: str, *words: str) -> None:
        command = [sys.executable, "-c", PROGRAM.format(program), *words]
        self.done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        self.modules = set((folder / "loaded").read_text().split())
        self.ours = {name for name in self.modules if name.split(".")[0] == "minrepro"}
        self.packages = {name.split(".")[0] for name in self.modules}
        self.others = self.packages - {"minrepro", *sys.stdlib_module_names}
        self.commands = {name for name in self.ours if name.startswith("minrepro.cli.commands.")}


@pytest.mark.parametrize(
    "words", [[], ["-h"], ["help"], ["--help"], ["-V"], ["--version"], ["redcue"], ["reduce", "-h"]]
)
def test_what_can_be_said_without_a_command_loads_none(tmp_path: Path, words: list[str]) -> None:
    loaded = Loaded(tmp_path, MAIN, *words)
    assert "minrepro" in loaded.done.stdout + loaded.done.stderr
    assert loaded.commands == set()
    assert len(loaded.ours) <= MOST_FOR_HELP
    assert loaded.others == set()
    assert not loaded.modules & {"asyncio", "importlib.metadata", "multiprocessing", "subprocess"}


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_that_is_asked_for_is_loaded_without_any_optional_package(tmp_path: Path, name: str) -> None:
    loaded = Loaded(tmp_path, MAIN, name, "--help")
    assert "Usage: minrepro" in loaded.done.stdout
    assert f"minrepro.cli.commands.{'runs' if name == 'list' else name}_command" in loaded.commands
    assert not loaded.packages & {"lark", "playwright", "distributed"}
    if name != "grammar":  # it is about nothing but parsers
        assert not loaded.packages & {"rich", "tree_sitter"}


def test_the_package_loads_nothing_until_a_name_is_asked_for(tmp_path: Path) -> None:
    assert Loaded(tmp_path, "import minrepro").ours == {"minrepro"}
    asked = Loaded(tmp_path, "from minrepro import UsageError")
    assert asked.ours <= {"minrepro", "minrepro.errors", *(name for name in asked.ours if ".core" in name)}
    assert asked.others == set()


def test_lines_are_removed_without_any_library(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("".join(f"line {number}\n" for number in range(20)))
    (tmp_path / "check.sh").write_text('#!/bin/sh\ngrep -q 7 "$1"\n')
    (tmp_path / "check.sh").chmod(0o755)
    loaded = Loaded(tmp_path, MAIN, "reduce", "--units", "lines", "./check.sh", "notes.txt")
    assert (tmp_path / "notes.min.txt").read_text() == "line 7\n"
    assert loaded.others == set()
    assert not loaded.modules & {"asyncio", "importlib.metadata", "multiprocessing"}
    rooms = ("documents.syntax", "passes", "executors.cluster", "algorithms.trees", "reports")
    assert {name for name in loaded.ours if name.removeprefix("minrepro.").startswith(rooms)} == set()
    algorithms = {name for name in loaded.ours if name.startswith("minrepro.algorithms.lists.")}
    assert algorithms == {f"minrepro.algorithms.lists.{name}" for name in ("group_testing", "scans")}


def summaries(whole: argparse.ArgumentParser) -> list[tuple[str, str | None]]:
    """Return the commands that the help lists, each with its summary."""
    action = next(action for action in whole._actions if isinstance(action, argparse._SubParsersAction))
    return [(listed.dest, listed.help) for listed in action._choices_actions]


def test_what_the_help_says_of_a_command_is_what_the_command_says() -> None:
    assert list(COMMANDS.items()) == summaries(parser())
    assert parser((), listed=COMMANDS).format_help() == parser().format_help()
