"""The command line as a whole."""

from __future__ import annotations

import argparse
import re

import pytest

from minrepro.ui.cli import COMMANDS, parser
from minrepro.ui.short_help import REDUCE
from tests.ui.command_line import CommandLine


def names_of_commands() -> list[str]:
    action = next(a for a in parser()._actions if isinstance(a, argparse._SubParsersAction))
    return sorted(action.choices)


def test_every_module_of_a_command_adds_at_least_one() -> None:
    assert len(names_of_commands()) >= len(COMMANDS)


@pytest.mark.parametrize("command", names_of_commands())
def test_the_help_of_every_command_explains_each_option_and_shows_an_example(command: str) -> None:
    action = next(a for a in parser()._actions if isinstance(a, argparse._SubParsersAction))
    chosen = action.choices[command]
    assert re.search(rf"^examples?:\n  minrepro {command} ", chosen.format_help(), re.MULTILINE)
    assert chosen.description
    assert [option.dest for option in chosen._actions if not option.help] == []


def test_the_help_can_be_asked_for(shell: CommandLine) -> None:
    for words in (["--help"], *([command, "--help"] for command in names_of_commands())):
        done = shell.run(*words)
        assert done.status == 0
        assert "example" in done.stdout
        assert done.stderr == ""


@pytest.mark.parametrize("words", [[], ["-h"], ["help"], ["reduce", "-h"]])
def test_the_short_help_is_one_screen(shell: CommandLine, words: list[str]) -> None:
    done = shell.run(*words)
    assert done.status == 0
    assert "minrepro reduce crash.json -- python3 load.py crash.json" in done.stdout
    assert len(done.stdout.splitlines()) <= 45
    assert max(map(len, done.stdout.splitlines())) <= 90


def test_the_short_help_names_only_options_that_there_are(shell: CommandLine) -> None:
    whole = shell.run("reduce", "--help").stdout
    assert {word for word in re.findall(r"--[a-z][a-z-]+", REDUCE) if word not in whole} == set()


def test_the_version_can_be_asked_for(shell: CommandLine) -> None:
    assert re.fullmatch(r"minrepro \d+\.\d+\.\d+\n", shell.run("--version").stdout)


@pytest.mark.parametrize("words", [["frobnicate"], ["reduce"], ["isolate", "./check.sh"]])
def test_words_that_make_no_command_are_answered_in_two_lines(shell: CommandLine, words: list[str]) -> None:
    done = shell.run(*words)
    assert done.status == 2
    assert len(done.stderr.splitlines()) == 2
    assert done.stderr.splitlines()[1].startswith("Try:  minrepro")
