"""What shells propose, asked of the shells themselves."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from minrepro.cli.command_outline import outlines
from minrepro.cli.main import parser
from minrepro.cli.shell_completion import SCRIPTS

pytestmark = pytest.mark.processes

ASK = {
    "bash": """
source "$1"; shift
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=()
_minrepro
printf '%s\\n' "${COMPREPLY[@]}"
""",
    # Completion itself works only while somebody types; what it would be given is printed instead.
    "zsh": """
compdef() { :; }
source "$1"; shift
_describe() { print -l -- ${(M)${known%%:*}:#${words[CURRENT]}*}; }
_files() { print -l -- ${words[CURRENT]}*(N); }
compadd() { shift; print -l -- ${(M)@:#${words[CURRENT]}*}; }
words=("$@"); CURRENT=$#
_minrepro
""",
    "fish": """
source $argv[2]
complete -C (string join ' ' -- $argv[3..-1]) | string replace -r '\\t.*' ''
""",
}


@pytest.mark.parametrize("shell", list(SCRIPTS))
@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["re"], ["reduce", "report", "resume"]),
        (["reduce", "--eff"], ["--effort"]),
        (["reduce", "--effort", "th"], ["thorough"]),
        (["reduce", "-j", "4", "--explain", "cra"], ["crash.json"]),
        (["reduce", "crash.json", "--", "cra"], ["crash.json"]),
        (["web", "rep"], ["replay"]),
        (["web", "reduce", "--allow-"], ["--allow-network"]),
        (["completion", "f"], ["fish"]),
    ],
)
def test_a_shell_proposes_commands_options_and_files(
    shell: str, words: list[str], expected: list[str], tmp_path: Path
) -> None:
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed")
    (tmp_path / "crash.json").touch()
    script = tmp_path / "script"
    script.write_text(SCRIPTS[shell](list(outlines(parser()))))
    asked = subprocess.run(
        [shell, "-c", ASK[shell], shell, script, "minrepro", *words],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
    )
    assert asked.stderr == ""
    assert [word for word in asked.stdout.split() if word.startswith(words[-1])] == expected
