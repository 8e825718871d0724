"""The sandbox as users meet it: the first line, what a check could not write, and how to allow it."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.command_line import CommandLine

pytestmark = pytest.mark.usefixtures("sandboxes")

WORDS = ("reduce", "./check.sh", "in.txt", "--units", "lines", "-j", "1")


@pytest.fixture
def outside(shell: CommandLine) -> Iterator[Path]:
    """A folder that is neither temporary nor at home."""
    shell.environment["HOME"] = str(shell.folder)
    folder = Path(tempfile.mkdtemp(dir=Path(__file__).parent)).resolve()
    try:
        if folder.is_relative_to("/tmp"):
            pytest.skip("the tests themselves lie in /tmp")
        yield folder
    finally:
        shutil.rmtree(folder)


def test_the_first_line_says_what_contains_the_checks(shell: CommandLine) -> None:
    shell.check('grep -q needle "$1"')
    shell.write("in.txt", "a\nneedle\n")
    said = {mode: shell.run(*WORDS, "--sandbox", mode).stderr.splitlines()[0] for mode in ("on", "off", "strict")}
    assert said == {
        "on": "minrepro: input: 9 bytes; checks run in a sandbox",
        "off": "minrepro: input: 9 bytes; checks run without a sandbox (--sandbox off)",
        "strict": "minrepro: input: 9 bytes; checks run in a strict sandbox",
    }
    assert json.loads(shell.run(*WORDS, "--json").stdout)["checks_ran"] == "in a sandbox"


def test_a_check_that_must_write_elsewhere_is_told_what_to_allow(shell: CommandLine, outside: Path) -> None:
    shell.check(f'echo x >>{outside}/log && grep -q needle "$1"')
    shell.write("in.txt", "a\nneedle\n")
    done = shell.run(*WORDS)
    assert done.status == 2
    error, hint = done.stderr.splitlines()[-2:]
    assert error.startswith("minrepro: error: the check ends differently in the sandbox: exit 2, but outside exit 0")
    assert error.endswith(f"; it cannot write {outside}/log")
    assert hint == f"hint: use --writable {outside}, or --sandbox off if you trust it with every candidate"
    (outside / "log").unlink()
    for words in (["--writable", str(outside)], ["--sandbox", "off"]):
        assert shell.run(*WORDS, *words).status == 0
        assert (shell.folder / "in.min.txt").read_text() == "needle\n"
        (outside / "log").unlink()


def test_a_check_that_reproduces_only_because_it_cannot_write_is_not_believed(
    shell: CommandLine, outside: Path
) -> None:
    shell.check(f"! cp in.txt {outside}/copy 2>/dev/null")
    shell.write("in.txt", "a\nneedle\n")
    done = shell.run(*WORDS)
    assert done.status == 2
    assert "the check ends differently in the sandbox: exit 0, but outside exit 1" in done.stderr
    assert "hint: allow what it must write with --writable PATH" in done.stderr
    assert "in.min.txt" not in shell.names()


def test_the_input_and_the_result_are_out_of_reach(shell: CommandLine) -> None:
    spoil = f"echo x >>{shell.folder}/in.txt; rm -f {shell.folder}/in.min.txt"
    shell.check(f'grep -q needle "$1" || exit 1; {spoil}; exit 0')
    shell.write("in.txt", "a\nneedle\n")
    done = shell.run(*WORDS)
    assert done.status == 0, done.stderr
    assert (shell.folder / "in.min.txt").read_text() == "needle\n"
    assert (shell.folder / "in.txt").read_text() == "a\nneedle\n"
    assert "warning" not in done.stderr


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--writable", "nowhere"], "there is no nowhere"),
        (["--sandbox", "off", "--writable", "."], "--writable: without a sandbox, checks may write everywhere"),
        (["--sandbox", "some"], "invalid choice: 'some'"),
    ],
)
def test_what_cannot_be_meant_is_refused(shell: CommandLine, words: list[str], told: str) -> None:
    shell.check('grep -q needle "$1"')
    shell.write("in.txt", "a\nneedle\n")
    done = shell.run(*WORDS, *words)
    assert done.status == 2
    assert told in done.stderr
