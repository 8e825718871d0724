"""The command line as a whole."""

from __future__ import annotations

import argparse
import re
from pathlib import Path

import pytest

from minrepro.cli.main import COMMANDS, parser
from minrepro.cli.options.check_options import duration
from minrepro.cli.short_help import REDUCE
from tests.cli.command_line import CommandLine


def names_of_commands() -> list[str]:
    action = next(a for a in parser()._actions if isinstance(a, argparse._SubParsersAction))
    return sorted(action.choices)


def test_every_module_of_a_command_adds_at_least_one() -> None:
    assert len(names_of_commands()) >= len(COMMANDS)


@pytest.mark.parametrize("command", names_of_commands())
def test_the_help_of_every_command_explains_each_option_and_shows_an_example(command: str) -> None:
    action = next(a for a in parser()._actions if isinstance(a, argparse._SubParsersAction))
    chosen = action.choices[command]
    assert re.search(rf"^Examples?:\n  minrepro {command} ", chosen.format_help(), re.MULTILINE)
    assert chosen.description
    assert [option.dest for option in chosen._actions if not option.help] == []


def test_the_help_can_be_asked_for(shell: CommandLine) -> None:
    for words in (["--help"], *([command, "--help"] for command in names_of_commands())):
        done = shell.run(*words)
        assert done.status == 0
        assert "Example" in done.stdout
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


@pytest.mark.parametrize("option", ["--version", "-V"])
def test_the_version_can_be_asked_for(shell: CommandLine, option: str) -> None:
    assert re.fullmatch(r"minrepro \d+\.\d+\.\d+(rc\d+)?\n", shell.run(option).stdout)


@pytest.mark.parametrize("command", [["reduce"], ["web", "export"]])
def test_help_for_a_command_is_its_whole_help(shell: CommandLine, command: list[str]) -> None:
    done = shell.run("help", *command)
    assert (done.status, done.stderr) == (0, "")
    assert done.stdout == shell.run(*command, "--help").stdout


def test_research_options_come_last_and_only_in_the_whole_help(shell: CommandLine) -> None:
    titles = re.findall(r"^([A-Z].*):$", shell.run("reduce", "--help").stdout, re.MULTILINE)
    assert titles[titles.index("Examples") - 1] == "Research options"
    assert "--algorithm" not in shell.run("reduce", "-h").stdout


def test_the_whole_help_names_the_variables_that_a_check_sees(shell: CommandLine) -> None:
    for command in ([], ["reduce"]):
        shown = shell.run(*command, "--help").stdout
        assert {"TMPDIR", "NO_COLOR", "MINREPRO_CANDIDATE"} <= set(re.findall(r"[A-Z_]+", shown))


@pytest.mark.parametrize("command", ["traces", "web"])
def test_a_command_that_needs_another_one_shows_which_there_are(shell: CommandLine, command: str) -> None:
    done = shell.run(command)
    assert done.status == 0
    assert "reduce" in done.stdout


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["redcue"], "unknown command 'redcue'; did you mean reduce?\nhint: minrepro -h\n"),
        (["web", "replai"], "unknown command 'replai'; did you mean replay?\nhint: minrepro web -h\n"),
        (["runs"], "unknown command 'runs'\nhint: minrepro -h\n"),
        (["tree", "x", "--dept", "3"], "unknown option --dept; did you mean --depth?\nhint: minrepro tree -h\n"),
    ],
)
def test_an_unknown_word_is_answered_with_the_nearest(shell: CommandLine, words: list[str], said: str) -> None:
    done = shell.run(*words)
    assert (done.status, done.stderr) == (2, f"minrepro: error: {said}")


@pytest.mark.parametrize(("text", "number"), [("90", 90), ("1.5", 1.5), ("10m", 600), ("2h", 7200), ("1h30m", 5400)])
def test_a_time_is_given_in_seconds_minutes_or_hours(text: str, number: float) -> None:
    assert parser(["reduce"]).parse_args(["reduce", "a", "b", "--max-time", text]).max_seconds == number


@pytest.mark.parametrize("text", ["", "0", "-1", "soon", "10x", "m", "inf"])
def test_what_is_no_time_is_refused(text: str) -> None:
    with pytest.raises(argparse.ArgumentTypeError, match="is not a time such as 90, 10m or 2h"):
        duration(text)


def test_reports_go_where_their_extension_says() -> None:
    words = ["reduce", "a", "b", "--report", "x.html", "--report", "x.md"]
    args = parser(["reduce"]).parse_args(words)
    assert (args.report, args.markdown) == (Path("x.html"), Path("x.md"))


@pytest.mark.parametrize("words", [["frobnicate"], ["reduce"], ["isolate", "./check.sh"]])
def test_words_that_make_no_command_are_answered_in_two_lines(shell: CommandLine, words: list[str]) -> None:
    done = shell.run(*words)
    assert done.status == 2
    assert len(done.stderr.splitlines()) == 2
    assert done.stderr.splitlines()[1].startswith("hint: minrepro")
