"""Check scripts as oracles."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from minrepro.core.invocations import ProcessEnd
from minrepro.core.verdicts import Outcome, Verdict
from minrepro.errors import CheckError
from minrepro.executors.local.process_pool import Processes
from minrepro.oracles.command import CommandOracle, find_command, words_of
from tests.executors.hostile import PATIENCE, script

pytestmark = pytest.mark.processes


def ask(oracle: CommandOracle, case: bytes, place: Path) -> Verdict:
    with Processes(oracle, place=place) as executor:
        job = executor.start(case)
        return executor.wait([job], PATIENCE)[job]


@pytest.mark.parametrize(
    ("status", "outcome", "reason"),
    [
        (0, Outcome.FAIL, "exit 0"),
        (1, Outcome.PASS, "exit 1"),
        (124, Outcome.PASS, "exit 124"),
        (125, Outcome.UNRESOLVED, "exit 125"),
        (-signal.SIGSEGV, Outcome.PASS, "killed by SIGSEGV"),
        (-40, Outcome.PASS, "killed by signal 40"),
    ],
)
def test_the_exit_status_is_the_answer(status: int, outcome: Outcome, reason: str) -> None:
    assert CommandOracle(["true"], "n.txt").judge(ProcessEnd(status, 0.5)) == Verdict(outcome, reason, 0.5)


def test_a_time_out_is_unresolved_and_carries_its_limit() -> None:
    verdict = CommandOracle(["true"], "n.txt").judge(ProcessEnd(-9, 2.1, limit=2))
    assert verdict == Verdict(Outcome.UNRESOLVED, "timed out after 2.0 s", 2.1, 2)


def test_the_case_is_a_file_of_the_given_name_in_the_working_folder(tmp_path: Path) -> None:
    text = (
        '#!/bin/sh\n[ $# = 1 ] && [ "$1" = "$PWD/my file.c" ] && [ "$MINREPRO_CANDIDATE" = "$1" ] && grep -q yes "$1"\n'
    )
    assert ask(CommandOracle([script(tmp_path, text)], "my file.c"), b"yes", tmp_path).outcome is Outcome.FAIL


def test_the_case_comes_on_standard_input_when_asked_for(tmp_path: Path) -> None:
    text = '#!/bin/sh\n[ $# = 0 ] && grep -q yes && grep -q yes "$MINREPRO_CANDIDATE"\n'
    oracle = CommandOracle([script(tmp_path, text)], "n.txt", stdin=True)
    assert ask(oracle, b"yes", tmp_path).outcome is Outcome.FAIL


def test_a_script_among_the_words_is_found_from_the_working_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("check.sh").write_text('[ "$1" = --fast ] && grep -q yes "$2"\n')
    assert ask(CommandOracle.from_text("sh check.sh --fast", "n.txt"), b"yes", tmp_path).outcome is Outcome.FAIL


def test_a_file_whose_name_has_spaces_is_one_word(tmp_path: Path) -> None:
    path = script(tmp_path, "#!/bin/sh\n", name="my check")
    assert words_of(path) == [path]
    assert words_of("python 'my check' -x") == ["python", "my check", "-x"]


def test_a_script_given_as_a_word_may_be_longer_than_a_path(tmp_path: Path) -> None:
    program = "true;" * 2000 + 'grep -q yes "$1"'
    assert ask(CommandOracle(["sh", "-c", program, "sh"], "n.txt"), b"yes", tmp_path).outcome is Outcome.FAIL


@pytest.mark.parametrize("text", ["", "  ", "sh 'open"])
def test_text_without_words_is_refused(text: str) -> None:
    with pytest.raises(CheckError):
        words_of(text)


def test_a_file_here_goes_before_one_on_the_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert find_command("sh") != str(tmp_path / "sh")
    script(tmp_path, "#!/bin/sh\n", name="sh")
    assert find_command("sh") == find_command("./sh") == str(tmp_path / "sh")


def refusal(word: str) -> str:
    with pytest.raises(CheckError) as caught:
        find_command(word)
    message = str(caught.value)
    assert len(message.splitlines()) <= 2
    return message


def test_a_check_that_does_not_exist_is_refused() -> None:
    assert "does not exist" in refusal("./no-such-check")
    assert "here or on PATH" in refusal("no-such-check")
    assert "does not exist" in refusal("")
    assert "does not exist" in refusal("x" * 300)


def test_a_folder_is_refused(tmp_path: Path) -> None:
    assert "is a directory" in refusal(str(tmp_path))


def test_a_check_that_is_not_executable_is_refused_with_the_remedy(tmp_path: Path) -> None:
    path = tmp_path / "check"
    path.write_text("#!/bin/sh\n")
    path.chmod(0o644)
    assert f"chmod +x {path}" in refusal(str(path))


@pytest.mark.parametrize(
    ("text", "meaning"), [("exit 0\n", "#!/bin/sh"), ("#!/no/such/interpreter\n", "interpreter in its first line")]
)
def test_a_script_that_the_system_cannot_run_is_reported(tmp_path: Path, text: str, meaning: str) -> None:
    oracle = CommandOracle([script(tmp_path, text)], "n.txt")
    with pytest.raises(CheckError, match=meaning) as caught:
        ask(oracle, b"", tmp_path)
    assert len(str(caught.value).splitlines()) <= 2


def test_other_trouble_is_named() -> None:
    with pytest.raises(CheckError, match="No space left on device"):
        CommandOracle(["true"], "n.txt").judge(ProcessEnd(127, 0, trouble="ENOSPC: No space left on device"))
