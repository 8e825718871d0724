"""Scenarios: which words and which script are run for a candidate."""

from __future__ import annotations

from pathlib import Path

import pytest

from minrepro.core.invocations import ProcessEnd
from minrepro.errors import UsageError
from minrepro.oracles.scenario import NOTE, Command, Scenario, note_of


def nothing(word: str) -> str | None:
    return None


def test_one_command_is_run_without_a_shell() -> None:
    scenario = Scenario(Command.of_words(["true", "-o", "@@.out", "@@"], nothing))
    assert scenario.is_plain
    assert scenario.words("{folder}/a.c")[1:] == ("-o", "{folder}/a.c.out", "{folder}/a.c")
    assert not scenario.reads_stdin


def test_a_command_that_does_not_name_the_candidate_reads_it() -> None:
    assert Scenario(Command.of_words(["cat"], nothing)).reads_stdin
    assert not Scenario(Command.of_words(["cat"], nothing), stdin=False).reads_stdin


def test_files_here_are_found_from_there_but_inputs_are_those_of_the_candidate(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("tool.py").touch()
    Path("bug.c").touch()
    command = Command.of_words(["true", "tool.py", "project/bug.c"], {"project/bug.c": "bug.c"}.get)
    assert command.words[1:] == (str(tmp_path / "tool.py"), "bug.c")
    assert command.text == "true tool.py bug.c"


def test_a_line_of_shell_stays_one() -> None:
    command = Command.of_text("wc -l <@@ | grep -q 3", nothing)
    assert command.shell == 'wc -l <"$MINREPRO_CANDIDATE" | grep -q 3'
    assert not command.words
    with pytest.raises(UsageError):
        Command.of_text("  ", nothing)


def test_what_must_succeed_is_run_only_after_the_expected_end() -> None:
    true = Command.of_words(["true", "@@"], nothing)
    script = Scenario(true, whiles=(true,)).words("{folder}/a", 134)[2]
    assert script.index("[ $s -eq 134 ] || exit $s") < script.index(f"{NOTE} while 0")


def test_the_note_is_the_last_line() -> None:
    assert note_of(ProcessEnd(0, 0.1, stderr=f"text\n{NOTE} differ 0 1\n".encode())) == ["differ", "0", "1"]
    assert note_of(ProcessEnd(0, 0.1, stderr=f"{NOTE} same 0 1\nmore\n".encode())) == []
